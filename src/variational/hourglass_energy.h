// What resists the hourglass modes q of hexahedra with one point (elements/hourglass.h), as an
// energy of the moduli of small strains, for any material:
//   assumed strains    E = V ½ q̂ᵀ C q̂,   q̂ = Rᵀ q
//   Laplacian          E = V μ Σᵢⱼ Mᵢⱼ qᵢ·qⱼ
// R is the rotation of the element's edges now, so that the energy does not change with rotation
// and its forces exert no torque. It depends on the positions, too: by R' = R [ω]ₓ with G ω the
// axial vector of RᵀF' − F'ᵀR, G = tr(S) I − S and S = RᵀF of the edges F, the forces on the edges
// are −V R [w]ₓ with w = G⁻¹ Σ q̂ᵢ × f̂ᵢ and f̂ = C q̂.
//
// Elements that are folded or inside out have no rotation worth the name. They have the Laplacian,
// a stiffer one, until they are not (hex_folding.h), and then turn back by and by.
#pragma once

#include "elements/hex_folding.h"
#include "elements/hourglass.h"
#include "variational/element_blocks.h"
#include "variational/elements_energy.h"
#include "variational/pack_sums.h"
#include "variational/point_packs.h"

namespace sinew {

class HourglassEnergy final : public EnergyTerm {
 public:
  using W = Wide;

  // `rests` has one entry per cell, `factors` are SoftBody::cell_stiffness; `assumed`: by assumed
  // strains, else by the Laplacian they hold.
  HourglassEnergy(const HexMesh& mesh, const std::vector<HexRest>& rests, bool assumed,
                  double lame_mu, double lame_lambda, std::span<const Real> factors);

  void begin_step(const Row4<Real>* x, Real h) override;
  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override;
  double energy(const Row4<Real>* x) const override;
  void add_metric(MetricEntries& entries) const override;
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override;
  void visit_state(StateBytes& state) override {
    for (Pack& e : packs_.packs()) state(e.unfolding);
  }

 private:
  struct Pack {
    Index node[8][kWidth<W>];
    AssumedStrainControl<W> assumed;  // its frame is not used
    LaplacianControl<W> laplacian;
    Vec3T<W> skew[4];  // gᵢ
    W volume;          // times the factor on its stiffness [m³]
    W inverse_det;     // det J₀⁻¹ [1/m³]
    Unfolding<W> unfolding;
    int count;  // lanes in use
  };
  struct Shape;  // of the elements of a pack, now
  struct Turning;

  // The Laplacian's stiffness by volume, and the share of assumed strains.
  W laplacian_stiffness(const Pack& e) const;
  W assumed_share(const Pack& e) const;
  double add_pack(const Pack& e, const Row4<Real>* x, Row4<Real>* gradient) const;
  void add_assumed_blocks(const Pack& e, const Shape& shape, bool projected,
                          ElementBlocks<8, W>& blocks) const;

  bool assumed_;
  ElasticModuli<W> moduli_;
  ColouredPacks<Pack> packs_;
  PackSums sums_;
};

}  // namespace sinew
