// Which probes begin and end an interval of a thread: entry and return of a function, NAME-start and NAME-done,
// NAME-begin and NAME-end, begin and end. start and done without a name are no pair: io:::done fires in any thread.
// And which clauses: those that store `timestamp` in a thread-local variable, and those that clear it.
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

// The pairs of probes, and the pairs of clauses that set and clear a thread-local variable.
class ProbePairs {
 public:
  explicit ProbePairs(const std::vector<PictureInterval>& intervals = {});
  void add(const std::vector<PictureProbe>& probes);
  // By the index of RunStart::probes. Its role is None as long as the other probe of the pair is unknown.
  PairedProbe at(uint32_t probe) const;
  // The intervals that end, then those that begin with rows of the clause.
  const std::vector<PairedProbe>& of_clause(uint32_t clause) const;

 private:
  struct Ends {
    uint32_t number = 0;
    bool has_begin = false, has_end = false;
  };
  // Provider, module, function, and name without its end.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  std::map<Key, Ends> pairs_;
  std::map<uint32_t, std::vector<PairedProbe>> clauses_;
  std::vector<PairedProbe> probes_;
  std::vector<const Ends*> ends_;  // of each probe; null: none
};

}  // namespace dscope
