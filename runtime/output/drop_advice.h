// DropAdvice: names settings that would have avoided the drops of a run, for people. In: each report of drops, and the
// records in between. Out: one hint for each kind of drop, at the end of the run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/option_values.h"
#include "runtime/output/drop_reporter.h"

namespace dscope {

class DropAdvice {
 public:
  // `options` must outlive the advice. `max_record_size`: bytes of the largest record of the program.
  DropAdvice(const OptionValues& options, uint64_t max_record_size)
      : options_(&options), max_record_size_(max_record_size) {}

  void count_record(size_t bytes) {
    ++records_;
    bytes_ += bytes;
  }
  // Ends a period: `drops` and the records since the last call belong together.
  void add(const std::vector<Drop>& drops, size_t cpu_count);
  // The hints, in the order in which the kinds are reported first.
  std::vector<std::string> hints() const;

 private:
  std::string hint(std::string_view tag) const;
  std::string buffer_hint() const;
  std::string doubled(OptionId option) const;

  const OptionValues* options_;
  uint64_t max_record_size_;
  uint64_t records_ = 0, bytes_ = 0;  // of this period
  uint64_t lost_bytes_ = 0;           // in this period and those before it, back to the last one without drops
  uint64_t max_lost_bytes_ = 0;
  size_t cpu_count_ = 1;
  std::vector<std::string_view> tags_;
};

}  // namespace dscope
