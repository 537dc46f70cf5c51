#include "rigid/joints/ball_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<BallRows>;

}  // namespace sinew
