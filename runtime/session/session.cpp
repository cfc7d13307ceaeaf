// The run as an outline: load, attach, BEGIN, arm, loop, END, drain.
#include "runtime/session/session.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "contract/follow.h"
#include "runtime/attach/attach.h"
#include "runtime/format/guarded_symbolizer.h"
#include "runtime/load/loader.h"
#include "runtime/load/task_storage.h"
#include "runtime/session/clause_budget.h"
#include "runtime/session/container_maps.h"
#include "runtime/session/extension_set.h"
#include "runtime/session/handover.h"
#include "runtime/session/later_privileges.h"
#include "runtime/session/map_aggregation_source.h"
#include "runtime/session/module_watch.h"
#include "runtime/session/program_cost.h"
#include "runtime/session/record_pump.h"
#include "runtime/session/resource_limits.h"
#include "runtime/session/session_loop.h"
#include "runtime/session/session_messages.h"
#include "runtime/session/settings_for_consumer.h"
#include "runtime/session/state_block.h"
#include "support/catch_exceptions.h"

namespace dscope {
namespace {

// The collaborators of one call of Session::run().
struct Run {
  Targets& targets;
  Symbolizer& symbols;
  OutputStream& out;
  SignalWatch& signals;
  Consumer& consumer;
  RecordPump& pump;
  SessionMessages& messages;
};

Result<> fire_all(const std::vector<FiredProgram>& programs) {
  for (const FiredProgram& program : programs) DS_TRY_VOID(fire(program));
  return {};
}

// Does not report a closed pipe (`dscope ... | head`) or output that the user interrupted.
Result<SessionResult> result_of(const Consumer& consumer, const OutputStream& out) {
  if (out.error() == EPIPE) return SessionResult{.exit_status = 1};
  if (out.error() != 0 && out.error() != EINTR) return fail(Error::from_errno(out.error(), "cannot write the output"));
  return SessionResult{.exit_status = consumer.exit_status().value_or(0)};
}

class LiveSession : public Session {
 public:
  LiveSession(ProgramPlan& plan, SessionOptions options, LoadedObject loaded, StateBlock state, DropReader drops,
              RingSet ring)
      : plan_(plan),
        options_(std::move(options)),
        loaded_(std::move(loaded)),
        state_(std::move(state)),
        drops_(drops),
        speculations_(SpeculationBlock::open(loaded_.maps)),
        ring_(std::move(ring)),
        extensions_(plan, loaded_.maps, cpu()) {}

  Result<SessionResult> run(Targets& targets, Symbolizer& lookups, OutputStream& out, OutputStream& messages) override {
    SessionMessages reports{options_.program_name, messages};
    GuardedSymbolizer symbols{lookups,
                              [&](uint32_t pid, const Error& error) { reports.report_failed_symbols(pid, error); }};
    DS_TRY(SignalWatch signals, SignalWatch::start());
    DS_TRY(std::unique_ptr<AggregationSource> source, make_map_aggregation_source(plan_, loaded_.maps));
    std::unique_ptr<Consumer> consumer = Consumer::create(plan_, consumer_settings(), *source, symbols, out, messages);
    if (options_.wrap_consumer) consumer = options_.wrap_consumer(std::move(consumer), symbols);
    RecordPump pump{ring_, *consumer, out, reports};
    out.abort_writes_if(SignalWatch::has_repeated_signal);
    Run run{targets, symbols, out, signals, *consumer, pump, reports};

    ContainerMaps containers{loaded_.maps};
    if (!containers.empty())
      symbols.observe_containers(
          [&](uint64_t cgroup, std::span<const std::string_view> names) { containers.set(cgroup, names); });
    DS_TRY_VOID(attach(run));
    DS_TRY_VOID(begin(run));
    // After a failure, END still fires and the data that was traced before is printed.
    Result<> traced = catch_exceptions([&] { return trace(run); });
    Result<> stopped = catch_exceptions([&] { return stop(run); });
    Result<> printed = catch_exceptions([&] { return print_last(run); });
    for (Result<>& phase : {std::ref(traced), std::ref(stopped), std::ref(printed)})
      if (!phase) return fail(std::move(phase).error());
    return result_of(*consumer, out);
  }

