// Bars of plain position-based dynamics in a World, each fitted in its mesh (fit_body), against
// finite elements: claims of the experiment `fit`.
#pragma once

#include "reproduce/experiment.h"

namespace sinew {

void check_fitted_bars(const ExperimentOptions& options, ExperimentReport& report);

}  // namespace sinew
