// RowHistory: rows that are printed at the end of the run only, as the buffer policies fill and ring have it
// (consumer-and-actions.md 2.4). Per CPU it keeps what fits into the principal buffer; what goes first to make room is
// the oldest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/output/record_decoder.h"

namespace dscope {

class RowHistory final : public RowWriter {
 public:
  // Rows go to `writer` when the run ends, faults at once. `bytes_per_cpu`: what the records of a CPU may take
  // together.
  RowHistory(RowWriter& writer, uint64_t bytes_per_cpu) : writer_(writer), bytes_per_cpu_(bytes_per_cpu) {}

  void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) override;
  void fault(const ds_fault_record& fault) override { writer_.fault(fault); }
  // Hands over all rows in the order in which they were recorded.
  void replay();

 private:
  struct KeptRow {
    uint64_t number;  // in the order of all CPUs
    const PreparedClause* clause;
    std::vector<std::byte> record;
  };
  struct CpuRows {
    std::deque<KeptRow> rows;
    uint64_t bytes = 0;
  };
  CpuRows& rows_of(uint32_t cpu);

  RowWriter& writer_;
  uint64_t bytes_per_cpu_;
  uint64_t next_number_ = 0;
  std::vector<CpuRows> cpus_;
};

}  // namespace dscope
