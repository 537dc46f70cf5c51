#include "rigid/joints/rotation_lock_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<RotationLockRows>;

}  // namespace sinew
