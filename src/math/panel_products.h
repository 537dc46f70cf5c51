// Products of the dense panels of a sparse factor with three right-hand sides, rows of x, y and z.
//
// Let L₁ be the diagonal block of a supernode and L₂ what is under it. With b the right-hand sides
// of its columns, substitution is y = L₁⁻¹b, w₂ −= L₂y on the way forwards, and x = L₁⁻ᵀ(y − L₂ᵀw₂)
// on the way back. The panel that is kept is
//       ⎡   L₁⁻¹   ⎤
//   G = ⎣ −L₂ L₁⁻¹ ⎦ ,
// for then both are one product over all rows w of the supernode, its own and those below:
//   forwards  b ← w₁, w₁ ← 0, w += G b      back  w₁ ← Gᵀ w.
//
// Panels are kept in blocks of kBlockRows rows, one after the other as they are read, by columns
// and without padding: the last pack of a column reads into the next, and what comes of that goes
// to a row that does not count, or comes from one that is zero. Narrow panels, of up to four
// columns, hold the numbers of a row together; there a row of x, y, z is the pack.
#pragma once

#include <algorithm>

#include "core/row_packs.h"
#include "math/dense_cholesky.h"

namespace sinew {

// Columns begin anywhere, and are short: packs of 64 bytes are slower here than those of 32.
template <class T>
using PanelPack = std::conditional_t<(kWidth<PackOf<T>> * sizeof(T) > 32),
                                     Pack<T, int(32 / sizeof(T))>, PackOf<T>>;

// A panel's rows and columns, and where its blocks lie. Above the diagonal there is nothing, so the
// first blocks have fewer columns.
struct PanelShape {
  static constexpr int kNarrow = 4;  // columns
  static constexpr int kBlockRows = 64;

  int rows, columns;

  bool narrow() const { return columns <= kNarrow; }
  struct Block {
    int row, rows, columns;
    std::size_t begin;  // of its numbers
  };
  // f(block) for each.
  template <class F>
  SINEW_INLINE void for_each_block(F&& f) const {
    Block b{0, 0, 0, 0};
    for (; b.row < rows; b.row += kBlockRows) {
      b.rows = std::min(kBlockRows, rows - b.row);
      b.columns = std::min(columns, b.row + kBlockRows);
      f(b);
      b.begin += std::size_t(b.rows) * b.columns;
    }
  }
  // How many there are.
  std::size_t numbers() const {
    if (narrow()) return std::size_t(rows) * columns;
    std::size_t sum = 0;
    for_each_block([&](const Block& b) { sum += std::size_t(b.rows) * b.columns; });
    return sum;
  }
  // Puts G(row, column) where it belongs.
  template <class T, class F>
  void fill(T* numbers, F&& entry) const {
    if (narrow()) {
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) *numbers++ = entry(i, j);
      return;
    }
    for_each_block([&](const Block& b) {
      for (int j = 0; j < b.columns; ++j)
        for (int i = 0; i < b.rows; ++i) *numbers++ = entry(b.row + i, j);
    });
  }
};

namespace panel_detail {

// Σ a(k)·b[k] over `count` columns, of kPacks packs of rows; a(k) begins at a + k·stride. Few packs
// have several running sums each, so that none waits for the last.
template <int kPacks, class T>
SINEW_INLINE void multiply(const T* a, int stride, int count, const Row4<T>* b,
                           Vec3T<PanelPack<T>> (&sum)[kPacks]) {
  using W = PanelPack<T>;
  constexpr int kSums = kPacks == 1 ? 4 : kPacks == 2 ? 2 : 1;
  Vec3T<W> part[kSums][kPacks];
  for (auto& packs : part)
    for (auto& s : packs) s = {W(T(0)), W(T(0)), W(T(0))};
  const auto add = [&](int k, Vec3T<W>(&to)[kPacks]) {
    const Row4<T>& v = b[k];
    const T* at = a + std::size_t(k) * stride;
    for (int p = 0; p < kPacks; ++p) {
      const W l = load_lanes<W>(at + p * kWidth<PanelPack<T>>);
      to[p].x += l * W(v.x);
      to[p].y += l * W(v.y);
      to[p].z += l * W(v.z);
    }
  };
  int k = 0;
  for (; k + kSums <= count; k += kSums)
    for (int i = 0; i < kSums; ++i) add(k + i, part[i]);
  for (; k < count; ++k) add(k, part[0]);
  for (int p = 0; p < kPacks; ++p) {
    sum[p] = part[0][p];
    for (int i = 1; i < kSums; ++i) sum[p] += part[i][p];
  }
}

// Rows of a block as packs of x, of y and of z.
template <class T>
struct Gathered {
  alignas(64) T x[PanelShape::kBlockRows], y[PanelShape::kBlockRows], z[PanelShape::kBlockRows];
};

// to[c] += Σ a(c)·v over the rows of a block, for kColumns neighbouring columns.
template <int kColumns, class T>
SINEW_INLINE void add_products(const T* a, int rows, const Gathered<T>& v, Row4<T>* to) {
  using W = PanelPack<T>;
  Vec3T<W> sum[kColumns];
  for (auto& s : sum) s = {W(T(0)), W(T(0)), W(T(0))};
  for (int i = 0; i < rows; i += kWidth<PanelPack<T>>) {
    const Vec3T<W> r{load_lanes<W>(v.x + i), load_lanes<W>(v.y + i), load_lanes<W>(v.z + i)};
    for (int c = 0; c < kColumns; ++c) sum[c] += r * load_lanes<W>(a + std::size_t(c) * rows + i);
  }
  for (int c = 0; c < kColumns; ++c) {
    const Row4<T> s = row_sum(Rows4<W>{sum[c], W(T(0))});
    to[c] = {to[c].x + s.x, to[c].y + s.y, to[c].z + s.z, 0};
  }
}

template <class T>
SINEW_INLINE Pack<T, 4> load_row(const Row4<T>& row) {
  return load_lanes<Pack<T, 4>>(&row.x);
}
template <class T>
SINEW_INLINE void store_row(Row4<T>& row, const Pack<T, 4>& v) {
  store_lanes<Pack<T, 4>>(&row.x, v);
}

}  // namespace panel_detail

