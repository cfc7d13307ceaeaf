#include "driver/driver.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "codegen/core/demangle.h"
#include "codegen/core/instructions.h"
#include "codegen/core/object.h"
#include "codegen/lower/lower.h"
#include "contract/buffer_policy.h"
#include "contract/follow.h"
#include "contract/process_provider.h"
#include "contract/solaris.h"
#include "driver/command_line/command_line.h"
#include "driver/command_line/usage.h"
#include "driver/compile/compilation.h"
#include "driver/compile/library_files.h"
#include "driver/inspect/code_listing.h"
#include "driver/inspect/dump.h"
#include "driver/inspect/listing.h"
#include "driver/inspect/program_stability.h"
#include "driver/inspect/side_effects.h"
#include "driver/run/awaited_probes.h"
#include "driver/run/follower.h"
#include "driver/run/standard_streams.h"
#include "driver/usdt/usdt_build.h"
#include "frontend/advice/advice.h"
#include "runtime/format/fd_stream.h"
#include "runtime/format/fragment_stream.h"
#include "runtime/providers/live_host.h"
#include "runtime/session/module_watch.h"
#include "runtime/session/session.h"
#include "runtime/symbols/live_symbolizer.h"
#include "support/deep_stack.h"
#include "support/progress.h"
#include "support/say.h"
#include "support/spawn_signals.h"

