// One tracing question in three languages, and the loops of system calls that it traces.
#pragma once

#include <string>
#include <vector>

#include "figure.h"
#include "tracer.h"

namespace dscope::bench {

struct Options {
  std::string dscope;  // the measured program
  std::string self;    // this program, which is a workload, too
  std::string hand;    // folder of hand_loader and its objects; empty if they are not built
  bool bpftrace = false;
  bool quick = false;
};

// One question in D, as an object of hand/, and in bpftrace's language.
struct Question {
  std::string d;
  std::string hand;
  std::string bpftrace;
};

// The peers that are available here.
std::vector<Peer> peers_of(const Options& options);
// The number of repetitions for a peer: bpftrace needs a second to start and stop.
int rounds_of(const Options& options, Peer peer);

// The command that prints "ready" and runs until it is interrupted.
Command session_command(const Options& options, const Question& question, Peer peer);
// The command that runs until `true` has ended, or ends by itself if `target` is false.
Command run_command(const Options& options, const Question& question, Peer peer, bool target);

enum class Loop { Getppid, Openat };
// Makes `calls` system calls.
void make_calls(Loop loop, int calls);
// Nanoseconds per call: lower decile of `runs` runs of 1,000 calls. The consumer can catch up during `pause_us` between
// runs.
double call_cost(Loop loop, int runs, int pause_us);

}  // namespace dscope::bench
