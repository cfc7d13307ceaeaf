// Where a generated program runs: its probe, and what is known about the thread that fires it.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dscope::oracle {

struct Site {
  std::string probe;     // "dtrace:::BEGIN"
  std::string guard;     // predicate of each clause; may be empty
  std::string execname;  // empty if it is not known
};

// What all programs of a run share.
struct Setting {
  std::vector<Site> sites;             // programs take them in turn
  std::vector<std::string> arguments;  // of dscope
  uint32_t strsize = 256;
  bool ends_by_itself = false;  // else the clauses are followed by one that calls exit()

  const Site& site_of(size_t program) const { return sites[program % sites.size()]; }
};

// Every probe of these fires once, in a process of its own or on one CPU, so that no clause interrupts another.
Setting random_setting(std::mt19937_64& random);

}  // namespace dscope::oracle
