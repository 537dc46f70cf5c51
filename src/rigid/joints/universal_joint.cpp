#include "rigid/joints/universal_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<UniversalRows<true>>;
template class RowBatch<UniversalRows<false>>;

}  // namespace sinew