namespace dscope {

namespace {

// NO_COLOR is what people set who want no colours anywhere.
Terminal terminal_of(int fd) {
  Terminal terminal;
  if (isatty(fd) == 0) return terminal;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
  auto setting = [](const char* name) {
    return std::string_view(std::getenv(name) != nullptr ? std::getenv(name) : "");
  };
  terminal.has_colours = setting("NO_COLOR").empty() && !setting("TERM").empty() && setting("TERM") != "dumb";
  return terminal;
}

// People who wait are told what for, except where other messages of these phases would come in between.
std::unique_ptr<Progress> make_progress(const CommandLine& command_line, const OptionValues& options) {
  const char* kind = std::getenv("TERM");
  bool can_erase = kind != nullptr && std::string_view(kind) != "dumb";
  bool is_shown = isatty(STDERR_FILENO) != 0 && can_erase && !options.is_on(OptionId::Bpflog);
  return std::make_unique<Progress>(is_shown ? STDERR_FILENO : -1, terminal_of(STDERR_FILENO).width,
                                    command_line.program_name);
}

// One line on stderr, with the hint below it where there is one.
int report(const CommandLine& command_line, const Error& error) {
  say("{}: {}\n", command_line.program_name, error.message());
  if (!error.hint_text().empty()) say("{}: {}\n", command_line.program_name, error.hint_text());
  return error.exit_status();
}

// Whether messages tell more than the classic line, which is all that programs reading them expect.
bool are_messages_full(std::string_view wanted) {
  return wanted == "full" || (wanted != "classic" && isatty(STDERR_FILENO) != 0);
}
bool are_messages_full(const OptionValues& options) { return are_messages_full(options.text(OptionId::Diagnostics)); }

// A mistake of the user's, with its hint for people only.
int report_mistake(const CommandLine& command_line, std::string_view diagnostics, const Error& error) {
  return report(command_line, are_messages_full(diagnostics) ? error : Error(error).hint(""));
}

int report_mistake(const CommandLine& command_line, const OptionValues& options, const Error& error) {
  return report_mistake(command_line, options.text(OptionId::Diagnostics), error);
}

// An option that cannot be set: which of them are known is not known yet.
int report_setting(const CommandLine& command_line, const Error& error) {
  std::string_view diagnostics;
  for (const OptionSetting& setting : command_line.settings)
    if (setting.name == "diagnostics") diagnostics = setting.value;
  return report_mistake(command_line, diagnostics, error);
}

// What option compat=solaris would add, for hints.
std::string solaris_library(const OptionValues& options) {
  if (options.text(OptionId::Compat) == "solaris") return {};
  return read_text(fmt::format("{}/solaris.d", library_directory())).value_or("");
}

int report(const CommandLine& command_line, const OptionValues& options, const Diagnostics& diagnostics) {
  bool show_tags = options.is_on(OptionId::Errtags);
  say("{}", are_messages_full(options)
                ? render_full(diagnostics, command_line.program_name, show_tags,
                              advice(diagnostics, solaris_library(options)), terminal_of(STDERR_FILENO))
                : render(diagnostics, command_line.program_name, show_tags));
  return 1;
}

void report_skipped_libraries(const CommandLine& command_line, const Compilation& compilation) {
  for (const SkippedLibrary& library : compilation.skipped_libraries)
    say("{}: library {} is left out: {}\n", command_line.program_name, library.path, library.reason);
}

bool is_testing() { return std::getenv("_DTRACE_TESTING") != nullptr; }

Result<std::unique_ptr<FdStream>> open_output(const CommandLine& command_line) {
  if (command_line.output_file) return FdStream::open_append(*command_line.output_file);
  return std::make_unique<FdStream>(STDOUT_FILENO);
}

// What -l, -ev and --dry-run print is worth an error if it gets lost; a closed pipe (`dscope -l | head`) is none.
int finish_output(const CommandLine& command_line, FdStream& out) {
  out.flush();
  if (out.error() == 0) return 0;
  if (out.error() == EPIPE) return 1;
  return report(command_line, Error::from_errno(out.error(), "cannot write the output"));
}

std::vector<ProbeDescription> descriptions_of(const ProgramUnit& unit) {
  std::vector<ProbeDescription> descriptions;
  for (const External& external : unit.externals)
    if (const auto* clause = std::get_if<Clause>(&external.form))
      for (const ProbeSpecifier& probe : clause->probes)
        descriptions.push_back({probe.id, probe.provider, probe.module, probe.function, probe.name});
  return descriptions;
}

int list_probes(const CommandLine& command_line, const OptionValues& options, const Compilation& compilation,
                Host& host, FdStream& out) {
  TypeTable types;
  bool is_solaris_mode = options.text(OptionId::Compat) == "solaris";
  Listing listing(host, types, command_line.program_name,
                  {.is_verbose = command_line.is_verbose,
                   .has_hints = are_messages_full(options),
                   .is_solaris_mode = is_solaris_mode,
                   .tells_hooks = options.is_on(OptionId::Debug),
                   .defined = compilation.meaning.providers});
  if (command_line.programs.empty()) listing.add_all();
  for (const ProgramUnit& unit : compilation.program.units) {
    if (compilation.sources.unit(unit.source).kind == UnitKind::Library) continue;
    std::vector<ProbeDescription> descriptions = descriptions_of(unit);
    for (ProbeDescription& each : descriptions) {
      each.is_solaris_mode = is_solaris_mode;
      each.is_of_listing = true;
    }
    listing.add_program(descriptions);
  }
  out.write(listing.text());
  int status = finish_output(command_line, out);
  say("{}", listing.messages());
  return status;
}

// ", and 1 description may match later": scripts that compare messages know only the classic notice.
std::string awaiting(size_t count) {
  if (count == 0 || is_testing()) return "";
  return fmt::format(", and {} description{} may match later", count, count == 1 ? "" : "s");
}

// "script 'x.d' matched 3 probes" for each program, unless quiet; with -v followed by the program's report on `out`.
void print_notices(const CommandLine& command_line, const ProgramPlan& plan, const AwaitedProbes& awaited,
                   const std::vector<std::string>& reports, FdStream& out) {
  for (size_t i = 0; i < plan.units.size(); ++i) {
    const UnitPlan& unit = plan.units[i];
    if (!plan.options.is_on(OptionId::Quiet))
      say("{}: {} '{}' matched {} probe{}{}\n", command_line.program_name, unit.is_script ? "script" : "description",
          unit.name, unit.matched, unit.matched == 1 ? "" : "s", awaiting(awaited.count_in(i)));
    if (i < reports.size()) out.write(reports[i]);
    out.flush();
  }
}

// Probes of Solaris that nothing on this machine fires: a script that counts with them prints zeros.
void say_unfired_probes(const CommandLine& command_line, const Compilation& compilation) {
  std::vector<std::string> names;
  for (const ClauseInstance& clause : compilation.meaning.clauses)
    for (const Probe* probe : clause.probes)
      if (!probe->derivations.empty() && probe->derivations.front().clause == unfired_clause)
        names.push_back(fmt::format("{}:{}:{}:{}", probe->provider, probe->module == "vmlinux" ? "" : probe->module,
                                    probe->function, probe->name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (!names.empty())
    say("{}: nothing on Linux fires these probes of Solaris: {}\n", command_line.program_name, fmt::join(names, " "));
}

// Clauses that cannot wait for their probes.
void say_left_out_clauses(const CommandLine& command_line, const Compilation& compilation) {
  for (const ClauseInstance& clause : compilation.meaning.clauses) {
    if (clause.untyped == nullptr) continue;
    SourceLocation location = compilation.sources.locate(clause.untyped->at.range.begin);
    const SourceUnit& unit = compilation.sources.unit(location.unit);
    uint32_t line = clause.untyped->at.line != 0 ? clause.untyped->at.line : location.line;
    std::string place = unit.kind == UnitKind::Script ? fmt::format("{}, line {}: ", unit.name, line) : "";
    say("{}: {}the clause for {} is left out: what types args[] has is known only once the probe is there, or from a "
        "definition of the provider; arg0, arg1 ... can be used\n",
        command_line.program_name, place, clause.description);
  }
}

// With stacks that the consumer unwinds, it keeps the elements: not where it lets go of records.
void print_unwinding_notice(const CommandLine& command_line, const ProgramPlan& plan) {
  if (plan.options.text(OptionId::Ustackunwind) != "dwarf") return;
  auto has_stack = [](const AggregationPlan& aggregation) {
    return !aggregation.is_recorded &&
           std::ranges::any_of(aggregation.keys, [](const Field& key) { return key.kind == FieldKind::UserStack; });
  };
  auto found = std::ranges::find_if(plan.aggregations, has_stack);
  if (found == plan.aggregations.end()) return;
  say("{}: ustackunwind=dwarf is not for keys of aggregations with bufpolicy={}: ustack() in @{}[] follows frame "
      "pointers\n",
      command_line.program_name, plan.options.text(OptionId::Bufpolicy), found->name == "_" ? "" : found->name);
}

struct Built {
  ProgramPlan plan;
  BpfObject object;
  LowerOptions options;
};

Result<Built> build(const Compilation& compilation, const LowerOptions& options,
                    std::optional<Effort> effort = std::nullopt) {
  DeepStack stack;
  IrModule ir = lower(compilation.sources, compilation.meaning, compilation.compiled, options);
  Built built{.plan = compilation.compiled.plan, .object = {}, .options = options};
  complete_plan(built.plan, ir);
  DS_TRY_VOID(optimize(ir, built.plan.is_cpu_v4, effort.value_or(default_effort(ir))));
  DS_TRY(built.object, emit_object(ir, built.plan.is_cpu_v4));
  return built;
}

Result<std::string> list_code(const Compilation& compilation) {
  DS_TRY(Built built, build(compilation, {}));
  return code_listing(built.plan, built.object);
}

// A program that the verifier refuses is our bug: compiled once more, with D lines, the refusal says where.
Result<std::unique_ptr<Session>> explain(const Compilation& compilation, const SessionOptions& options,
                                         Result<std::unique_ptr<Session>> refused) {
  auto described = build(compilation, {.debug_info = true}, Effort::Default);
  if (!described) return refused;
  auto again = Session::load(described->plan, described->object, options);
  // Functions of the support library have no lines, which the kernel may refuse for a reason of its own.
  bool is_other_reason = again || again.error().hint_text().find("line_info") != std::string::npos ||
                         again.error().message().find("line_info") != std::string::npos;
  return is_other_reason ? std::move(refused) : std::move(again);
}

// Errors with which the verifier refuses code, as opposed to privileges, memory or size.
bool may_be_the_verifiers(int error_number) {
  return error_number == EACCES || error_number == EINVAL || error_number == EFAULT;
}

// A kernel that refuses a direct load of a BTF pointer gets the same program with checked copies instead.
Result<std::unique_ptr<Session>> load(Built& built, const Compilation& compilation, const SessionOptions& options) {
  auto session = Session::load(built.plan, built.object, options);
  if (session || !may_be_the_verifiers(session.error().error_number())) return session;
  // Time no longer matters. Which words of the stack Linux 6.18 trips over depends on where LLVM keeps values: other
  // passes keep them elsewhere.
  for (Effort effort : {Effort::Default, Effort::Full}) {
    bool may_sleep = effort == Effort::Default;
    auto careful = build(compilation, {.trusted_loads = false, .stack_keys = false, .may_sleep = may_sleep}, effort);
    if (!careful) return session;
    // The session refers to the plan it was made with.
    built = std::move(*careful);
    auto again = Session::load(built.plan, built.object, options);
    if (!again) continue;
    if (options.progress != nullptr) options.progress->clear();
    if (options.is_verbose)
      say("{}: kernel objects are read by checked copies: the verifier refused direct loads\n", options.program_name);
    return again;
  }
  return explain(compilation, options, std::move(session));
}

// Sizes given by the user must hold at least one record, element or variable (consumer-and-actions.md 2.4, 5.10).
bool is_space_too_small(const ProgramPlan& plan) {
  auto is_below = [&](OptionId option, uint64_t needed) {
    return plan.options.number(option) >= 0 && static_cast<uint64_t>(plan.options.number(option)) < needed;
  };
  // Strings that no program can hold are cut, but need their room: who asks for it shall hear that it is not there.
  int64_t cut = std::max<int64_t>(0, plan.options.number(OptionId::Strsize) - int64_t{TypeTable::max_strsize});
  auto asked_for = [&](uint64_t size) {
    return size > TypeTable::max_strsize ? size + static_cast<uint64_t>(cut) : size;
  };
  for (const ClausePlan& clause : plan.clauses)
    if (clause.sends_records() && is_below(OptionId::Bufsize, asked_for(buffered_size(clause.record_size))))
      return true;
  for (const AggregationPlan& aggregation : plan.aggregations)
    if (plan.options.number(OptionId::Aggsize) != 0 && is_below(OptionId::Aggsize, asked_for(aggregation.element_size)))
      return true;
  return plan.dynamic_capacity == 0;
}

// With bufpolicy=fill there must be room for END whatever the other clauses recorded.
bool is_end_too_large(const ProgramPlan& plan, const Layout& layout) {
  uint64_t size = 0;
  for (const ProgramLayout& program : layout.programs)
    if (program.expected_activity == DS_ACTIVITY_DRAINING)
      for (const std::vector<uint32_t>& clauses : program.lists)
        for (uint32_t clause : clauses)
          if (plan.clauses[clause].has_record) size += buffered_size(plan.clauses[clause].record_size);
  return buffer_policy(plan.options) == BufferPolicy::Fill && size > buffer_size(plan.options);
}

// Sizes that only the kernel knows to be too large come back as E2BIG from a map: say which option they come from.
Error enabling_error(const OptionValues& options, Error error) {
  constexpr int64_t default_strsize = 4096;
  bool is_strsize = error.error_number() == E2BIG && options.number(OptionId::Strsize) > default_strsize;
  Error whole = std::move(error).within("could not enable tracing");
  if (!is_strsize) return whole;
  return std::move(whole).hint(
      fmt::format("strsize is {}: this program's strings need more memory than one BPF map may "
                  "have; try a smaller strsize",
                  options.number(OptionId::Strsize)));
}

// The kernel takes time that grows with the square of a program's length: 10,000 clauses on one probe keep it busy for
// minutes, during which nobody can interrupt it.
constexpr size_t max_clauses = 4096;

std::optional<Error> too_many_clauses(const Compilation& compilation) {
  const CompiledPlan& compiled = compilation.compiled;
  for (size_t i = 0; i < compiled.layout.programs.size(); ++i) {
    std::vector<uint32_t> clauses;
    for (const auto& list : compiled.layout.programs[i].lists) clauses.insert(clauses.end(), list.begin(), list.end());
    if (clauses.size() <= max_clauses) continue;
    const Clause& first_too_many = *compilation.meaning.clauses[clauses[max_clauses]].clause;
    SourceLocation place = compilation.sources.locate(first_too_many.probes.front().at.range.begin);
    const SourceUnit& unit = compilation.sources.unit(place.unit);
    return Error::make("could not enable tracing: {} clauses on {} and probes of its kind; at most {} can be loaded",
                       clauses.size(), compiled.plan.programs[i].name, max_clauses)
        .hint(fmt::format("{}:{}: this clause is the first too many",
                          unit.kind == UnitKind::String ? "program" : unit.name, place.line));
  }
  return std::nullopt;
}

SymbolizerSettings symbolizer_settings(const CommandLine& command_line, const ProgramPlan& plan) {
  auto tell = [name = command_line.program_name] {
    say("{}: the kernel hides the addresses of its symbols (sysctl kernel.kptr_restrict; CAP_SYSLOG): its functions "
        "are "
        "shown as numbers\n",
        name);
  };
  return {.demangle = plan.options.is_on(OptionId::Mangled) ? nullptr : demangle,
          .is_watching = names_user_addresses(plan),
          .on_hidden_kernel = tell};
}

// What to add to the session because a process has executed another program, or mapped a file. `options`: what the
// kernel has taken for the session.
Result<std::optional<Extension>> extension(Result<const Compilation*> found, const LowerOptions& options) {
  DS_TRY(const Compilation* again, std::move(found));
  if (again == nullptr) return std::nullopt;
  DS_TRY(Built built, build(*again, options));
  return Extension{.plan = std::move(built.plan), .object = std::move(built.object)};
}

bool has_probes_of_all_processes(const Compilation& compilation) {
  auto is_of_all = [](const Probe* probe) { return is_of_all_processes(probe->provider); };
  return std::ranges::any_of(compilation.meaning.clauses, [&](const ClauseInstance& clause) {
    return std::ranges::any_of(clause.probes, is_of_all);
  });
}

OnExec following(const OptionValues& options) {
  if (options.is_on(OptionId::Zdefs)) return OnExec::FollowAll;
  return may_gain_probes(options) ? OnExec::Follow : OnExec::Stay;
}

// `reports`: what -v prints of each program. `modules`: null if those that the kernel loads are of no interest.
int trace(const CommandLine& command_line, const Compilation& compilation, const std::vector<std::string>& reports,
          LiveHost& host, Targets& targets, ModuleWatch* modules, Progress& progress, FdStream& out) {
  const OptionValues& options = compilation.compiled.plan.options;
  uint32_t matched = 0;
  for (const UnitPlan& unit : compilation.compiled.plan.units) matched += unit.matched;
  if (auto error = too_many_clauses(compilation)) return report(command_line, *error);
  progress.show("generating code");
  auto built = build(compilation, {});
  if (!built) {  // once more, with D lines: the message can name one
    if (auto described = build(compilation, {.debug_info = true}); !described) built = std::move(described);
  }
  progress.clear();
  if (!built) return report(command_line, built.error());
  AwaitedProbes awaited(compilation);
  print_notices(command_line, built->plan, awaited, reports, out);
  print_unwinding_notice(command_line, built->plan);
  say_unfired_probes(command_line, compilation);
  say_left_out_clauses(command_line, compilation);
  bool may_match_nothing = std::ranges::any_of(
      compilation.program.units, [](const ProgramUnit& unit) { return unit.rules.allows_unmatched.value_or(false); });
  if (matched == 0 && awaited.empty() && !may_match_nothing) return report(command_line, Error("no probes matched"));
  if (built->plan.is_destructive && !options.is_on(OptionId::Destructive))
    return report_mistake(
        command_line, options,
        Error("could not enable tracing: Destructive actions not allowed").hint("option -w allows them"));
  if (options.number(OptionId::Cpu) >= static_cast<int64_t>(sysconf(_SC_NPROCESSORS_CONF)))
    return report(command_line,
                  Error::make("could not enable tracing: there is no CPU {}", options.number(OptionId::Cpu)));
  if (is_space_too_small(built->plan))
    return report(command_line, Error("could not enable tracing: Enabling exceeds size of buffer"));
  if (is_end_too_large(built->plan, compilation.compiled.layout))
    return report(command_line, Error("could not enable tracing: END enablings exceed size of principal buffer"));
  // From here on we touch the kernel: the first and only place that needs privileges.
  if (std::string missing = why_not_privileged(); !missing.empty())
    return report(command_line,
                  Error(missing).hint("--dry-run shows what would run, and needs no privileges").status(2));
  Follower follower(command_line, options, host, targets.pids(), compilation, awaited);
  SessionOptions session_options{
      .program_name = command_line.program_name,
      .is_testing = is_testing(),
      .is_verbose = command_line.is_verbose || options.is_on(OptionId::Debug),
      .target_tgid = static_cast<uint32_t>(targets.first_pid()),
      .progress = &progress,
      .extend = [&](uint32_t pid) { return extension(follower.look_again(pid), built->options); },
      .extends_on_load = may_gain_probes(options),
      .awaits_probes = [&] { return awaited.has_some_of_processes() || options.is_on(OptionId::Rtldstop); }};
  if (options.is_on(OptionId::Zdefs) && has_probes_of_all_processes(compilation))
    session_options.extend_by_file = [&](uint32_t pid, const std::string& path) {
      return extension(follower.look_at_file(pid, path), built->options);
    };
  if (modules != nullptr) {
    session_options.modules = modules;
    session_options.extend_by_modules = [&](const std::vector<std::string>& names) {
      return extension(follower.look_at_modules(names), built->options);
    };
  }
  auto session = load(*built, compilation, session_options);
  progress.clear();
  if (!session) return report(command_line, enabling_error(options, std::move(session.error())));
  if (options.is_on(OptionId::Destructive) && !options.is_on(OptionId::Quiet))
    say("{}: allowing destructive actions\n", command_line.program_name);
  auto symbols = make_live_symbolizer(symbolizer_settings(command_line, built->plan));
  if (targets.first_pid() != 0) symbols->remember_process(static_cast<uint32_t>(targets.first_pid()));
  FdStream messages(STDERR_FILENO);
  FragmentStream fragments(out, command_line.program_name);
  OutputStream& shown = command_line.shows_fragments ? static_cast<OutputStream&>(fragments) : out;
  auto result = (*session)->run(targets, *symbols, shown, messages);
  progress.clear();
  if (!result) return report(command_line, result.error());
  if (!is_testing())
    for (const std::string& line : awaited.complaints(host, options.is_on(OptionId::Quiet)))
      say("{}: {}\n", command_line.program_name, line);
  return result->exit_status;
}

// -h and -G: a file for those who build programs; nothing is traced.
int build_probes(const CommandLine& command_line, OptionValues& options) {
  std::unique_ptr<Host> host = make_live_host();
  Compilation compilation;
  auto compiled = compile(compilation, command_line, options, *host, 0);
  if (!compiled) return report_mistake(command_line, options, compiled.error());
  if (compilation.diagnostics.has_errors()) return report(command_line, options, compilation.diagnostics);
  auto written = command_line.mode == RunMode::Header ? write_usdt_header(command_line, compilation)
                                                      : write_usdt_object(command_line, compilation);
  return written ? 0 : report(command_line, written.error());
}

int run_program(const CommandLine& command_line, OptionValues& options) {
  if (command_line.programs.empty() && command_line.mode == RunMode::Trace) {
    if (command_line.is_compile_only) return 0;
    return report_mistake(command_line, options, Error("no probes specified").hint(program_hint(command_line)));
  }
  if (command_line.mode == RunMode::Header || command_line.mode == RunMode::Object)
    return build_probes(command_line, options);
  auto out = open_output(command_line);
  if (!out) return report(command_line, out.error());
  if (auto taken = preallocate(options); !taken) return report(command_line, taken.error());
  auto targets = Targets::create(command_line.targets, {.evaltime = options.text(OptionId::Evaltime),
                                                        .set = options.list(OptionId::Setenv),
                                                        .unset = options.list(OptionId::Unsetenv),
                                                        .follows_execs = follows_execs(options),
                                                        .follows_forks = follows_forks(options)});
  if (!targets) return report(command_line, targets.error());

  bool is_listing = command_line.mode == RunMode::List;
  std::optional<ModuleWatch> modules;  // from before descriptions are looked up
  if (!is_listing && options.is_on(OptionId::Zdefs)) modules.emplace();
  std::unique_ptr<LiveHost> host = make_live_host({.read_code = read_code,
                                                   .demangle = demangle,
                                                   .demangle_whole = demangle_whole,
                                                   .uretprobes = options.is_on(OptionId::Uretprobes),
                                                   .looks_again = may_gain_probes(options),
                                                   .targets = (*targets)->pids()},
                                                  is_listing ? ProcessRows::Each : ProcessRows::OneForAll,
                                                  is_listing ? OnExec::Stay : following(options));
  Compilation compilation;
  auto progress = make_progress(command_line, options);
  auto compiled = compile(compilation, command_line, options, *host, (*targets)->first_pid(), progress.get());
  progress->clear();
  if (!compiled) return report_mistake(command_line, options, compiled.error());
  if (options.is_on(OptionId::Debug)) report_skipped_libraries(command_line, compilation);
  if (auto printed = print_trees(options, compilation); !printed) return report(command_line, printed.error());
  if (compilation.diagnostics.has_errors()) return report(command_line, options, compilation.diagnostics);
  // From here on the D program is correct: later failures are the machine's, or ours.
  if (command_line.mode == RunMode::List) return list_probes(command_line, options, compilation, *host, **out);
  if (auto written = write_types(options, compilation); !written) return report(command_line, written.error());
  if (command_line.is_dry_run) {
    auto text = dump(command_line.dumps, compilation);
    if (!text) return report(command_line, text.error());
    (*out)->write(*text);
    return finish_output(command_line, **out);
  }
  std::vector<std::string> reports;
  if (command_line.is_verbose) reports = stability_reports(compilation, *host, command_line.is_compile_only);
  if (options.is_on(OptionId::Verbose)) {
    progress->show("generating code");
    auto listing = list_code(compilation);
    progress->clear();
    if (!listing) return report(command_line, listing.error());
    say("{}", *listing);
  }
  if (command_line.is_compile_only) {
    for (const std::string& text : reports) (*out)->write(text);
    return finish_output(command_line, **out);
  }
  return trace(command_line, compilation, reports, *host, **targets, modules ? &*modules : nullptr, *progress, **out);
}

}  // namespace

int run(std::span<const char* const> arguments) {
  hold_standard_streams();
  for (int ignored : ignored_signals) signal(ignored, SIG_IGN);
  auto command_line = parse_command_line(arguments);
  if (!command_line) {
    say("{}", command_line.error().text);
    return command_line.error().exit_status;
  }
  if (command_line->mode == RunMode::Help) {
    std::fputs(help_text(command_line->program_name).c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  if (command_line->mode == RunMode::Version) {
    std::fputs(version_text(command_line->program_name, command_line->is_verbose).c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  auto options = make_options(*command_line, [](const std::string& name) { return std::getenv(name.c_str()); });
  if (!options) return report_setting(*command_line, options.error());
  int status = run_program(*command_line, *options);
  if (options->is_on(OptionId::Core)) std::abort();
  return status;
}

}  // namespace dscope
