#include "runtime/replay/replay_session.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <functional>

#include "contract/record_format.h"
#include "runtime/format/guarded_symbolizer.h"
#include "runtime/output/wall_clock.h"
#include "runtime/replay/native_aggregations.h"
#include "runtime/replay/own_stack.h"
#include "runtime/session/session_messages.h"
#include "runtime/session/settings_for_consumer.h"
#include "runtime/session/signal_watch.h"
#include "support/catch_exceptions.h"

namespace dscope {

namespace {

using std::chrono::nanoseconds;

constexpr std::string_view hook_prefix = "recorded:";

// Records wait for each other as long as in a run on the kernel, whose consumer reads the ring 20 to 100 times a
// second: indentation by flow starts afresh with each pass.
constexpr uint64_t max_wait_ns = 10'000'000;
constexpr uint32_t firings_per_check = 1024;  // of signals and of pictures

class Speculations : public SpeculationTable {
 public:
  explicit Speculations(NativeMap* map) : map_(map) {}
  void release(uint32_t id) override {
    uint32_t index = id - 1;
    auto* entry = map_ == nullptr || id == 0 ? nullptr : reinterpret_cast<ds_speculation*>(map_->find(&index));
    if (entry != nullptr && entry->state == DS_SPECULATION_COMMITTED) entry->state = DS_SPECULATION_FREE;
  }

 private:
  NativeMap* map_;
};

// Actions whose effect depends on what the programs have done until now.
bool is_prompt(const ClausePlan& clause) {
  return std::ranges::any_of(clause.actions, [](const ActionPlan& action) {
    return !action.aggregations.empty() || action.action == Action::Setopt || action.action == Action::Exit;
  });
}

struct Timer {
  ReplayProgram program;
  uint64_t period_ns = 0, due = 0;
};

class Replay {
 public:
  Replay(const ReplayInput& input, AggregationSource& source, Symbolizer& symbols, OutputStream& out,
         OutputStream& messages, SessionMessages& reports, SignalWatch& signals)
      : input_(input),
        machine_(input.machine),
        out_(out),
        reports_(reports),
        signals_(signals),
        speculations_(machine_.find_map("ds_speculations")),
        consumer_(Consumer::create(input.plan, settings(), source, symbols, out, messages)) {
    for (const ClausePlan& clause : input.plan.clauses) is_prompt_.push_back(is_prompt(clause));
    state_ = reinterpret_cast<ds_state*>(machine_.find_map("ds_state")->elements().data());
    collect_timers();
    begin_recording(0);
  }

  Result<SessionResult> run() {
    fire_all(HookTestRun::Role::Begin);
    drain();
    reports_.flush();
    if (state_->activity == DS_ACTIVITY_STARTING) state_->activity = DS_ACTIVITY_ACTIVE;
    Result<> traced = catch_exceptions([&]() -> Result<> {
      fire_recorded();
      return {};
    });
    stop();
    print_last();
    if (!traced) return fail(std::move(traced).error());
    if (out_.error() == EPIPE) return SessionResult{.exit_status = 1};
    if (out_.error() != 0 && out_.error() != EINTR)
      return fail(Error::from_errno(out_.error(), "cannot write the output"));
    return SessionResult{.exit_status = consumer_->exit_status().value_or(0)};
  }

 private:
  ConsumerSettings settings() {
    recorded_wall_clock_ns = static_cast<int64_t>(clocks().begin + clocks().boot_to_wall_ns);
    ConsumerSettings settings = settings_for_consumer(input_.options);
    settings.speculations = &speculations_;
    if (settings.pictures.sink == nullptr) return settings;
    // A long recording has as many updates as a picture shows.
    constexpr uint64_t max_updates = 600;
    uint64_t span = 0;
    for (const CapturedClocks& each : input_.recordings) span += length_of(each);
    nanoseconds period = std::max<nanoseconds>(settings.pictures.min_period, nanoseconds{span / max_updates});
    settings.pictures.min_period = std::chrono::ceil<std::chrono::milliseconds>(period);
    picture_period_ns_ = static_cast<uint64_t>(period.count());
    return settings;
  }

  void collect_timers() {
    for (size_t i = 0; i < input_.plan.programs.size(); ++i)
      for (const Attachment& attachment : input_.plan.programs[i].attachments)
        if (const auto* timer = std::get_if<HookTimer>(&attachment.hook))
          timers_.push_back({.program = {input_.programs[i], attachment.cookie},
                             .period_ns = std::max<uint64_t>(timer->period_ns, 1)});
  }

