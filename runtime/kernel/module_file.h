// The file of a module of the kernel that is not loaded: what types its functions will have.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// Where the running kernel's modules are.
std::string module_directory();
// The types (BTF) in the file of the module, which go on where the kernel's own end. Empty if `directory` has none,
// they are not in the kernel's numbers (modules that were built elsewhere), or gzip has compressed them.
std::vector<std::byte> read_module_types(std::string_view module, const std::string& directory);

}  // namespace dscope
