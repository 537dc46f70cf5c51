// What the fit of the cube must give, for tests and for `sinew reproduce`: the closed solution of
// eq. 4.6, figures computed apart from this code, and the polynomials that the fitting thesis
// prints.
#pragma once

#include <sinew/fit.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew::fit {

struct Reference {
  double poisson;
  PbdStiffness stiffness;
  double matrix_error;
};

// Shear doubled as in the thesis, all four constraints.
inline constexpr Reference kReferences[] = {
    {0, {0.05111012520, 0.1575895527, 0.1149977817, 0}, 0.5273473600},
    {0.1, {0.05523554011, 0.1627813736, 0.1197630402, 0}, 0.4671520057},
    {0.2, {0.06076753623, 0.1685113948, 0.1254138514, 0}, 0.3799971772},
    {0.25, {0.06410607648, 0.1709495373, 0.1282121530, 0}, 0.3268781349},
    {0.3, {0.06673473514, 0.1692213492, 0.1241840883, 0.04042615285}, 0.2789567451},
    {0.35, {0.06593395214, 0.1547077308, 0.09738620498, 0.2181201437}, 0.2309739257},
    {0.4, {0.06272166333, 0.1309892232, 0.05983635896, 0.4384584032}, 0.1908278816},
    {0.45, {0.05564228278, 0.09549112781, 0.01108900949, 0.6846258031}, 0.2020425889},
    {0.49, {0.04613663253, 0.05407962592, 0, 0.8468015774}, 0.2639115831}};

// The same without the volume constraint.
inline constexpr Reference kReferencesWithoutVolume[] = {
    {0.3, {0.06765876149, 0.1720704305, 0.1303057629, 0}, 0.2805019050},
    {0.35, {0.07091955542, 0.1700800076, 0.1304158267, 0}, 0.2802045733},
    {0.4, {0.07274356969, 0.1618901012, 0.1262314886, 0}, 0.3716236522},
    {0.45, {0.07129087256, 0.1437409463, 0.1147609168, 0}, 0.5373525802},
    {0.49, {0.06669844463, 0.1209970600, 0.09927761386, 0}, 0.6842210681}};

// The minimum of eq. 4.6 for the cube. With the step of eq. 4.5 the stiffnesses times Q = ‖K̂‖ are
// linear in ν, in one to three pieces by which of them are 0.
inline PbdStiffness closed_form(double nu, FitShear shear, bool volume) {
  struct Line {
    double constant, slope, divisor;
    double operator()(double nu) const { return (constant + slope * nu) / divisor; }
  };
  struct Piece {
    double up_to;
    Line edge, face, diagonal, volume;
  };
  static constexpr Piece kDoubled[] = {
      {137.0 / 478, {12, -13, 105}, {111, -164, 315}, {27, -38, 105}, {0, 0, 1}},
      {3387.0 / 7358,
       {1140, -1687, 8331},
       {10545, -19076, 24993},
       {3387, -7358, 8331},
       {-2740, 9560, 2777}},
      {0.5, {933, -1417, 6435}, {243, -452, 495}, {0, 0, 1}, {-294, 1196, 429}}};
  static constexpr Piece kIsotropic[] = {
      {185.0 / 1186, {65, -86, 420}, {65, -72, 315}, {25, -18, 210}, {0, 0, 1}},
      {353.0 / 852,
       {5411, -8450, 33324},
       {5744, -9474, 24993},
       {1412, -3408, 8331},
       {-925, 5930, 2777}},
      {0.5, {4267, -6738, 25740}, {128, -222, 495}, {0, 0, 1}, {-89, 786, 429}}};
  const auto& pieces = shear == FitShear::kDoubled ? kDoubled : kIsotropic;
  const Piece* piece = std::begin(pieces);
  while (volume && nu > piece->up_to) ++piece;
  const double a = 1 - nu, s = (1 - 2 * nu) * (shear == FitShear::kDoubled ? 1 : 0.5);
  const double q = std::sqrt((25 * a * a + 45 * nu * nu + 10 * a * s + 100 * s * s) / 27);
  return {piece->edge(nu) / q, piece->face(nu) / q, piece->diagonal(nu) / q, piece->volume(nu) / q};
}

// The fitting thesis §4.2; the shear is its own. They jump a little at ν = 0.29, and the one for
// the diagonal falls below 0, where it is cut off.
inline PbdStiffness printed_polynomials(double nu) {
  if (nu <= 0.29)
    return {(0.0698 * nu + 0.0343) * nu + 0.0511, (-0.0302 * nu + 0.0614) * nu + 0.1572,
            0.0527 * nu + 0.1147, 0};
  return {(-0.7204 * nu + 0.4656) * nu - 0.0084, (-2.3822 * nu + 1.2909) * nu - 0.0044,
          std::max(0.0, (-0.5795 * nu - 0.2818) * nu + 0.2636),
          ((-50.6270 * nu + 63.1461) * nu - 21.4563) * nu + 2.1615};
}
inline constexpr double kPolynomialTolerance = 0.014;  // their worst error is 0.0136

// The largest difference of any stiffness.
inline double difference(const PbdStiffness& a, const PbdStiffness& b) {
  return std::max({std::abs(a.edge - b.edge), std::abs(a.face - b.face),
                   std::abs(a.diagonal - b.diagonal), std::abs(a.volume - b.volume)});
}

}  // namespace sinew::fit