 private:
  ConsumerSettings consumer_settings() {
    ConsumerSettings settings = settings_for_consumer(options_);
    settings.speculations = &speculations_;
    settings.pictures = picture_settings();
    settings.packet_program = may_start_programs() ? "tshark" : "";
    return settings;
  }

  PictureSettings picture_settings() {
    PictureSettings settings = std::move(options_.pictures);
    if (settings.sink != nullptr || plan_.options.is_set(OptionId::Cpubudget)) cost_.emplace();
    if (settings.sink == nullptr) return settings;
    settings.measure_programs = [this](RunCost& cost) {
      cost.program_cpu_ns = cost.firings = 0;
      cost_->add(loaded_.programs, cost);
      extensions_.add_cost(*cost_, cost);
      if (budget_) budget_->add_to(cost);
    };
    return settings;
  }

  // Root's programs need -w to start others, as they do for system().
  bool may_start_programs() const { return plan_.options.is_on(OptionId::Destructive) || ::geteuid() != 0; }

  // Programs check the state block and do nothing yet: the session is still starting.
  Result<> attach(Run& run) {
    if (!options_.is_testing) run.messages.report_adjustments(plan_, loaded_.maps);
    if (options_.is_verbose && !options_.is_testing) run.messages.report_memory(plan_, loaded_.maps);
    DS_TRY(attached_, AttachedPrograms::attach(loaded_.programs, cpu(), options_.progress));
    if (options_.progress != nullptr) options_.progress->clear();
    run.messages.report_attachments(plan_, loaded_, attached_);
    prefault_processes(plan_, run.targets);
    DS_TRY(unwind_tables_, ProcessTables::open(loaded_.maps));
    if (unwind_tables_)
      for (uint32_t pid : run.targets.pids()) unwind_tables_->add(pid);
    DS_TRY(stack_copies_, StackCopies::open(loaded_.maps, run.symbols));
    run.symbols.set_numbered_stacks(stack_copies_.get());
    if (plan_.options.is_set(OptionId::Cpubudget))
      budget_.emplace(loaded_.programs, attached_, plan_.options, run.messages);
    return {};
  }

  Result<> begin(Run& run) {
    state_.update_clock();
    DS_TRY_VOID(fire_all(attached_.begin()));
    // From here on all probes fire, unless BEGIN has called exit(): also for the commands that BEGIN's system() runs.
    if (run.signals.count() == 0) arm(run);
    run.pump.drain();
    run.messages.flush();  // faults of BEGIN: the next record may be far away
    if (!options_.is_served) return {};
    drop_privileges(run);
    run.consumer.update_pictures();  // clients, and the run that this one replaces, wait for the first update
    return {};
  }

  void arm(Run& run) {
    auto replaced = options_.handover.replaced_state_fd >= 0
                        ? StateBlock::of_descriptor(options_.handover.replaced_state_fd)
                        : std::nullopt;
    if (!replaced) return state_.arm();
    auto shared = loaded_.maps.find("ds_handover");
    bool is_shared = options_.handover.shared_fd >= 0 && shared != loaded_.maps.end();
    take_over(state_, *replaced, is_shared ? &shared->second : nullptr, [&] { run.pump.drain(); });
  }

  void drop_privileges(Run& run) {
    if (needs_privileges_later(plan_, options_, run.targets)) return;
    if (names_kernel_addresses(plan_)) run.symbols.kernel_symbol(0, false);  // reads the names while that is allowed
    drop_capabilities();
  }

  Result<> trace(Run& run) {
    DS_TRY_VOID(visit_all_objects(run));
    bool has_more_to_trace = !has_only_iterators(plan_) || run.targets.has_commands();
    return state_.activity() == DS_ACTIVITY_ACTIVE && has_more_to_trace ? loop(run) : Result<>{};
  }

  // Iterators report the objects that exist now, before any later event.
  Result<> visit_all_objects(Run& run) {
    auto should_continue = [&] {
      run.pump.drain();
      return state_.activity() == DS_ACTIVITY_ACTIVE && run.signals.count() == 0 && run.out.error() == 0;
    };
    size_t batch = objects_per_read(plan_, ring_.size());
    for (const AttachedIterator& iterator : attached_.iterators()) {
      if (!should_continue()) break;
      DS_TRY_VOID(visit_objects(iterator, batch, should_continue));
    }
    return {};
  }

