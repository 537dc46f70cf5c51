#include "rigid/joints/hinge_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<HingeRows<true>>;
template class RowBatch<HingeRows<false>>;

}  // namespace sinew
