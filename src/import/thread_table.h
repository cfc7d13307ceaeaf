// The threads of an imported file, as its records tell about them: names, processes, parents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "capture/capture_event.h"
#include "support/format.h"

namespace dscope {

class ThreadTable {
 public:
  // The thread `tid`; its process is `pid`, or unknown if that is 0: then it is assumed to be that of the same number.
  CapturedThread& at(uint32_t tid, uint32_t pid = 0) {
    auto [entry, is_new] = threads_.try_emplace(tid);
    CapturedThread& thread = entry->second;
    if (is_new) thread.tid = tid;
    if (pid != 0 || thread.pid == 0) {
      thread.pid = pid != 0 ? pid : tid;
      if (auto leader = threads_.find(thread.pid); thread.execname.empty() && leader != threads_.end())
        thread.execname = leader->second.execname;
    }
    return thread;
  }
  void set_name(uint32_t tid, std::string_view name) { at(tid).execname = name.substr(0, max_name); }
  // A new thread has the name of the one that created it; a new process has it as its parent.
  void fork(uint32_t parent_pid, uint32_t parent_tid, uint32_t pid, uint32_t tid) {
    std::string name = at(parent_tid, parent_pid).execname;
    uint32_t grandparent = at(parent_tid, parent_pid).ppid;
    CapturedThread& child = threads_[tid];
    child = {.pid = pid, .tid = tid, .ppid = pid == parent_pid ? grandparent : parent_pid};
    child.execname = std::move(name);
  }
  // The name of the process that the thread belongs to.
  std::string_view process_name(const CapturedThread& thread) const {
    auto leader = threads_.find(thread.pid);
    return leader != threads_.end() && !leader->second.execname.empty() ? leader->second.execname : thread.execname;
  }
  // The idle thread of a CPU.
  static CapturedThread idle(uint32_t cpu) { return {.execname = fmt::format("swapper/{}", cpu)}; }

 private:
  static constexpr size_t max_name = 15;  // characters of a thread's name in Linux
  std::unordered_map<uint32_t, CapturedThread> threads_;
};

}  // namespace dscope
