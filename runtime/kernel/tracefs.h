// Access to tracefs: mounted, below debugfs, or not at all. In the last case it is mounted without being attached to
// the file system tree, so that nothing changes for other processes. Opened at the first use. Paths are relative to the
// root of tracefs: "events/sched/sched_switch/format". With a facts file, its copies are read (machine_record.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

// The descriptor of the root directory, which stays open until dscope exits; do not close it.
Result<int> tracefs_root();
// The content of a file.
Result<std::string> read_tracefs(const std::string& path);
// The names in a directory, sorted, without "." and "..".
Result<std::vector<std::string>> list_tracefs(const std::string& directory);
// The id of a tracepoint: perf_event_attr::config.
Result<uint64_t> read_tracepoint_id(std::string_view category, std::string_view name);

}  // namespace dscope
