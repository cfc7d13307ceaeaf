// The run as an outline. Members are destroyed in reverse order: attachments go before the programs and maps below
// them.
#include "runtime/session/session.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <set>

#include "contract/follow.h"
#include "runtime/attach/attach.h"
#include "runtime/load/loader.h"
#include "runtime/load/task_storage.h"
#include "runtime/session/adjustment_text.h"
#include "runtime/session/aggregation_source.h"
#include "runtime/session/module_watch.h"
#include "runtime/session/session_loop.h"
#include "runtime/session/session_parts.h"
#include "runtime/targets/memory_toucher.h"

namespace dscope {
namespace {

// Option values of a rate, or of a number that may be unset.
uint64_t rate(const OptionValues& options, OptionId id) {
  return static_cast<uint64_t>(std::max<int64_t>(options.number(id), 0));
}

constexpr uint64_t shortest_status_period = 1'000'000;  // ns

class LiveSession : public Session {
 public:
  LiveSession(ProgramPlan& plan, SessionOptions options, LoadedObject loaded, StateBlock state, DropReader drops,
              RingReader ring)
      : plan_(plan),
        options_(std::move(options)),
        loaded_(std::move(loaded)),
        state_(state),
        drops_(drops),
        speculations_(SpeculationBlock::open(loaded_.maps)),
        ring_(std::move(ring)) {}

  Result<SessionResult> run(Targets& targets, Symbolizer& symbols, OutputStream& out, OutputStream& messages) override {
    DS_TRY(SignalWatch signals, SignalWatch::start());
    DS_TRY(std::unique_ptr<AggregationSource> source, make_aggregation_source(plan_, loaded_.maps));
    std::unique_ptr<Consumer> consumer = Consumer::create(plan_, consumer_settings(), *source, symbols, out, messages);
    RecordPump pump{ring_, *consumer, out};
    out.give_up_when(SignalWatch::is_impatient);

    report_adjustments(messages);
    // Nothing runs yet: the programs see that the session is starting.
    DS_TRY(attached_, AttachedPrograms::attach(loaded_.programs, cpu(), options_.progress));
    if (options_.progress != nullptr) options_.progress->clear();
    report_attachments(messages);
    touch_processes(targets);
    state_.update_clock();
    DS_TRY_VOID(fire_all(attached_.begin()));
    // From here on all probes fire, unless exit() was called in BEGIN: also for the commands that BEGIN's system()
    // runs.
    if (signals.count() == 0) state_.arm();
    pump.drain(signals);
    messages.flush();  // of faults: nothing else may happen for long
    DS_TRY_VOID(visit_all_objects(pump, signals, out));
    if (state_.activity() == DS_ACTIVITY_ACTIVE && (!has_only_iterators(plan_) || targets.has_commands())) {
      LibraryWatch libraries(options_.extends_on_load ? targets.pids() : std::vector<uint32_t>{}, watched_children(),
                             options_.extend_by_file ? LibraryWatch::Others::Files : LibraryWatch::Others::Leave);
      bool may_wait = targets.can_wait_at_loads() || plan_.options.is_on(OptionId::Rtldstop);
      bool waits = awaits_probes() && may_wait && libraries.stop_processes(true);
      targets.resume(waits ? Targets::AtLoads::WaitForUs : Targets::AtLoads::RunOn);
      DS_TRY_VOID(run_session_loop(
          {.state = state_,
           .ring = ring_,
           .pump = pump,
           .consumer = *consumer,
           .symbols = symbols,
           .out = out,
           .drops = drops_,
           .signals = signals,
           .targets = targets,
           .timers = attached_.timers(),
           .on_exec = [&](uint32_t pid) { follow(pid, options_.extend(pid), messages); },
           .libraries = libraries,
           .awaits_probes = [&] { return awaits_probes(); },
           .on_file =
               [&](const LibraryWatch::MappedFile& file, bool ran_on) {
                 if (follow(file.pid, options_.extend_by_file(file.pid, file.path), messages) && ran_on)
                   report_missed(file, messages);
               },
           .modules = options_.modules,
           .on_modules = [&](const std::vector<std::string>& names) { follow_modules(names, messages); },
           .status_period_ns = std::max(rate(plan_.options, OptionId::Statusrate), shortest_status_period)}));
    }
    return stop(targets, *consumer, pump, signals, out, messages);
  }

