// KnownProcesses: the processes that descriptions have named, opened once each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contract/host.h"
#include "runtime/providers/process/process_functions.h"

namespace dscope {

// Explains why ProcessFunctions::open() fails for the process.
ProbeMistake open_mistake(uint32_t pid);

// The ids of all processes except this one, ascending.
std::vector<uint32_t> running_processes();

class KnownProcesses {
 public:
  // Opens the process at the first call; null if it may not be inspected.
  ProcessFunctions* open(uint32_t pid);
  // Replaces a module that is another name of an object (a.out, libc) by the name in the object's probes. Processes
  // that were not opened leave the description unchanged.
  ProbeDescription as_published(uint32_t pid, ProbeDescription description) const;
  // The processes that could be opened.
  std::vector<uint32_t> pids() const;
  // Later queries of `process` return the current mappings of `pid`, itself or one of its children. If `pid` has
  // exited, they return what they returned before, which still explains mistakes in descriptions.
  void refresh(uint32_t process, uint32_t pid);
  // The files of all processes in which probes were found.
  ProbedFiles& files() { return files_; }

 private:
  ProbedFiles files_;
  std::map<uint32_t, std::optional<ProcessFunctions>> processes_;
};

}  // namespace dscope