// work[index] += G b. `index` is padded to whole packs by that of a row that does not count.
template <class T>
void add_product(const PanelShape& shape, const T* numbers, const std::uint32_t* index,
                 const Row4<T>* b, Row4<T>* work) {
  namespace d = panel_detail;
  using W = PanelPack<T>;
  constexpr int kRows = kWidth<PanelPack<T>>;
  if (shape.narrow())
    return with_up_to_four(shape.columns, [&]<int N>() {
      Pack<T, 4> v[N];
      for (int j = 0; j < N; ++j) v[j] = d::load_row(b[j]);
      for (int i = 0; i < shape.rows; ++i) {
        Row4<T>& row = work[index[i]];
        Pack<T, 4> r = d::load_row(row);
        for (int j = 0; j < N; ++j) r += v[j] * Pack<T, 4>(numbers[i * N + j]);
        d::store_row(row, r);
      }
    });
  shape.for_each_block([&](const PanelShape::Block& block) {
    for (int i = 0; i < block.rows; i += 4 * kRows)
      with_up_to_four(std::min(4, (block.rows - i + kRows - 1) / kRows), [&]<int kPacks>() {
        Vec3T<W> sum[kPacks];
        d::multiply<kPacks>(numbers + block.begin + i, block.rows, block.columns, b, sum);
        for (int k = 0; k < kPacks; ++k)
          add_to_rows<W>(work, index + block.row + i + k * kRows, sum[k]);
      });
  });
}

// x ← Gᵀ work[index]. Where `index` is padded, work must be zero.
template <class T>
void transposed_product(const PanelShape& shape, const T* numbers, const std::uint32_t* index,
                        const Row4<T>* work, Row4<T>* x) {
  namespace d = panel_detail;
  using W = PanelPack<T>;
  constexpr int kRows = kWidth<PanelPack<T>>;
  if (shape.narrow())
    return with_up_to_four(shape.columns, [&]<int N>() {
      Pack<T, 4> sum[N];
      for (auto& s : sum) s = Pack<T, 4>(T(0));
      for (int i = 0; i < shape.rows; ++i) {
        const Pack<T, 4> r = d::load_row(work[index[i]]);
        for (int j = 0; j < N; ++j) sum[j] += r * Pack<T, 4>(numbers[i * N + j]);
      }
      for (int j = 0; j < N; ++j) d::store_row(x[j], sum[j]);
    });
  std::fill_n(x, shape.columns, Row4<T>{});
  shape.for_each_block([&](const PanelShape::Block& block) {
    d::Gathered<T> v;
    for (int i = 0; i < block.rows; i += kRows) {
      const Vec3T<W> r = gather<W>(work, index + block.row + i).xyz;
      store_lanes<W>(v.x + i, r.x);
      store_lanes<W>(v.y + i, r.y);
      store_lanes<W>(v.z + i, r.z);
    }
    for (int j = 0; j < block.columns; j += 4)
      with_up_to_four(std::min(4, block.columns - j), [&]<int kColumns>() {
        d::add_products<kColumns>(numbers + block.begin + std::size_t(j) * block.rows, block.rows,
                                  v, x + j);
      });
  });
}

}  // namespace sinew
