#include "rigid/joints/gear_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<GearRows>;

}  // namespace sinew
