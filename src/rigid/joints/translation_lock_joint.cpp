#include "rigid/joints/translation_lock_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<TranslationLockRows>;

}  // namespace sinew