 private:
  ConsumerSettings consumer_settings() {
    return {.program_name = options_.program_name,
            .is_testing = options_.is_testing,
            .show_fault_lines = options_.is_verbose || ::isatty(STDERR_FILENO) == 1,
            .target_tgid = options_.target_tgid,
            .speculations = &speculations_,
            .packet_program = "tshark"};
  }

  // What cannot be followed is said once, and the run goes on. True if there are new probes.
  bool follow(uint32_t pid, Result<std::optional<Extension>> extension, OutputStream& messages) {
    auto extended = extend(pid, std::move(extension));
    auto is_gone = [&] { return ::access(fmt::format("/proc/{}/exe", pid).c_str(), F_OK) != 0; };
    if (extended || is_gone()) return extended.value_or(false);
    messages.write(fmt::format("{}: cannot trace what process {} has loaded: {}\n", options_.program_name, pid,
                               extended.error().message()));
    messages.flush();
    return false;
  }

  void report_missed(const LibraryWatch::MappedFile& file, OutputStream& messages) {
    using namespace std::chrono;
    auto age = steady_clock::now().time_since_epoch() - nanoseconds{file.time};
    messages.write(
        fmt::format("{}: process {} had mapped {} for {} ms when its probes were in place: what it did until "
                    "then is missing\n",
                    options_.program_name, file.pid, file.path, ceil<milliseconds>(age).count()));
    messages.flush();
  }

  void follow_modules(const std::vector<std::string>& names, OutputStream& messages) {
    auto extended = extend(0, options_.extend_by_modules(names));
    if (extended) return;
    messages.write(fmt::format("{}: cannot trace module {}: {}\n", options_.program_name, fmt::join(names, ", "),
                               extended.error().message()));
    messages.flush();
  }

  // `pid`: the process that has something new; 0: the kernel.
  Result<bool> extend(uint32_t pid, Result<std::optional<Extension>> found) {
    DS_TRY(std::optional<Extension> extension, std::move(found));
    if (!extension) return false;
    Extended& added =
        extended_.emplace_back(Extended{.extension = std::move(*extension), .loaded = {}, .attached = {}});
    const ProgramPlan& plan = added.extension.plan;
    DS_TRY(added.loaded, load_object(plan, added.extension.object, nullptr, &loaded_.maps));
    // Records of the new programs may come from now on.
    plan_.probes = plan.probes;
    if (pid != 0 && can_miss_pages(plan)) touch_objects(pid);
    DS_TRY(added.attached, AttachedPrograms::attach(added.loaded.programs, cpu()));
    return true;
  }

  // Only programs that can fault read memory, and those that may sleep have it brought in themselves.
  static bool can_miss_pages(const ProgramPlan& plan) {
    auto can_miss = [](const BpfProgramPlan& program) {
      return !program.may_sleep && !program.attachments.empty() &&
             !std::holds_alternative<HookTestRun>(program.attachments.front().hook);
    };
    return !plan.fault_sites.empty() && std::ranges::any_of(plan.programs, can_miss);
  }

  // Of the processes that are probed by name, and of the targets, which others probe too (system calls).
  void touch_processes(const Targets& targets) const {
    if (!can_miss_pages(plan_)) return;
    std::set<uint32_t> pids;
    for (uint32_t pid : targets.pids()) pids.insert(pid);
    for (const BpfProgramPlan& program : plan_.programs)
      for (const Attachment& attachment : program.attachments)
        if (const auto* hook = std::get_if<HookUprobe>(&attachment.hook); hook != nullptr && hook->pid != 0)
          pids.insert(hook->pid);
    for (uint32_t pid : pids) touch_objects(pid);
  }

