// Queries the kernel for the address of one symbol: a BPF program calls bpf_kallsyms_lookup_name() (Linux 5.16). Takes
// 0.1 ms; reading /proc/kallsyms takes 40 ms.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

// The address of the symbol, or 0 if neither the kernel nor a module has it. Nothing if the kernel is too old, the
// privilege is missing, or the name is longer than 480 characters.
std::optional<uint64_t> query_kernel_symbol(std::string_view name);

}  // namespace dscope
