#include "runtime/record/recording_consumer.h"

#include <time.h>

#include <algorithm>
#include <cstring>

namespace dscope {

namespace {

uint64_t monotonic_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr uint64_t second = 1'000'000'000;
  return static_cast<uint64_t>(now.tv_sec) * second + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

RecordingConsumer::RecordingConsumer(const RecordingLayout& layout, const ProgramPlan& plan, CaptureWriter& writer,
                                     Symbolizer& symbols, std::unique_ptr<Consumer> printing,
                                     std::function<void()> on_snapshot)
    : layout_(layout),
      writer_(writer),
      events_(layout, plan, writer, symbols),
      printing_(std::move(printing)),
      on_snapshot_(std::move(on_snapshot)) {}

void RecordingConsumer::record(std::span<const std::byte> bytes) {
  if (events_.record(bytes)) return;
  printing_->record(bytes);
  if (is_snapshot(bytes)) write_snapshot();
}

bool RecordingConsumer::is_snapshot(std::span<const std::byte> record) const {
  ds_record_header header;
  if (layout_.snapshot_clauses.empty() || record.size() < sizeof header) return false;
  std::memcpy(&header, record.data(), sizeof header);
  return std::ranges::find(layout_.snapshot_clauses, header.clause) != layout_.snapshot_clauses.end();
}

void RecordingConsumer::write_snapshot() {
  writer_.snapshot();
  on_snapshot_();
}

void RecordingConsumer::report_drops(const DropCounters& totals) {
  std::vector<uint64_t> losses;
  for (const ds_counters& counters : totals) losses.push_back(counters.record_drops);
  while (!losses.empty() && losses.back() == 0) losses.pop_back();
  writer_.set_losses(std::move(losses));
  printing_->report_drops(totals);
}

void RecordingConsumer::update_pictures() {
  printing_->update_pictures();
  if (signal_.take()) write_snapshot();
  writer_.write_if_old(monotonic_now());
}

void RecordingConsumer::finish(bool print_aggregations) {
  if (signal_.take()) write_snapshot();
  writer_.finish(monotonic_now());
  printing_->finish(print_aggregations);
}

}  // namespace dscope
