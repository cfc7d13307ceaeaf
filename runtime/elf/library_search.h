// Where a process would find a shared library that it has not loaded yet, as ld.so(8) looks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// Real paths, as the process has them, of the files in the directories where it looks for libraries: those of
// LD_LIBRARY_PATH, of its program's RUNPATH, of /etc/ld.so.conf and the usual ones, and the program's own, from where
// plugins are loaded. Only files whose name `is_wanted`; each once.
std::vector<std::string> find_libraries(uint32_t pid, const std::function<bool(std::string_view name)>& is_wanted);

}  // namespace dscope
