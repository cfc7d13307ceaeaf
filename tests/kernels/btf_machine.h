// A machine of which only the kernel's types are known: what a facts file has, made from the BTF of a kernel image.
#pragma once

#include <string>

#include "runtime/kernel/machine_record.h"
#include "support/result.h"

namespace dscope {

// `path`: a file with the BTF of vmlinux. `release`: of the kernel, "6.12". Functions and variables that BTF describes
// have symbols with made-up addresses. The machine has no modules, and its tracefs lists nothing, so that tracepoints
// come from BTF.
Result<MachineRecord> machine_of_btf(const std::string& path, const std::string& release);

// Compiles for `record` as long as it lives.
class RecordInUse {
 public:
  static Result<RecordInUse> open(const MachineRecord& record);

 private:
  explicit RecordInUse(std::unique_ptr<MachineInUse> machine) : machine_(std::move(machine)) {}
  std::unique_ptr<MachineInUse> machine_;
};

}  // namespace dscope
