// DropReporter: computes the drops since the last report, per kind and for some kinds per CPU
// (consumer-and-actions.md 2.5).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "runtime/output/consumer.h"

namespace dscope {

struct Drop {
  const char* tag;              // "DTRACEDROP_PRINCIPAL" ...
  uint64_t count;               // since the last report
  uint64_t total;               // since the start; on `cpu` if that is set, else on all CPUs
  std::optional<uint32_t> cpu;  // kinds that are reported per CPU
  std::string text;             // "2 drops on CPU 0"
};

class DropReporter {
 public:
  // The kinds of drops that grew since the last call, in the order in which they are reported.
  std::vector<Drop> new_drops(const DropCounters& totals);

 private:
  DropCounters reported_;
};

// "dtrace: 2 drops on CPU 0\n", cut to 79 characters as the classic implementation does. `show_tag`: option droptags.
std::string drop_text(const Drop& drop, const std::string& program_name, bool show_tag);

}  // namespace dscope
