// Which probes begin and end an interval of a thread: entry and return of a function, NAME-start and NAME-done,
// NAME-begin and NAME-end, begin and end. start and done without a name are no pair: io:::done fires in any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pictures/run_update.h"

namespace dscope {

// "syscall:vmlinux:read:entry".
std::string probe_text(const PictureProbe& probe);

struct PairedProbe {
  enum class Role : uint8_t { None, Begin, End };

  Role role = Role::None;
  uint32_t pair = 0;        // a number that both probes of a pair have, and no others
  bool is_call = false;     // entry and return: calls may be nested in calls of the same function
  bool is_syscall = false;  // a thread is in one system call at a time
  std::string name;         // of the interval
};

class ProbePairs {
 public:
  void add(const std::vector<PictureProbe>& probes);
  // By the index of RunStart::probes. Its role is None as long as the other probe of the pair is unknown.
  PairedProbe at(uint32_t probe) const;

 private:
  struct Ends {
    uint32_t number = 0;
    bool has_begin = false, has_end = false;
  };
  // Provider, module, function, and name without its end.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  std::map<Key, Ends> pairs_;
  std::vector<PairedProbe> probes_;
  std::vector<const Ends*> ends_;  // of each probe; null: none
};

}  // namespace dscope