  void report_attachments(OutputStream& messages) const {
    constexpr size_t many = 10;
    auto tell = [&](const std::string& text) { messages.write(fmt::format("{}: {}\n", options_.program_name, text)); };
    if (size_t count = attached_.left_out().size(); count != 0)
      tell(fmt::format("{} probe{} left out: the kernel cannot probe {} instruction{}: {}", count,
                       count == 1 ? " is" : "s are", count == 1 ? "its" : "their", count == 1 ? "" : "s",
                       names_of(attached_.left_out())));
    if (size_t count = loaded_.left_out + attached_.left_out_functions(); count != 0)
      tell(fmt::format("{} probe{} left out: the kernel cannot probe {} function{}", count,
                       count == 1 ? " is" : "s are", count == 1 ? "its" : "their", count == 1 ? "" : "s"));
    if (size_t count = attached_.one_by_one(); count > many)
      tell(
          fmt::format("{} probes of processes are attached one by one: this kernel has no uprobe.multi (Linux 6.6) and "
                      "takes about {} s to take them away",
                      count, count / 10));
  }

  // Some of them, where there are many.
  std::string names_of(const std::vector<uint32_t>& rows) const {
    constexpr size_t few = 4;
    std::vector<std::string> names;
    for (uint32_t row : rows) {
      if (row >= plan_.probes.size()) continue;
      const ProbePlan& probe = plan_.probes[row];
      std::string name = fmt::format("{}:{}:{}", probe.module, probe.function, probe.name);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
      if (names.size() > few) break;
    }
    if (names.size() > few) names.back() = "...";
    return fmt::format("{}", fmt::join(names, " "));
  }

  void report_adjustments(OutputStream& messages) const {
    const OptionValues& options = plan_.options;
    if (options_.is_testing || options.is_on(OptionId::Quietresize)) return;
    auto tell = [&](const std::string& text) { messages.write(fmt::format("{}: {}\n", options_.program_name, text)); };
    std::vector<CreatedMap> created;
    for (const MapPlan& map : plan_.maps) created.push_back({&map, loaded_.maps.at(map.name).max_entries()});
    for (const std::string& text : lowered_sizes(options, created)) tell(text);
    if (uint64_t period = rate(options, OptionId::Statusrate); period > 0 && period < shortest_status_period)
      tell(reduced_text("status rate", shortest_status_period));
  }

  bool awaits_probes() const { return options_.awaits_probes && options_.awaits_probes(); }

  LibraryWatch::Children watched_children() const {
    if (!follows_forks(plan_.options)) return LibraryWatch::Children::Leave;
    return follows_execs(plan_.options) ? LibraryWatch::Children::Always : LibraryWatch::Children::UntilExec;
  }

  int cpu() const { return static_cast<int>(plan_.options.number(OptionId::Cpu)); }

  static Result<> fire_all(const std::vector<FiredProgram>& programs) {
    for (const FiredProgram& program : programs) DS_TRY_VOID(fire(program));
    return {};
  }

  // What the kernel has at this moment, in front of all that happens from here on.
  Result<> visit_all_objects(RecordPump& pump, const SignalWatch& signals, const OutputStream& out) {
    auto goes_on = [&] {
      pump.drain(signals);
      return state_.activity() == DS_ACTIVITY_ACTIVE && signals.count() == 0 && out.error() == 0;
    };
    size_t at_once = objects_at_once(plan_, ring_.size());
    for (const AttachedIterator& iterator : attached_.iterators()) {
      if (!goes_on()) break;
      DS_TRY_VOID(visit_objects(iterator, at_once, goes_on));
    }
    return {};
  }

  // Everything from the decision to end on: END is the last probe that fires, and its records come last.
  Result<SessionResult> stop(Targets& targets, Consumer& consumer, RecordPump& pump, const SignalWatch& signals,
                             OutputStream& out, OutputStream& messages) {
    targets.stop_following();
    if (signals.count() > 0) consumer.interrupted();
    state_.set_activity(DS_ACTIVITY_DRAINING);
    if (out.error() == 0) {
      pump.drain(signals);  // makes room for END
      DS_TRY_VOID(fire_all(attached_.end()));
      pump.drain(signals);
    }
    state_.set_activity(DS_ACTIVITY_STOPPED);
    attached_.detach();
    for (Extended& extended : extended_) extended.attached.detach();
    if (signals.count() < 2) {
      DS_TRY(DropCounters counters, drops_.read());
      consumer.report_drops(counters);
    }
    consumer.finish(signals.count() < 2);
    out.flush();
    messages.flush();
    return verdict(consumer, out);
  }

