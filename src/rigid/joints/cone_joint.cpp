#include "rigid/joints/cone_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<ConeRows>;

}  // namespace sinew
