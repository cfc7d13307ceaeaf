#include "workload.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

#include "machine.h"

namespace dscope::bench {

namespace {

constexpr int calls_per_run = 1000;
// A path of typical length. The call's directory descriptor is invalid, so the call fails right after it has copied the
// path.
constexpr auto opened_path = "lib/x86_64-linux-gnu/dscope-bench.so.1";

// bpftrace's strings have 64 bytes by default and 200 at most. Strings of dscope and the hand-written programs have
// 256.
const char* const long_strings = "BPFTRACE_STRLEN=200";
// The peers print no headers, so dscope omits its header with -q.
const char* const ready_in_d = "BEGIN { printf(\"ready\\n\"); } ";
// bpftrace prints BEGIN's output when it starts to poll, after it has attached. stderr avoids buffering.
const char* const ready_in_bpftrace = "BEGIN { system(\"echo ready >&2\"); } ";

std::string hand_object(const Options& options, const Question& question) {
  return options.hand + "/" + question.hand + ".bpf.o";
}

}  // namespace

std::vector<Peer> peers_of(const Options& options) {
  std::vector<Peer> result = {Peer::Ours};
  if (!options.hand.empty()) result.push_back(Peer::Hand);
  if (options.bpftrace) result.push_back(Peer::Bpftrace);
  return result;
}

int rounds_of(const Options& options, Peer peer) {
  if (peer == Peer::Bpftrace) return options.quick ? 1 : 5;
  return options.quick ? 3 : 15;
}

Command session_command(const Options& options, const Question& question, Peer peer) {
  switch (peer) {
    case Peer::Ours: return {options.dscope, "-q", "-n", ready_in_d + question.d};
    case Peer::Hand: return {options.hand + "/hand_loader", hand_object(options, question)};
    case Peer::Bpftrace: return {"bpftrace", "--unsafe", "-B", "full", "-e", ready_in_bpftrace + question.bpftrace};
    default: break;  // they ask no questions
  }
  return {};
}

Command run_command(const Options& options, const Question& question, Peer peer, bool target) {
  Command command;
  switch (peer) {
    case Peer::Ours: command = {options.dscope, "-n", question.d}; break;
    case Peer::Hand: command = {options.hand + "/hand_loader", hand_object(options, question)}; break;
    case Peer::Bpftrace: command = {"env", long_strings, "bpftrace", "-e", question.bpftrace}; break;
    default: break;
  }
  if (target) command.insert(command.end(), {"-c", peer == Peer::Bpftrace ? "/bin/true" : "true"});
  return command;
}

void make_calls(Loop loop, int calls) {
  if (loop == Loop::Getppid) {
    for (int i = 0; i < calls; i++) syscall(SYS_getppid);
  } else {
    for (int i = 0; i < calls; i++) syscall(SYS_openat, -1, opened_path, O_RDONLY);
  }
}

double call_cost(Loop loop, int runs, int pause_us) {
  Samples samples;
  for (int i = 0; i < runs; i++) {
    const double start = wall_ms();
    make_calls(loop, calls_per_run);
    samples.push_back((wall_ms() - start) * 1e6 / calls_per_run);
    if (pause_us > 0) usleep(static_cast<useconds_t>(pause_us));
  }
  return quantile(samples, 0.1);
}

}  // namespace dscope::bench
