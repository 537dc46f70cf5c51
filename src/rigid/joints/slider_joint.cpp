#include "rigid/joints/slider_joint.h"

#include "rigid/joint_batch.h"

namespace sinew {

template class RowBatch<SliderRows<true>>;
template class RowBatch<SliderRows<false>>;

}  // namespace sinew
