#include "rigid/joints/six_dof_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<SixDofRows<true>>;
template class RowBatch<SixDofRows<false>>;

}  // namespace sinew
