// DropReporter: finds out what was lost since the last report, per kind and, where D says so, per CPU
// (consumer-and-actions.md 2.5).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "runtime/output/consumer.h"

namespace dscope {

struct Drop {
  const char* tag;  // "DTRACEDROP_PRINCIPAL" ...
  uint64_t count;   // since the last report
  uint64_t total;   // since start; for kinds that are told per CPU, on that CPU
  std::optional<uint32_t> cpu;
  std::string text;  // "2 drops on CPU 0"
};

class DropReporter {
 public:
  // What grew since the last call, in the order in which it is told.
  std::vector<Drop> grown(const DropCounters& totals);

 private:
  DropCounters reported_;
};

// "dtrace: 2 drops on CPU 0\n", cut as the classic implementation does.
std::string drop_text(const Drop& drop, const std::string& program_name, bool shows_tag);

}  // namespace dscope