  const CapturedClocks& clocks() const { return input_.recordings[recording_]; }
  static uint64_t length_of(const CapturedClocks& clocks) {
    return clocks.end > clocks.begin ? clocks.end - clocks.begin : 0;
  }

  // Between recordings no time passes: clocks and ticks start at the begin of the next one.
  void begin_recording(size_t recording) {
    recording_ = recording;
    state_->boot_to_wall_ns = clocks().boot_to_wall_ns;
    time_ = first_record_ = 0;
    set_time(clocks().begin);
    end_ = end_of_duration();
    for (Timer& timer : timers_) timer.due = clocks().begin + timer.period_ns;
    if (picture_period_ns_ != 0) next_update_ = clocks().begin;
  }

  // Ends recordings until `recording` is the current one. False if the run ends before.
  bool enter(size_t recording) {
    while (recording_ < recording && recording_ + 1 < input_.recordings.size()) {
      if (!timers_.empty() && clocks().end != 0) fire_ticks(std::min(end_, clocks().end));
      drain();
      played_ns_ += length_of(clocks());
      bool is_over = clocks().end >= end_ || !is_active() || signals_.count() != 0;
      if (is_over) return false;
      begin_recording(recording_ + 1);
    }
    return true;
  }

  bool is_active() const { return state_->activity == DS_ACTIVITY_ACTIVE && out_.error() == 0; }

  void set_time(uint64_t time) {
    time_ = std::max(time_, time);
    recorded_wall_clock_ns = static_cast<int64_t>(time_ + clocks().boot_to_wall_ns);
  }

  // A firing that was not recorded, by the tracer's thread.
  void fire_own(const ReplayProgram& program, uint64_t time) {
    set_time(time);
    const Firing firing{.time = time_, .thread = &input_.tracer, .thread_key = UINT64_MAX};
    machine_.set_firing(firing);
    machine_.run(program.code, program.cookie);
  }

  void fire_all(HookTestRun::Role role) {
    for (size_t i = 0; i < input_.plan.programs.size(); ++i)
      for (const Attachment& attachment : input_.plan.programs[i].attachments)
        if (const auto* hook = std::get_if<HookTestRun>(&attachment.hook); hook != nullptr && hook->role == role)
          fire_own({input_.programs[i], attachment.cookie}, time_);
  }

  // Ticks follow recorded time. Each sees what was recorded before it, and its records are printed at once.
  void fire_ticks(uint64_t until) {
    // Times of a damaged file may be anything.
    if (clocks().end != 0) until = std::min(until, clocks().end);
    while (is_active() && signals_.count() == 0) {
      auto next = std::ranges::min_element(timers_, {}, &Timer::due);
      if (next == timers_.end() || next->due > until) return;
      drain();
      fire_own(next->program, next->due);
      next->due += next->period_ns;
      drain();
    }
  }

  // Option duration, which counts the time of all recordings.
  uint64_t end_of_duration() const {
    int64_t duration = input_.plan.options.number(OptionId::Duration);
    if (duration < 0) return UINT64_MAX;
    return clocks().begin + static_cast<uint64_t>(duration) - std::min(static_cast<uint64_t>(duration), played_ns_);
  }

  void fire_recorded() {
    Firing firing;
    uint32_t probe = 0, until_check = firings_per_check;
    while (is_active() && input_.firings.next(firing, probe)) {
      if (firing.recording != recording_ && !enter(firing.recording)) return;
      if (firing.time >= end_) break;
      if (firing.time >= next_update_) update_pictures(firing.time);
      if (!timers_.empty()) fire_ticks(firing.time);
      if (probe < input_.programs_of_probe.size()) fire(firing, input_.programs_of_probe[probe]);
      if (--until_check != 0) continue;
      until_check = firings_per_check;
      if (signals_.count() > 0) return;
    }
    // Recordings without events have ticks, too.
    if (is_active() && signals_.count() == 0 && enter(input_.recordings.size() - 1) && !timers_.empty() &&
        clocks().end != 0)
      fire_ticks(std::min(end_, clocks().end));
  }

  // Pictures show what has happened before `time`.
  void update_pictures(uint64_t time) {
    set_time(next_update_);
    drain();
    consumer_->update_pictures();
    next_update_ = time + picture_period_ns_;
  }

