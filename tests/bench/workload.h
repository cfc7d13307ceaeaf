// One question asked three ways, and the loops of system calls that give it something to see.
#pragma once

#include <string>
#include <vector>

#include "figure.h"
#include "tracer.h"

namespace dscope::bench {

struct Options {
  std::string dscope;  // the program that is measured
  std::string hand;    // folder of hand_loader and its objects; empty where they are not built
  bool bpftrace = false;
  bool quick = false;
};

// The same thing in D, as an object of hand/, and in bpftrace's language.
struct Question {
  std::string d;
  std::string hand;
  std::string bpftrace;
};

// Which peers can be asked here.
std::vector<Peer> peers_of(const Options& options);
// How often to repeat for a peer: bpftrace takes a second to start and stop.
int rounds_of(const Options& options, Peer peer);

// The command that runs until it is interrupted, after having said "ready".
Command session_command(const Options& options, const Question& question, Peer peer);
// The command that runs until `true` has ended, or ends by itself if `target` is false.
Command run_command(const Options& options, const Question& question, Peer peer, bool target);

enum class Loop { Getppid, Openat };
// Makes `calls` system calls.
void make_calls(Loop loop, int calls);
// Nanoseconds per call: lower decile of `runs` runs of 1,000 calls; `pause_us` gives consumers time in between.
double call_cost(Loop loop, int runs, int pause_us);

}  // namespace dscope::bench
