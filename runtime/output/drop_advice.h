// DropAdvice: names settings that would have avoided the drops of a run, for people. In: each report of drops, and the
// records in between. Out: one hint for each kind of drop, at the end of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/option_values.h"
#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "runtime/output/drop_reporter.h"

namespace dscope {

class DropAdvice {
 public:
  // `plan` and `options` must outlive the advice. `options` are the current ones, which setopt() changes.
  DropAdvice(const ProgramPlan& plan, const OptionValues& options);

  // `record` starts with a ds_record_header.
  void count_record(std::span<const std::byte> record) {
    ++records_;
    bytes_ += record.size();
    ds_record_header header;
    if (record.size() < sizeof header) return;
    std::memcpy(&header, record.data(), sizeof header);
    if (header.speculation != 0) count_speculative(header);
  }
  // Ends a period: `drops` and the records since the last call belong together.
  void add(const std::vector<Drop>& drops, size_t cpu_count);
  // The hints, in the order in which the kinds are reported first.
  std::vector<std::string> hints() const;

 private:
  void count_speculative(const ds_record_header& header);

  struct Kind {
    std::string_view tag;
    uint64_t count;  // since the start, on all CPUs
  };

  std::string hint(const Kind& kind) const;
  std::string buffer_hint() const;
  std::string aggregation_hint(uint64_t drops) const;
  std::string variable_hint(uint64_t drops) const;
  std::string speculation_hint(uint64_t drops) const;
  uint64_t size_of(OptionId option) const;
  // The text of `bytes` rounded up to a power of two above the option's current size: "64m".
  std::string larger_size(OptionId option, uint64_t bytes) const;
  // Bytes of a record as specsize counts them; 0 if unknown.
  uint64_t speculative_record_size() const;

  const ProgramPlan* plan_;
  const OptionValues* options_;
  uint64_t max_record_size_ = 0;       // bytes of the largest record of the program
  uint64_t max_speculative_size_ = 0;  // of the speculative records that arrived, as specsize counts them
  uint64_t records_ = 0, bytes_ = 0;   // of this period
  uint64_t lost_bytes_ = 0;            // in this period and those before it, back to the last one without drops
  uint64_t max_lost_bytes_ = 0;
  size_t cpu_count_ = 1;
  std::vector<Kind> kinds_;  // in the order in which they were reported first
};

}  // namespace dscope
