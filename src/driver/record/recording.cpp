#include "driver/record/recording.h"

#include <time.h>

#include <algorithm>

#include "contract/tracer_identity.h"
#include "driver/run/messages.h"
#include "runtime/record/recording_consumer.h"
#include "support/print_message.h"
#include "support/read_file.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

uint64_t clock_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  constexpr uint64_t second = 1'000'000'000;
  return static_cast<uint64_t>(now.tv_sec) * second + static_cast<uint64_t>(now.tv_nsec);
}

std::vector<CapturedMount> read_mounts() {
  std::vector<CapturedMount> mounts;
  auto text = read_file("/proc/self/mounts");
  if (!text) return mounts;
  for (std::string_view line : parts_of(*text, "\n")) {
    std::vector<std::string_view> words = parts_of(line, " ");
    if (words.size() >= 3) mounts.push_back({std::string(words[0]), std::string(words[1]), std::string(words[2])});
  }
  return mounts;
}

}  // namespace

Result<> Recording::open(const Targets& targets, std::string facts_file) {
  CaptureStart start = program_.start;
  CaptureInfo& info = start.info;
  info.stack_frames = static_cast<uint32_t>(options_.number(OptionId::Stackframes));
  info.user_stack_frames = static_cast<uint32_t>(options_.number(OptionId::Ustackframes));
  info.target_pid = static_cast<uint32_t>(targets.first_pid());
  info.tracer = current_tracer();
  for (const TargetRequest& target : command_line_.targets)
    if (target.is_command && info.target_command.empty()) info.target_command = target.text;
  info.mounts = read_mounts();
  uint64_t begin = clock_ns(CLOCK_MONOTONIC);
  info.recordings.push_back({.begin = begin, .end = 0, .boot_to_wall_ns = clock_ns(CLOCK_REALTIME) - begin});
  CaptureSettings settings{
      .appends = options_.is_on(OptionId::Recordappend),
      .span_ns = static_cast<uint64_t>(std::max<int64_t>(options_.number(OptionId::Recordspan), 0)),
      .facts_file = std::move(facts_file)};
  DS_TRY(writer_, CaptureWriter::open(command_line_.record_file, std::move(start), std::move(settings)));
  return {};
}

std::unique_ptr<Consumer> Recording::wrap(const ProgramPlan& plan, std::unique_ptr<Consumer> printing,
                                          Symbolizer& symbols) {
  auto print_snapshot = [this] {
    if (!options_.is_on(OptionId::Quiet))
      print_message("{}: wrote a snapshot to {}\n", command_line_.program_name, command_line_.record_file);
  };
  return std::make_unique<RecordingConsumer>(program_.layout, plan, *writer_, symbols, std::move(printing),
                                             print_snapshot);
}

Result<> Recording::finish() {
  if (!writer_->status()) return writer_->status();
  if (!options_.is_on(OptionId::Quiet))
    print_message("{}: recorded {} events, {} bytes in {}\n", command_line_.program_name, writer_->event_count(),
                  writer_->written_bytes(), command_line_.record_file);
  return {};
}

Result<> check_snapshots(const ProgramPlan& plan, const CommandLine& command_line) {
  if (!command_line.record_file.empty()) return {};
  for (const ClausePlan& clause : plan.clauses)
    if (std::ranges::find(clause.actions, Action::Snapshot, &ActionPlan::action) != clause.actions.end())
      return fail(Error("snapshot() writes what a recording keeps, but nothing is recorded")
                      .hint("add --record=FILE, -x recordspan=30s and probe descriptions without actions"));
  return {};
}

}  // namespace dscope
