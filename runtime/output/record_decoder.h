// RecordDecoder: decodes ring records into rows and faults. Checks each record against the layout of its clause and
// holds speculative records until they are committed. A RowWriter formats the rows.
#pragma once

#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "runtime/actions/actions.h"
#include "runtime/output/consumer.h"
#include "runtime/output/speculation_buffers.h"

namespace dscope {

// Records come from outside this process: an invalid CPU number must not size a table.
constexpr uint32_t max_record_cpus = 65536;

// False for statements in a branch of if/else or ?: that was not taken. `ran_offset` comes from the statement's plan;
// 0: the statement always runs.
inline bool has_run(uint32_t ran_offset, const std::byte* record) {
  return ran_offset == 0 || record[ran_offset] != std::byte{0};
}

// A clause prepared for decoding: runners, formats bound to fields, the minimum size of a record in bytes.
struct PreparedAction {
  const ActionPlan* plan;
  RunAction run;
  std::optional<PreparedFormat> format;

  bool has_run(const std::byte* record) const { return dscope::has_run(plan->ran_offset, record); }
  RecordedAction call(const std::byte* record) const { return {*plan, format ? &*format : nullptr, record}; }
};
struct PreparedClause {
  const ClausePlan* plan;
  size_t record_size = 0;
  std::vector<PreparedAction> actions;
};

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  // `record` holds the whole layout of `clause`; `header.probe_row` exists.
  virtual void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) = 0;
  virtual void fault(const ds_fault_record& fault) = 0;
};

class RecordDecoder {
 public:
  // The references must outlive the decoder; `speculations` is null if the program has none.
  RecordDecoder(const ProgramPlan& plan, SpeculationTable* speculations, RowWriter& writer);

  void record(std::span<const std::byte> bytes) {
    ds_record_header header;
    if (bytes.size() >= sizeof header) {
      std::memcpy(&header, bytes.data(), sizeof header);
      if (header.speculation == 0 && has_valid_layout(header, bytes.size()))
        return writer_.row(clauses_[header.clause], header, bytes.data());
    }
    other_record(bytes);
  }
  // Number of records that did not fit their layout and were skipped.
  uint64_t damaged_records() const { return damaged_records_; }

 private:
  // Faults, speculative and damaged records.
  void other_record(std::span<const std::byte> bytes);
  PreparedClause prepare(const ClausePlan& clause) const;
  void fault(std::span<const std::byte> bytes);
  void end_speculation(const ds_record_header& header);
  bool has_valid_layout(const ds_record_header& header, size_t size) const {
    return header.clause < clauses_.size() && header.probe_row < plan_.probes.size() &&
           size >= clauses_[header.clause].record_size;
  }

  const ProgramPlan& plan_;
  SpeculationTable* speculation_table_;
  RowWriter& writer_;
  std::vector<PreparedClause> clauses_;
  SpeculationBuffers speculations_;
  uint64_t damaged_records_ = 0;
};

}  // namespace dscope
