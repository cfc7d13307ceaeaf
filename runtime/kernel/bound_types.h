// Types of a kernel that come from elsewhere, because that kernel has no /sys/kernel/btf or is not running: a BTF file
// that a bundle was built with (dscope --build --bind).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dscope {

// True if this machine has types of its own: its kernel's BTF is in /sys/kernel/btf/vmlinux.
bool has_kernel_types();

// From now on, a KernelTypes of this process reads `bytes`, the BTF of a kernel proper, instead of /sys/kernel/btf; its
// modules have no types. With empty `bytes`, it reads /sys/kernel/btf again. No KernelTypes of before may be in use.
void bind_kernel_types(std::string bytes);
// The bytes that replace /sys/kernel/btf/vmlinux; empty: none do. Valid until the next bind_kernel_types().
std::span<const std::byte> bound_kernel_types();

}  // namespace dscope
