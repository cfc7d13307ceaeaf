// The address of one symbol of the kernel, from the kernel itself: by a program that calls bpf_kallsyms_lookup_name()
// (Linux 5.16), in some 0.1 ms where reading /proc/kallsyms takes 40.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

// 0: neither the kernel nor a module has that symbol. None: the kernel does not answer (too old, no privileges) or the
// name is too long to be asked for.
std::optional<uint64_t> ask_kernel_for_symbol(std::string_view name);

}  // namespace dscope
