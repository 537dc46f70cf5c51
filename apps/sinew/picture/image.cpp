// Colours of bodies, and images as PNG files.
#include <fmt/format.h>
#include <png.h>
#include <sinew/error.h>

#include <array>
#include <string>

#include "core/atomic_file.h"
#include "picture.h"

namespace sinew {

Vec3 body_colour(std::size_t index) {
  static constexpr std::array<std::uint32_t, 10> kPalette{
      0xe8604c,  // coral
      0x2a9d9a,  // teal
      0xf2b441,  // amber
      0x5a6fd0,  // indigo
      0x86b84e,  // leaf
      0xd9608f,  // rose
      0x3f9bdc,  // sky
      0x9468c8,  // violet
      0xe88a3c,  // orange
      0x5d7486,  // slate
  };
  const std::uint32_t rgb = kPalette[index % kPalette.size()];
  return Vec3{Real(rgb >> 16), Real(rgb >> 8 & 0xff), Real(rgb & 0xff)} / Real(255);
}

void write_png(const std::filesystem::path& path, const Image& image) {
  if (image.width < 1 || image.height < 1 ||
      image.rgb.size() != std::size_t(image.width) * std::size_t(image.height) * 3)
    throw Error(fmt::format("{}: the image has {} bytes, which is not {} x {} pixels of 3",
                            path.string(), image.rgb.size(), image.width, image.height));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png.flags = PNG_IMAGE_FLAG_FAST;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    throw Error(fmt::format("{}: cannot make a PNG: {}", path.string(), png.message));
  write_file(path, std::string_view(bytes).substr(0, size));
}

}  // namespace sinew
