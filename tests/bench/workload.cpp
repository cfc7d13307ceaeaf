#include "workload.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

#include "machine.h"

namespace dscope::bench {

namespace {

constexpr int calls_per_run = 1000;
// As long as usual; with no such descriptor to start from, the call fails right after the path was copied.
constexpr auto opened_path = "lib/x86_64-linux-gnu/dscope-bench.so.1";

// Its strings have 64 bytes by default; 200 is the most it takes. Ours and the hand-written ones have 256.
const char* const long_strings = "BPFTRACE_STRLEN=200";
// Peers print nothing that ours does not print: with -q ours leaves out the header.
const char* const ready_in_d = "BEGIN { printf(\"ready\\n\"); } ";
// bpftrace's BEGIN output appears once it polls, that is, after it has attached; on stderr whatever the buffering.
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
  }
  return {};
}

Command run_command(const Options& options, const Question& question, Peer peer, bool target) {
  Command command;
  switch (peer) {
    case Peer::Ours: command = {options.dscope, "-n", question.d}; break;
    case Peer::Hand: command = {options.hand + "/hand_loader", hand_object(options, question)}; break;
    case Peer::Bpftrace: command = {"env", long_strings, "bpftrace", "-e", question.bpftrace}; break;
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
