// Recordings and replays: events per second, bytes per event, the cost of an event in the program, and the time of a D
// program over the capture; beside perf and sysdig, which record the same workload.
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine.h"
#include "parts.h"
#include "program_time.h"

namespace dscope::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* counted_by_call = "syscall:::entry { @[execname, probefunc] = count(); }";

// A folder that disappears with the object.
class Folder {
 public:
  static Result<Folder> create() {
    char path[] = "/tmp/dscope-bench.XXXXXX";
    if (::mkdtemp(path) == nullptr) return fail(Error::from_errno(errno, "cannot make a temporary folder"));
    return Folder(path);
  }
  Folder(Folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Folder& operator=(Folder&&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  explicit Folder(const char* path) : path_(path) {}
  fs::path path_;
};

// The number behind the last `before` of the text; 0 if there is none.
uint64_t number_behind(std::string_view text, std::string_view before) {
  size_t at = text.rfind(before);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + before.size());
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// ---- the workloads

// Two events each: the number is that of calls. Arguments and results vary as those of programs do.
void make_mixed_calls(uint64_t count) {
  char buffer[64];
  for (uint64_t i = 0; i < count; ++i) switch (i % 4) {
      case 0: syscall(SYS_getppid); break;
      case 1: syscall(SYS_read, -1, buffer, i % 4096); break;
      case 2: syscall(SYS_lseek, 0, i % 8192, SEEK_SET); break;
      default: syscall(SYS_write, -1, buffer, i % 512); break;
    }
}

// Compiles small files, as a build does: processes, opened headers, mappings.
bool compile_files(const std::string& folder) {
  constexpr int files = 40;
  for (int i = 0; i < files; ++i) {
    std::string name = folder + "/part" + std::to_string(i);
    std::ofstream(name + ".c") << "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f" << i
                               << "(int n) { printf(\"%d\\n\", n); return (int)strlen(getenv(\"HOME\")) + n; }\n";
    if (std::system(("cc -O1 -c " + name + ".c -o " + name + ".o").c_str()) != 0) return false;
  }
  return true;
}

// ---- recorders

struct Recording {
  double seconds = 0;  // of the workload
  double events = 0, lost = 0, bytes = 0;
};

Command with_workload(Command recorder, const Options& options, const std::string& work, const Folder& folder) {
  for (std::string word : {std::string("--"), options.self, "--workload=" + work, "--times=" + folder.file("times")})
    recorder.push_back(std::move(word));
  return recorder;
}

// Runs a recorder that ends with its workload.
Result<Recording> record(const Command& command, const std::string& file, const Folder& folder, std::string& messages) {
  DS_TRY(Tracer tracer, Tracer::start(command, -1));
  const Outcome outcome = tracer.wait();
  messages = tracer.error_text();
  if (outcome.status != 0)
    return fail(Error::make("{} ended with status {}: {}", command[0], outcome.status, messages));
  std::error_code problem;
  return Recording{.seconds = std::strtod(file_text(folder.file("times")).c_str(), nullptr),
                   .bytes = static_cast<double>(fs::file_size(file, problem))};
}

Result<Recording> record_with_dscope(const Options& options, const std::string& work, const Folder& folder,
                                     const std::string& file) {
  std::string messages;
  DS_TRY(Recording recording,
         record(with_workload({options.dscope, "--record=" + file, "-n", "syscall:::"}, options, work, folder), file,
                folder, messages));
  recording.events = static_cast<double>(number_behind(messages, "recorded "));
  DS_TRY(Tracer info, Tracer::start({options.dscope, "--info=" + file}, -1));
  info.wait();
  recording.lost = static_cast<double>(number_behind(file_text(info.output_path()), "lost        "));
  return recording;
}

// Prints the program and the name of each event, which is the least that answers the question of the replay. Counts
// the lines.
Result<double> print_with(const Command& command, Recording& recording) {
  DS_TRY(Tracer tracer, Tracer::start(command, -1));
  const Outcome outcome = tracer.wait();
  if (outcome.status != 0) return fail(Error::make("{} failed: {}", command[0], tracer.error_text()));
  std::ifstream output(tracer.output_path());
  for (std::string line; std::getline(output, line);) ++recording.events;
  return outcome.wall_ms;
}

// ---- the figures

struct Figures {
  Figure speed{"record syscall::: of a loop: recorded", "M/s", Budget{Limit::AtLeast, 1}};
  Figure lost{"record syscall::: of a loop: lost", "%", {}};
  Figure bytes{"record syscall::: of a build: on disk, per event", "bytes", Budget{Limit::AtMost, 12}};
  Figure inside{"record syscall::: in programs, per event", "ns", Budget{Limit::AtMost, 250}};
  Figure replay{"@[execname, probefunc] = count() of 10 M events: wall", "ms", Budget{Limit::AtMost, 2000}};
  Figure start{"the same over a small capture: wall", "ms", Budget{Limit::AtMost, 30}};

  std::array<Figure*, 6> all() { return {&speed, &lost, &bytes, &inside, &replay, &start}; }
};

constexpr double replayed_events = 1e7;

void add_speed(Figures& figures, Peer peer, const Recording& recording) {
  if (recording.seconds <= 0) return;
  figures.speed.of(peer).push_back(recording.events / recording.seconds / 1e6);
  figures.lost.of(peer).push_back(100 * recording.lost / std::max(recording.events + recording.lost, 1.0));
}

Result<void> replay_with_dscope(const Options& options, const std::string& file, double events, Samples& wall) {
  DS_TRY(const Outcome outcome, run_to_end({options.dscope, "--replay=" + file, "-n", counted_by_call}));
  wall.push_back(outcome.wall_ms * (events > 0 ? replayed_events / events : 1));
  return {};
}

Result<void> measure_dscope(const Options& options, Figures& figures, const Folder& folder, const std::string& loop) {
  const std::string file = folder.file("loop.dcap"), build = folder.file("build.dcap"),
                    small = folder.file("small.dcap");
  DS_TRY(const Recording recording, record_with_dscope(options, loop, folder, file));
  add_speed(figures, Peer::Ours, recording);
  DS_TRY_VOID(replay_with_dscope(options, file, recording.events, figures.replay.of(Peer::Ours)));
  DS_TRY(const Recording compiled, record_with_dscope(options, "compile:" + folder.file(""), folder, build));
  figures.bytes.of(Peer::Ours).push_back(compiled.bytes / std::max(compiled.events, 1.0));
  DS_TRY_VOID(record_with_dscope(options, "calls:100", folder, small));
  return replay_with_dscope(options, small, 0, figures.start.of(Peer::Ours));
}

// The time in programs for a system call that is entered and returns.
Result<void> measure_inside(const Options& options, Figures& figures, const Folder& folder) {
  constexpr int runs = 40, calls_per_run = 1000, pause_us = 2000;
  const ProgramIds before = loaded_programs();
  DS_TRY(Tracer tracer, Tracer::start({options.dscope, "--record=" + folder.file("inside.dcap"), "-n",
                                       "syscall:::", "-n", "BEGIN { printf(\"ready\\n\"); }"},
                                      tracer_cpu()));
  DS_TRY_VOID(tracer.wait_ready());
  usleep(20'000);
  DS_TRY(const ProgramTimer timer, ProgramTimer::start(before));
  for (int i = 0; i < runs; ++i) {
    const ProgramTime start = timer.total();
    make_mixed_calls(calls_per_run);
    const ProgramTime end = timer.total();
    // Other processes make system calls, too: the mean of all.
    const double count = static_cast<double>(end.runs - start.runs);
    figures.inside.of(Peer::Ours)
        .push_back(static_cast<double>(end.nanoseconds - start.nanoseconds) / std::max(count, 1.0));
    usleep(pause_us);
  }
  tracer.stop();
  return {};
}

Result<void> measure_perf(const Options& options, Figures& figures, const Folder& folder, const std::string& loop) {
  const std::string file = folder.file("perf.data");
  const Command recorder = {"perf", "record", "-q", "-a", "-e", "raw_syscalls:*", "-o", file};
  const Command printer = {"perf", "script", "-F", "comm,event", "-i", file};
  std::string messages;
  DS_TRY(Recording recording, record(with_workload(recorder, options, loop, folder), file, folder, messages));
  DS_TRY(const double wall, print_with(printer, recording));
  figures.replay.of(Peer::Perf).push_back(wall * replayed_events / std::max(recording.events, 1.0));
  if (recording.seconds > 0) figures.speed.of(Peer::Perf).push_back(recording.events / recording.seconds / 1e6);
  DS_TRY(Recording compiled,
         record(with_workload(recorder, options, "compile:" + folder.file(""), folder), file, folder, messages));
  DS_TRY_VOID(print_with(printer, compiled));
  figures.bytes.of(Peer::Perf).push_back(compiled.bytes / std::max(compiled.events, 1.0));
  return {};
}

// sysdig has no command to run: the workload runs beside it.
Result<Recording> record_with_sysdig(const Options& options, const std::string& work, const Folder& folder,
                                     const std::string& file) {
  DS_TRY(Tracer tracer, Tracer::start({"sysdig", "-q", "-w", file}, -1));
  std::error_code problem;
  for (int i = 0; i < 200 && !fs::exists(file, problem); ++i) usleep(50'000);
  usleep(200'000);
  DS_TRY_VOID(run_to_end({options.self, "--workload=" + work, "--times=" + folder.file("times")}));
  const Outcome outcome = tracer.stop();
  if (outcome.status != 0) return fail(Error::make("sysdig does not run here: {}", tracer.error_text()));
  return Recording{.seconds = std::strtod(file_text(folder.file("times")).c_str(), nullptr),
                   .bytes = static_cast<double>(fs::file_size(file, problem))};
}

Result<void> measure_sysdig(const Options& options, Figures& figures, const Folder& folder, const std::string& loop) {
  const std::string file = folder.file("sysdig.scap");
  const Command printer = {"sysdig", "-r", file, "-p", "%proc.name %evt.type"};
  DS_TRY(Recording recording, record_with_sysdig(options, loop, folder, file));
  DS_TRY(const double wall, print_with(printer, recording));
  figures.replay.of(Peer::Sysdig).push_back(wall * replayed_events / std::max(recording.events, 1.0));
  if (recording.seconds > 0) figures.speed.of(Peer::Sysdig).push_back(recording.events / recording.seconds / 1e6);
  DS_TRY(Recording compiled, record_with_sysdig(options, "compile:" + folder.file(""), folder, file));
  DS_TRY_VOID(print_with(printer, compiled));
  figures.bytes.of(Peer::Sysdig).push_back(compiled.bytes / std::max(compiled.events, 1.0));
  return {};
}

using Measure = Result<void> (*)(const Options&, Figures&, const Folder&, const std::string&);

// Without the tool, or if it does not run here, its column is empty and a note says why.
bool measure_other(const char* program, Measure measure, const Options& options, Figures& figures, const Folder& folder,
                   const std::string& loop, Report& report) {
  if (!is_installed(program)) {
    report.notes.push_back(fmt::format("{} is not installed", program));
    return false;
  }
  const Result<void> done = measure(options, figures, folder, loop);
  if (!done) report.notes.push_back(done.error().message().substr(0, done.error().message().find('\n')));
  return bool(done);
}

}  // namespace

int run_workload(std::string_view work, const std::string& times) {
  constexpr std::string_view calls = "calls:", compile = "compile:";
  const double start = wall_ms();
  bool is_done = true;
  if (work.starts_with(calls)) make_mixed_calls(std::strtoull(work.data() + calls.size(), nullptr, 10));
  else is_done = work.starts_with(compile) && compile_files(std::string(work.substr(compile.size())));
  std::ofstream(times) << (wall_ms() - start) / 1e3 << "\n";
  return is_done ? 0 : 1;
}

Result<void> measure_captures(const Options& options, Report& report) {
  Figures figures;
  for (Figure* figure : figures.all()) figure->others = {Peer::Perf, Peer::Sysdig};
  DS_TRY(const Folder folder, Folder::create());
  // Two events for a call.
  const std::string loop = options.quick ? "calls:500000" : "calls:5000000";
  const int rounds = options.quick ? 1 : 3;
  DS_TRY_VOID(measure_inside(options, figures, folder));
  bool has_perf = true, has_sysdig = true;
  for (int round = 0; round < rounds; ++round) {
    DS_TRY_VOID(measure_dscope(options, figures, folder, loop));
    // Printing each event takes long: a tenth of them.
    const std::string shorter = options.quick ? "calls:50000" : "calls:500000";
    has_perf = has_perf && measure_other("perf", measure_perf, options, figures, folder, shorter, report);
    has_sysdig = has_sysdig && measure_other("sysdig", measure_sysdig, options, figures, folder, shorter, report);
  }
  report.notes.push_back("perf and sysdig print the program and the call of each event where dscope counts them");
  for (Figure* figure : figures.all()) report.figures.push_back(*figure);
  return {};
}

}  // namespace dscope::bench
