// The dscope process of a run: D shows it as $pid and the like, and in BEGIN, END and tick clauses. In a replay, it is
// the process that recorded, so that `pid != $pid` and `BEGIN { self = pid; }` mean what they meant in the recording.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

struct TracerIdentity {
  uint32_t pid = 0, ppid = 0, pgid = 0, sid = 0;
  uint32_t uid = 0, euid = 0, gid = 0, egid = 0;
  std::string execname;

  // The value of the macro variable $name (d-language.md 1.7); nullopt if it does not describe the process.
  std::optional<uint32_t> find(std::string_view name) const;
};

// This process.
TracerIdentity current_tracer();

}  // namespace dscope
