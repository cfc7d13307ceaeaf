// RowHistory: keeps rows until the end of the run, for the buffer policies fill and ring (consumer-and-actions.md 2.4).
// Keeps as many rows per CPU as fit into the principal buffer and drops the oldest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/output/record_decoder.h"

namespace dscope {

class RowHistory final : public RowWriter {
 public:
  // Rows go to `writer` at replay(), faults at once. `bytes_per_cpu`: limit for the records of one CPU together.
  RowHistory(RowWriter& writer, uint64_t bytes_per_cpu) : writer_(writer), bytes_per_cpu_(bytes_per_cpu) {}

  void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) override;
  void fault(const ds_fault_record& fault) override { writer_.fault(fault); }
  // Passes all rows to the writer, in the order in which they were recorded, and drops them.
  void replay();

 private:
  struct KeptRow {
    uint64_t number;  // position among the rows of all CPUs
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
