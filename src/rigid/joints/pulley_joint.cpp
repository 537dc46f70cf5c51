#include "rigid/joints/pulley_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<PulleyRows>;

}  // namespace sinew