  // A closed pipe (`dscope ... | head`) is no trouble worth a message, nor is what the user does not wait for.
  static Result<SessionResult> verdict(const Consumer& consumer, const OutputStream& out) {
    if (out.error() == EPIPE) return SessionResult{.exit_status = 1};
    if (out.error() != 0 && out.error() != EINTR)
      return fail(Error::from_errno(out.error(), "cannot write the output"));
    return SessionResult{.exit_status = consumer.exit_status().value_or(0)};
  }

  ProgramPlan& plan_;
  SessionOptions options_;
  LoadedObject loaded_;
  StateBlock state_;
  DropReader drops_;
  SpeculationBlock speculations_;
  RingReader ring_;
  AttachedPrograms attached_;
  // A program that a target executed, as far as it is probed. Attachments go first.
  struct Extended {
    Extension extension;
    LoadedObject loaded;
    AttachedPrograms attached;
  };
  std::deque<Extended> extended_;
};

// Programs, maps and, per attachment, a link, with perf events one of each per CPU.
void make_room_for_descriptors(const ProgramPlan& plan) {
  uint64_t needed = 128 + plan.maps.size();
  auto cpus = static_cast<uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_CONF)));
  for (const BpfProgramPlan& program : plan.programs)
    needed += 1 + program.attachments.size() * (program.context == BpfContext::PerfEvent ? 2 * cpus : 2);
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= needed) return;
  limit.rlim_cur = std::min<rlim_t>(needed, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Kernels before 5.11 count the memory of maps against this limit. Who may not raise it gets what is allowed.
void limit_locked_memory(const OptionValues& options) {
  int64_t wanted = options.number(OptionId::Lockmem);
  rlimit before{};
  if (wanted < 0 || ::getrlimit(RLIMIT_MEMLOCK, &before) < 0) return;
  bool is_unlimited = wanted == std::numeric_limits<int64_t>::max();
  rlim_t most = is_unlimited ? RLIM_INFINITY : static_cast<rlim_t>(wanted);
  rlimit limit{.rlim_cur = most, .rlim_max = std::max(most, before.rlim_max)};
  if (::setrlimit(RLIMIT_MEMLOCK, &limit) == 0) return;
  before.rlim_cur = before.rlim_max;
  ::setrlimit(RLIMIT_MEMLOCK, &before);
}

// "Operation not permitted" alone helps nobody.
Error explained(Error error) {
  if (error.error_number() != EPERM || !error.hint_text().empty()) return error;
  return std::move(error).hint(why_not_privileged());
}

}  // namespace

Result<std::unique_ptr<Session>> Session::load(ProgramPlan& plan, const BpfObject& object, SessionOptions options) {
  make_room_for_descriptors(plan);
  limit_locked_memory(plan.options);
  auto loading = load_object(plan, object, options.progress);
  if (!loading) return fail(explained(std::move(loading).error()));
  LoadedObject loaded = std::move(*loading);
  if (auto storage = loaded.maps.find("ds_task"); storage != loaded.maps.end()) prepare_task_storage(storage->second);
  DS_TRY(StateBlock state, StateBlock::open(loaded.maps));
  DS_TRY(DropReader drops, DropReader::open(loaded.maps));
  auto ring_map = loaded.maps.find("ds_ring");
  if (ring_map == loaded.maps.end() || ring_map->second.kind() != MapKind::RingBuffer)
    return fail(Error::make("the plan has no ring buffer"));
  DS_TRY(RingReader ring, RingReader::open(ring_map->second));
  return std::make_unique<LiveSession>(plan, std::move(options), std::move(loaded), state, drops, std::move(ring));
}

}  // namespace dscope
