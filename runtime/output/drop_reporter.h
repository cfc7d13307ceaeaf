// DropReporter: tells what was lost since the last report, per CPU and kind (consumer-and-actions.md 2.5).
#pragma once

#include <string>

#include "runtime/output/consumer.h"

namespace dscope {

class DropReporter {
 public:
  DropReporter(std::string program_name, bool shows_tags)
      : program_name_(std::move(program_name)), shows_tags_(shows_tags) {}
  void report(const DropCounters& totals, OutputStream& messages);

 private:
  void write(OutputStream& messages, const char* tag, std::string text) const;

  std::string program_name_;
  bool shows_tags_;
  DropCounters reported_;
};

}  // namespace dscope
