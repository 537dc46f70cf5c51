// Accessors of a glTF document: arrays of numbers of several types, tightly packed or strided,
// normalised integers (KHR_mesh_quantization), with sparse replacements.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "io/gltf_document.h"

namespace sinew {

namespace {

// Calls f with a value of the type that a glTF componentType stands for.
template <class F>
auto with_component(const JsonView& component_type, F f) {
  switch (component_type.count()) {
    case 5120:
      return f(std::int8_t{});
    case 5121:
      return f(std::uint8_t{});
    case 5122:
      return f(std::int16_t{});
    case 5123:
      return f(std::uint16_t{});
    case 5125:
      return f(std::uint32_t{});
    case 5126:
      return f(float{});
    default:
      component_type.fail(
          fmt::format("{} is not a component type of glTF; it must be 5120 to "
                      "5123, 5125 or 5126",
                      component_type.count()));
  }
}

// Indices are unsigned integers; positions are floats or, quantised, integers of up to 16 bits.
template <class To, class From>
constexpr bool kFits = std::is_floating_point_v<To>
                           ? std::is_floating_point_v<From> || sizeof(From) <= 2
                           : std::is_unsigned_v<From>;

template <class To, class From>
To convert(From value, bool normalized) {
  if constexpr (std::is_integral_v<From> && std::is_floating_point_v<To>)
    if (normalized) return std::max(To(value) / To(std::numeric_limits<From>::max()), To(-1));
  return static_cast<To>(value);
}

// Where the elements of one array lie.
struct Elements {
  const char* first;
  std::size_t stride;
};

// Throws unless `count` elements of that size lie within the view.
Elements elements_in(std::string_view view, std::size_t stride, std::uint64_t offset,
                     std::uint64_t count, std::size_t element_bytes, const JsonView& where) {
  if (stride == 0) stride = element_bytes;
  if (stride < element_bytes)
    where.fail(
        fmt::format("elements of {} bytes lie {} bytes apart: the byteStride of the buffer "
                    "view is too small",
                    element_bytes, stride));
  if (count == 0) return {view.data(), stride};
  const bool fits = offset <= view.size() && element_bytes <= view.size() - offset &&
                    count - 1 <= (view.size() - offset - element_bytes) / stride;
  if (!fits)
    where.fail(
        fmt::format("{} elements of {} bytes from byte {} on do not fit in a buffer view of "
                    "{} bytes",
                    count, element_bytes, offset, view.size()));
  return {view.data() + offset, stride};
}

template <class From, class To, std::size_t kWidth>
void decode(const Elements& from, std::size_t i, bool normalized, std::array<To, kWidth>& to) {
  std::array<From, kWidth> raw;
  std::memcpy(raw.data(), from.first + i * from.stride, sizeof raw);
  for (std::size_t c = 0; c < kWidth; ++c) to[c] = convert<To>(raw[c], normalized);
}

}  // namespace

template <class T, std::size_t kWidth>
std::vector<std::array<T, kWidth>> GltfDocument::read_accessor(const JsonView& reference) {
  const JsonView accessor = resolve(reference, "accessors");
  const JsonView type = accessor.at("type");
  const char* const expected = kWidth == 1 ? "SCALAR" : "VEC3";
  if (type.text() != expected) type.fail(fmt::format("must be \"{}\" here", expected));
  const bool is_sparse = accessor.has("sparse");
  if (!accessor.has("bufferView") && !is_sparse)
    accessor.fail(
        "has no \"bufferView\": its data is missing, or compressed in a way that is not read; "
        "save the model without compression");

  const std::uint64_t count = accessor.at("count").count();
  const bool normalized = accessor.flag_or("normalized", false);
  spend(count, accessor);
  std::vector<std::array<T, kWidth>> result;
  with_component(accessor.at("componentType"), [&]<class From>(From) {
    if constexpr (!kFits<T, From>) {
      accessor.at("componentType").fail("is not allowed for what this accessor is used for");
    } else if (accessor.has("bufferView")) {
      const View view = buffer_view(accessor.at("bufferView"));
      const Elements from = elements_in(view.bytes, view.stride, accessor.count_or("byteOffset", 0),
                                        count, sizeof(From) * kWidth, accessor);
      result.resize(count);
      for (std::size_t i = 0; i < count; ++i) decode<From>(from, i, normalized, result[i]);
    } else if (count > byte_count_) {  // zeros that sparse values replace: none need be in the file
      accessor.at("count").fail(
          fmt::format("{} elements in a file of {} bytes", count, byte_count_));
    } else {
      result.resize(count);
    }
  });
  if (is_sparse) apply_sparse(accessor, result);
  return result;
}

template <class T, std::size_t kWidth>
void GltfDocument::apply_sparse(const JsonView& accessor,
                                std::vector<std::array<T, kWidth>>& elements) {
  const JsonView sparse = accessor.at("sparse");
  const JsonView indices = sparse.at("indices"), values = sparse.at("values");
  const std::uint64_t count = sparse.at("count").count();
  spend(count, sparse);
  const std::string_view index_bytes = buffer_view(indices.at("bufferView")).bytes;
  const std::string_view value_bytes = buffer_view(values.at("bufferView")).bytes;
  const bool normalized = accessor.flag_or("normalized", false);

  with_component(indices.at("componentType"), [&]<class Place>(Place) {
    with_component(accessor.at("componentType"), [&]<class From>(From) {
      if constexpr (!std::is_unsigned_v<Place>) {
        indices.at("componentType").fail("must be 5121, 5123 or 5125: unsigned integers");
      } else if constexpr (kFits<T, From>) {  // read_accessor() has refused the others
        const Elements places = elements_in(index_bytes, 0, indices.count_or("byteOffset", 0),
                                            count, sizeof(Place), indices);
        const Elements from = elements_in(value_bytes, 0, values.count_or("byteOffset", 0), count,
                                          sizeof(From) * kWidth, values);
        for (std::size_t i = 0; i < count; ++i) {
          std::array<std::uint64_t, 1> place;
          decode<Place>(places, i, false, place);
          if (place[0] >= elements.size())
            indices.fail(fmt::format("entry {} is {}, but the accessor has {} elements", i,
                                     place[0], elements.size()));
          decode<From>(from, i, normalized, elements[place[0]]);
        }
      }
    });
  });
}

std::vector<Vec3T<float>> GltfDocument::read_positions(const JsonView& reference) {
  std::vector<Vec3T<float>> result;
  const auto elements = read_accessor<float, 3>(reference);
  result.reserve(elements.size());
  for (const auto& [x, y, z] : elements) result.push_back({x, y, z});
  return result;
}

std::vector<Index> GltfDocument::read_indices(const JsonView& reference) {
  std::vector<Index> result;
  const auto elements = read_accessor<Index, 1>(reference);
  result.reserve(elements.size());
  for (const auto& [i] : elements) result.push_back(i);
  return result;
}

}  // namespace sinew
