// Finds the shared libraries that a process could load, in the directories that ld.so(8) searches.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// The files with a name that `is_wanted` accepts, as paths below the process's own root directory, with symbolic links
// resolved and without duplicates. Searches, in this order, LD_LIBRARY_PATH of the process, RUNPATH of its program,
// /etc/ld.so.conf, the default directories, and the directory of the program, from which plugins are loaded. Empty if
// the process has exited. Takes about 5 ms.
std::vector<std::string> find_libraries(uint32_t pid, const std::function<bool(std::string_view name)>& is_wanted);

}  // namespace dscope
