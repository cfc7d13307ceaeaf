// The BTF of kernel modules that are not loaded, from their .ko files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// The module directory of the running kernel: /lib/modules/<release>.
std::string module_directory();
// The split BTF in the .ko file of the module, based on the kernel's own. Empty if `directory` has no such file, if the
// BTF has a base of its own (.BTF.base: modules built outside the kernel tree), or if the file is compressed by gzip.
std::vector<std::byte> read_module_types(std::string_view module, const std::string& directory);

}  // namespace dscope
