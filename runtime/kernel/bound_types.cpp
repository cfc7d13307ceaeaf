#include "runtime/kernel/bound_types.h"

#include <unistd.h>

#include "runtime/kernel/machine_record.h"

namespace dscope {

namespace {

std::string& bound_bytes() {
  static std::string bytes;
  return bytes;
}

}  // namespace

bool has_kernel_types() { return ::access(machine_path("/sys/kernel/btf/vmlinux").c_str(), R_OK) == 0; }

void bind_kernel_types(std::string bytes) { bound_bytes() = std::move(bytes); }

std::span<const std::byte> bound_kernel_types() { return std::as_bytes(std::span{bound_bytes()}); }

}  // namespace dscope
