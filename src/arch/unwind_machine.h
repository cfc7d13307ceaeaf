// How user stacks are unwound by tables on a processor (contract/stacks/unwind_format.h).
#pragma once

#include "arch/architecture.h"
#include "contract/stacks/unwind_format.h"

namespace dscope {

ds_unwind_machine unwind_machine(const Architecture& architecture);

}  // namespace dscope
