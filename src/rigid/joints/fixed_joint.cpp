#include "rigid/joints/fixed_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<FixedRows>;

}  // namespace sinew
