// The consumer of a recording run: writes the events of recording clauses to a capture, and hands all other records to
// the consumer that prints.
#pragma once

#include <functional>
#include <memory>

#include "capture/capture_writer.h"
#include "runtime/output/consumer.h"
#include "runtime/record/event_recorder.h"
#include "runtime/record/recording_layout.h"
#include "runtime/record/snapshot_signal.h"

namespace dscope {

class RecordingConsumer final : public Consumer {
 public:
  // The references must outlive the consumer. `on_snapshot` is called after each snapshot.
  RecordingConsumer(const RecordingLayout& layout, const ProgramPlan& plan, CaptureWriter& writer, Symbolizer& symbols,
                    std::unique_ptr<Consumer> printing, std::function<void()> on_snapshot);

  void begin_pass() override { printing_->begin_pass(); }
  void record(std::span<const std::byte> bytes) override;
  void report_drops(const DropCounters& totals) override;
  void update_pictures() override;
  void interrupted() override { printing_->interrupted(); }
  void finish(bool print_aggregations) override;
  std::optional<int> exit_status() const override { return printing_->exit_status(); }
  const OptionValues& options() const override { return printing_->options(); }

 private:
  bool is_snapshot(std::span<const std::byte> record) const;
  void write_snapshot();

  const RecordingLayout& layout_;
  CaptureWriter& writer_;
  EventRecorder events_;
  std::unique_ptr<Consumer> printing_;
  std::function<void()> on_snapshot_;
  SnapshotSignal signal_;
};

}  // namespace dscope