  // Resumes the targets and runs until exit(), a signal, the end of all targets or a write error.
  Result<> loop(Run& run) {
    LibraryWatch libraries(options_.extends_on_load ? run.targets.pids() : std::vector<uint32_t>{}, watched_children(),
                           options_.extend_by_file ? LibraryWatch::Others::Files : LibraryWatch::Others::Ignore);
    bool can_stop = run.targets.can_wait_at_loads() || plan_.options.is_on(OptionId::Rtldstop);
    bool stops_at_loads = awaits_probes() && can_stop && libraries.stop_at_loads(true);
    run.targets.resume(stops_at_loads ? Targets::AtLoads::Stop : Targets::AtLoads::RunOn);
    return run_session_loop(
        {.state = state_,
         .ring = ring_,
         .pump = run.pump,
         .consumer = run.consumer,
         .symbols = run.symbols,
         .out = run.out,
         .drops = drops_,
         .signals = run.signals,
         .targets = run.targets,
         .timers = attached_.timers(),
         .on_exec = [&](uint32_t pid) { extend(pid, [&] { return options_.extend(pid); }, run.messages); },
         .libraries = libraries,
         .awaits_probes = [&] { return awaits_probes(); },
         .on_file =
             [&](const LibraryWatch::MappedFile& file, bool ran_on) {
               auto compile = [&] { return options_.extend_by_file(file.pid, file.path); };
               if (extend(file.pid, compile, run.messages) && ran_on) run.messages.report_late_probes(file);
             },
         .modules = options_.modules,
         .on_modules = [&](const std::vector<std::string>& names) { extend_by_modules(names, run.messages); },
         .unwind_tables = unwind_tables_.get(),
         .stack_copies = stack_copies_.get(),
         .budget = budget_ ? &*budget_ : nullptr,
         .status_period_ns = status_period_ns()});
  }

  // Runs END as the last probe, so that its records are the last, then detaches.
  Result<> stop(Run& run) {
    Result<> fired;
    run.targets.stop_following();
    if (run.signals.count() > 0) run.consumer.interrupted();
    state_.set_activity(DS_ACTIVITY_DRAINING);
    if (run.out.error() == 0) {
      run.pump.drain();  // makes room for the records of END
      fired = fire_all(attached_.end());
      run.pump.drain();
    }
    state_.set_activity(DS_ACTIVITY_STOPPED);
    attached_.detach();
    extensions_.detach();
    return fired;
  }

  // Reports drops and prints aggregations.
  Result<> print_last(Run& run) {
    Result<DropCounters> drops = drops_.read();
    if (drops) run.consumer.report_drops(*drops);
    run.consumer.finish(run.out.error() == 0);
    run.out.flush();
    run.messages.report_failed_records();
    if (options_.is_verbose && !options_.is_testing && unwind_tables_) run.messages.report_unwinding(*unwind_tables_);
    run.messages.flush();
    return drops ? Result<>{} : fail(std::move(drops).error());
  }

  // Adds the programs for new code of process `pid`. True if there are new probes. Reports an error, unless the process
  // has exited; the run continues.
  template <typename Compile>
  bool extend(uint32_t pid, Compile&& compile, SessionMessages& messages) {
    auto added = catch_exceptions([&] { return add_extension(pid, compile()); });
    auto has_exited = [&] { return ::access(fmt::format("/proc/{}/exe", pid).c_str(), F_OK) != 0; };
    if (!added && !has_exited()) messages.report_untraced_process(pid, added.error());
    return added.value_or(false);
  }

  void extend_by_modules(const std::vector<std::string>& names, SessionMessages& messages) {
    auto added = catch_exceptions([&] { return add_extension(0, options_.extend_by_modules(names)); });
    if (!added) messages.report_untraced_modules(names, added.error());
  }

  Result<bool> add_extension(uint32_t pid, Result<std::optional<Extension>> compiled) {
    DS_TRY(std::optional<Extension> extension, std::move(compiled));
    if (!extension) return false;
    DS_TRY_VOID(extensions_.add(pid, std::move(*extension)));
    return true;
  }

