// What can be asked of every cell of a soft body, to colour it by.
#pragma once

namespace sinew {

enum class CellField {
  kStress,  // von Mises' equivalent of Cauchy's stress; of a line: its tension's size [Pa]
  kStrain,  // largest |principal stretch - 1|
  kVolume,  // volume, area or length by that at rest; negative: inside out
  kColour,  // the group of cells, solved at the same time, that it is in; counted from 0
};

}  // namespace sinew
