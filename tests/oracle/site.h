// The site of a generated program: its probe, and facts about the thread that fires it.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dscope::oracle {

struct Site {
  std::string probe;             // "dtrace:::BEGIN"
  std::string guard;             // predicate of each clause; may be empty
  std::string execname;          // empty if unknown
  bool has_user_memory = false;  // arg4 points to a UserMemory in the traced process
  // Every thread fires the probe `events` times. With several threads, programs print only aggregations.
  uint32_t threads = 1, events = 1;
};

// Settings shared by all programs of a run.
struct Setting {
  std::vector<Site> sites;             // programs take them in turn
  std::vector<std::string> arguments;  // of dscope
  bool is_native = false;              // runs on the second back end, in place of the kernel
  uint32_t strsize = 256;
  bool ends_by_itself = false;  // if false, a last clause calls exit()

  const Site& site_of(size_t program) const { return sites[program % sites.size()]; }
};

// Each probe of these settings fires once, in a separate process or on one CPU, so that no clause interrupts another.
Setting random_setting(std::mt19937_64& random);
// The second back end runs BEGIN.
Setting native_setting(std::mt19937_64& random);
// Two threads fire the probe at the same time.
Setting concurrent_setting(std::mt19937_64& random);

}  // namespace dscope::oracle