  void fire(const Firing& firing, const std::vector<ReplayProgram>& programs) {
    set_time(firing.time);
    if (!machine_.ring().is_empty() && time_ - first_record_ > max_wait_ns) drain();
    machine_.set_firing(firing);
    bool was_empty = machine_.ring().is_empty();
    for (const ReplayProgram& program : programs) machine_.run(program.code, program.cookie);
    if (machine_.ring().is_empty()) return;
    if (was_empty) first_record_ = firing.time;
    if (has_prompt_record() || machine_.ring().is_filling()) drain();
  }

  bool has_prompt_record() {
    return machine_.ring().has_new([&](std::span<const std::byte> record) {
      const auto& header = *reinterpret_cast<const ds_record_header*>(record.data());
      return header.clause < is_prompt_.size() && is_prompt_[header.clause];
    });
  }

  void drain() {
    if (machine_.ring().is_empty()) return;
    consumer_->begin_pass();
    machine_.ring().consume([&](std::span<const std::byte> record) {
      auto printed = catch_exceptions([&]() -> Result<> {
        consumer_->record(record);
        return {};
      });
      if (!printed) reports_.report_failed_record(printed.error());
    });
    out_.flush();
  }

  void stop() {
    if (signals_.count() > 0) consumer_->interrupted();
    drain();
    if (signals_.count() == 0 && state_->activity == DS_ACTIVITY_ACTIVE) set_time(std::min(clocks().end, end_));
    state_->activity = DS_ACTIVITY_DRAINING;
    if (out_.error() == 0) {
      fire_all(HookTestRun::Role::End);
      drain();
    }
    state_->activity = DS_ACTIVITY_STOPPED;
  }

  void print_last() {
    uint32_t key = 0;
    DropCounters counters(machine_.cpu_count());
    NativeMap& map = *machine_.find_map("ds_counters");
    for (uint32_t cpu = 0; cpu < counters.size(); ++cpu)
      if (const std::byte* values = map.lookup(&key, cpu)) std::memcpy(&counters[cpu], values, sizeof(ds_counters));
    consumer_->report_drops(counters);
    consumer_->finish(out_.error() == 0);
    out_.flush();
    reports_.report_failed_records();
    reports_.flush();
  }

  const ReplayInput& input_;
  NativeMachine& machine_;
  OutputStream& out_;
  SessionMessages& reports_;
  SignalWatch& signals_;
  Speculations speculations_;
  size_t recording_ = 0;                                       // index into ReplayInput::recordings
  uint64_t picture_period_ns_ = 0, next_update_ = UINT64_MAX;  // UINT64_MAX: no pictures
  std::unique_ptr<Consumer> consumer_;                         // after what its settings come from
  std::vector<bool> is_prompt_;                                // by clause
  std::vector<Timer> timers_;
  ds_state* state_ = nullptr;
  uint64_t played_ns_ = 0;     // the length of the recordings before
  uint64_t end_ = UINT64_MAX;  // of option duration, on the clock of the recording
  uint64_t time_ = 0;          // of the latest firing
  uint64_t first_record_ = 0;  // time of the oldest record in the ring
};

}  // namespace

Result<SessionResult> run_replay(const ReplayInput& input, Symbolizer& lookups, OutputStream& out,
                                 OutputStream& messages) {
  SessionMessages reports{input.options.program_name, messages};
  GuardedSymbolizer symbols{lookups,
                            [&](uint32_t pid, const Error& error) { reports.report_failed_symbols(pid, error); }};
  DS_TRY(SignalWatch signals, SignalWatch::start());
  DS_TRY(std::unique_ptr<AggregationSource> source, make_native_aggregation_source(input.plan, input.machine));
  out.abort_writes_if(SignalWatch::has_repeated_signal);
  return run_on_stack(input.machine.stack(), [&]() -> Result<SessionResult> {
    return catch_exceptions([&] { return Replay(input, *source, symbols, out, messages, reports, signals).run(); });
  });
}

std::string replay_hook_name(uint32_t probe) { return std::string(hook_prefix) + std::to_string(probe); }

std::optional<uint32_t> probe_of_replay_hook(const std::string& name) {
  if (!name.starts_with(hook_prefix)) return std::nullopt;
  uint32_t probe = 0;
  const char* end = name.data() + name.size();
  auto [stop, problem] = std::from_chars(name.data() + hook_prefix.size(), end, probe);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return probe;
}

}  // namespace dscope
