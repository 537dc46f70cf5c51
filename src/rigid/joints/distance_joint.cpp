#include "rigid/joints/distance_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<DistanceRows>;

}  // namespace sinew
