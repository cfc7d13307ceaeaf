// Makes the record of this machine for --save-facts.
#pragma once

#include "runtime/kernel/machine_record.h"

namespace dscope {

// Takes some seconds: it copies the kernel's types, symbols and the formats of all tracepoints. Fails without root.
Result<MachineRecord> record_machine();

// Replaces the addresses of kallsyms by those of a kernel without address randomization, because the difference is a
// secret. Sizes of functions stay.
std::string without_randomization(std::string_view kallsyms);

}  // namespace dscope