  bool awaits_probes() const { return options_.awaits_probes && options_.awaits_probes(); }

  LibraryWatch::Children watched_children() const {
    if (!follows_forks(plan_.options)) return LibraryWatch::Children::Ignore;
    return follows_execs(plan_.options) ? LibraryWatch::Children::Always : LibraryWatch::Children::UntilExec;
  }

  uint64_t status_period_ns() const {
    int64_t period = std::max<int64_t>(plan_.options.number(OptionId::Statusrate), 0);
    return std::max(static_cast<uint64_t>(period), min_status_period_ns);
  }

  int cpu() const { return static_cast<int>(plan_.options.number(OptionId::Cpu)); }

  // Destroyed in reverse order: attachments go before the programs and maps below them.
  ProgramPlan& plan_;
  SessionOptions options_;
  LoadedObject loaded_;
  StateBlock state_;
  DropReader drops_;
  SpeculationBlock speculations_;
  RingSet ring_;
  std::unique_ptr<ProcessTables> unwind_tables_;  // null: no program unwinds by tables
  std::unique_ptr<StackCopies> stack_copies_;     // null: no program copies the stacks that it cannot unwind
  AttachedPrograms attached_;
  ExtensionSet extensions_;
  std::optional<ProgramCost> cost_;     // if the run has pictures, or option cpubudget is set
  std::optional<ClauseBudget> budget_;  // with option cpubudget
};

}  // namespace

ConsumerSettings settings_for_consumer(const SessionOptions& options) {
  return {.program_name = options.program_name,
          .is_testing = options.is_testing,
          .prints_as_dtrace = options.prints_as_dtrace,
          .show_fault_lines = options.is_verbose || ::isatty(STDERR_FILENO) == 1,
          .shows_hints = options.shows_hints,
          .terminal = options.terminal,
          .fits_columns = options.fits_columns,
          .line_width = options.line_width,
          .target_tgid = options.target_tgid,
          .pictures = options.pictures};
}

namespace {

// The map that the run shares with the one that it replaces, unless the plan has no such map or it does not fit.
MapSet shared_maps(const ProgramPlan& plan, RunHandover& handover) {
  MapSet maps;
  auto wanted = std::ranges::find(plan.maps, std::string_view{"ds_handover"}, &MapPlan::name);
  if (handover.shared_fd < 0 || wanted == plan.maps.end()) return maps;
  auto map = BpfMap::open(*wanted, Fd{::fcntl(handover.shared_fd, F_DUPFD_CLOEXEC, 0)});
  if (map) maps.emplace(wanted->name, std::move(*map));
  else handover.shared_fd = -1;
  return maps;
}

// "Operation not permitted" does not say what is missing.
Error with_privilege_hint(Error error) {
  if (error.error_number() != EPERM || !error.hint_text().empty()) return error;
  return std::move(error).hint(why_not_privileged());
}

}  // namespace

Result<std::unique_ptr<Session>> Session::load(ProgramPlan& plan, const BpfObject& object, SessionOptions options) {
  raise_descriptor_limit(plan);
  set_locked_memory_limit(plan.options);
  auto loading = load_object(plan, object, options.progress, nullptr, shared_maps(plan, options.handover));
  if (!loading) return fail(with_privilege_hint(std::move(loading).error()));
  LoadedObject loaded = std::move(*loading);
  if (auto storage = loaded.maps.find("ds_task"); storage != loaded.maps.end()) prefill_task_storage(storage->second);
  DS_TRY(StateBlock state, StateBlock::open(loaded.maps));
  if (options.is_served) state.keep_overflow();
  auto shared = loaded.maps.find("ds_handover");
  if (options.handover.on_loaded)
    options.handover.on_loaded(loaded.maps.at("ds_state").fd(), shared == loaded.maps.end() ? -1 : shared->second.fd());
  DS_TRY(DropReader drops, DropReader::open(loaded.maps));
  auto ring_map = loaded.maps.find("ds_ring");
  if (ring_map == loaded.maps.end()) return fail(Error::make("the plan has no ring buffer"));
  DS_TRY(RingSet ring, RingSet::open(ring_map->second));
  return std::make_unique<LiveSession>(plan, std::move(options), std::move(loaded), state, drops, std::move(ring));
}

}  // namespace dscope
