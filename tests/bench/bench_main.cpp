// ./dev bench: compares dscope with hand-written libbpf programs and, if installed, bpftrace. Prints one table.
#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "machine.h"
#include "parts.h"

namespace dscope::bench {

namespace {

constexpr auto usage = R"(usage: dev bench [--quick] [--json] [--only=PART] [--no-bpftrace] [--dscope=PROGRAM]
  --quick          fewer rounds: half a minute instead of some minutes
  --json           one JSON object per line instead of the table
  --only=PART      runs, events, sessions, output, consumer, processes or captures
  --no-bpftrace    leave bpftrace out even if it is installed
  --dscope=PROGRAM the program to measure instead of the one that was built
)";

struct Part {
  std::string_view name;
  Result<void> (*measure)(const Options&, Report&);
};
constexpr std::array parts = {Part{"runs", measure_runs},         Part{"events", measure_events},
                              Part{"sessions", measure_sessions}, Part{"output", measure_output},
                              Part{"consumer", measure_consumer}, Part{"processes", measure_processes},
                              Part{"captures", measure_captures}};

std::string own_path() {
  std::error_code problem;
  return std::filesystem::read_symlink("/proc/self/exe", problem);
}

struct Arguments {
  Options options{
      .dscope = DSCOPE_PROGRAM, .self = own_path(), .hand = DSCOPE_HAND_DIR, .bpftrace = is_installed("bpftrace")};
  std::string_view only;
  bool json = false;
};

// Empty if an argument is invalid.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i++) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") arguments.options.quick = true;
    else if (argument == "--json") arguments.json = true;
    else if (argument == "--no-bpftrace") arguments.options.bpftrace = false;
    else if (argument.starts_with("--only=")) arguments.only = argument.substr(7);
    else if (argument.starts_with("--dscope=")) arguments.options.dscope = argument.substr(9);
    else return {};
  }
  const auto is_chosen = [&](const Part& part) { return part.name == arguments.only; };
  if (!arguments.only.empty() && std::none_of(parts.begin(), parts.end(), is_chosen)) return {};
  return arguments;
}

// Detects a program that is not dscope, or only half linked, before its figures look good because it does nothing.
Result<void> check_program(const std::string& program) {
  DS_TRY(Tracer tracer, Tracer::start({program, "-V"}, -1));
  const Outcome outcome = tracer.wait();
  if (outcome.status == 0 && file_text(tracer.output_path()).find("dscope") != std::string::npos) return {};
  return fail(Error::make("{} does not run, or is not dscope: {}", program, tracer.error_text()));
}

// A failing part must not lose the figures of the others.
bool measure(const Arguments& arguments, Report& report) {
  bool complete = true;
  for (const Part& part : parts) {
    if (!arguments.only.empty() && part.name != arguments.only) continue;
    fmt::print(stderr, "bench: {}\n", part.name);
    if (const Result<void> done = part.measure(arguments.options, report); !done) {
      fmt::print(stderr, "bench: {}\n", done.error().message());
      complete = false;
    }
  }
  return complete;
}

int run(int argc, char** argv) {
  constexpr std::string_view work = "--workload=", times = "--times=";
  if (argc == 3 && std::string_view(argv[1]).starts_with(work) && std::string_view(argv[2]).starts_with(times))
    return run_workload(argv[1] + work.size(), argv[2] + times.size());
  const std::optional<Arguments> arguments = parse(argc, argv);
  if (!arguments) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  if (geteuid() != 0) {
    fmt::print(stderr, "bench: tracing needs root\n");
    return 1;
  }
  Result<void> ready = check_program(arguments->options.dscope);
  if (ready) ready = prepare_machine();
  if (!ready) {
    fmt::print(stderr, "bench: {}\n", ready.error().message());
    return 1;
  }
  Report report;
  const bool complete = measure(*arguments, report);
  if (arguments->json) print_json(report);
  else print_table(report);
  return complete ? 0 : 1;
}

}  // namespace

}  // namespace dscope::bench

int main(int argc, char** argv) { return dscope::bench::run(argc, argv); }
