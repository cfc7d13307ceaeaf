// RunRecorder: sends what a consumer prints to a RunSink, as plain data for pictures: rows, faults, drops, and several
// times a second the elements of aggregations that have changed.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/actions/actions.h"
#include "runtime/aggregations/aggregation_totals.h"
#include "runtime/output/drop_reporter.h"
#include "runtime/output/picture_settings.h"
#include "runtime/output/record_decoder.h"

namespace dscope {

class RunRecorder : public AggregationObserver {
 public:
  // The references outlive the recorder, which becomes the observer of `aggregations`. `settings.sink` is not null.
  RunRecorder(const ProgramPlan& plan, const ValuePrinter& values, AggregationSet& aggregations,
              PictureSettings settings);

  // `text`: what the clause has printed, without the prefix and the end of the row.
  void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record,
           std::string_view text);
  // `text`: the line of the message.
  void fault(const ds_fault_record& fault, std::string_view text);
  void drops(const std::vector<Drop>& drops);
  // Sends an update if one is due; call often.
  void poll();
  // When poll() must be called at the latest, because the kernel's table of an aggregation fills quickly.
  std::chrono::steady_clock::time_point due() const;
  // Sends the last update and the end.
  void finish(int exit_status);

  void on_printed(uint32_t id) override { totals_[id].on_printed(); }
  void before_reset(uint32_t id, const std::vector<AggregationEntry>& entries) override;

 private:
  using Clock = std::chrono::steady_clock;

  void collect(uint32_t id, const std::vector<AggregationEntry>& entries, uint64_t normal,
               const std::vector<int64_t>& removed = {});
  void append_change(uint32_t id, const AggregationTotals::Change& change, uint64_t normal);
  void collect_all();
  void expire(uint32_t id);
  void note_call(Clock::time_point now);
  void choose_period(Clock::duration elapsed);
  void name_by_clauses(RunCost& cost) const;
  void send();
  std::vector<PictureFrame> stack_of(const PreparedClause& clause, const std::byte* record) const;
  std::vector<PictureFrame> frames_of(const Field& field, const std::byte* base) const;
  std::vector<PictureKey> keys_of(const AggregationPlan& plan, const std::byte* key) const;

  const ProgramPlan& plan_;
  ValuePrinter values_;
  AggregationSet& aggregations_;
  PictureSettings settings_;
  std::vector<AggregationTotals> totals_;  // by aggregation
  RunUpdate update_;                       // what has happened since the last one
  size_t sent_probes_;                     // how many of the plan's probes the sink knows
  Clock::time_point due_, last_poll_;
  // The time between two snapshots of a table that fills quickly; nothing: none does.
  std::optional<std::chrono::nanoseconds> fill_period_;
  uint64_t collections_ = 0;  // calls of collect_all()
  // The times of some of them, the oldest first, for option metricidle.
  struct Call {
    Clock::time_point time;
    uint64_t number;
  };
  std::deque<Call> calls_;
};

}  // namespace dscope
