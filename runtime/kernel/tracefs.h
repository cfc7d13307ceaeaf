// tracefs wherever it is: mounted, below debugfs, or nowhere; then it is mounted without being attached to the file
// system tree, so that nothing changes for others. Opened at the first use. Paths are relative to its root:
// "events/sched/sched_switch/format".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

// Descriptor of the root directory; stays open until the program ends.
Result<int> tracefs_root();
Result<std::string> read_tracefs(const std::string& path);
// Names in a directory, sorted, without "." and "..".
Result<std::vector<std::string>> list_tracefs(const std::string& directory);
// What perf_event_open wants as `config` of a tracepoint.
Result<uint64_t> read_tracepoint_id(std::string_view category, std::string_view name);

}  // namespace dscope
