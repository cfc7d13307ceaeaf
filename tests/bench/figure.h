// One row of the result: measurements of dscope and of two other tracers, and the budget.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "statistics.h"

namespace dscope::bench {

enum class Peer { Ours, Hand, Bpftrace, Perf, Sysdig };
inline constexpr size_t peer_count = 5;
inline constexpr std::array peers = {Peer::Ours, Peer::Hand, Peer::Bpftrace};  // of most figures
std::string_view peer_name(Peer peer);

// The limit is a plain number (AtMost, AtLeast) or a multiple of a peer's median in the same run.
enum class Limit { AtMost, AtLeast, TimesHand, TimesBpftrace };
struct Budget {
  Limit limit;
  double value;
};

struct Figure {
  std::string label;
  std::string unit;
  std::optional<Budget> budget;
  std::array<Samples, peer_count> samples{};
  std::array<Peer, 2> others = {Peer::Hand, Peer::Bpftrace};  // the columns beside ours

  Samples& of(Peer peer) { return samples[static_cast<size_t>(peer)]; }
  const Samples& of(Peer peer) const { return samples[static_cast<size_t>(peer)]; }
};

struct Report {
  std::vector<Figure> figures;
  std::vector<std::string> notes;  // caveats for the reader
};

// "ok", "MISSED", or "" without a budget or a measurement to compare with.
std::string_view verdict(const Figure& figure);

void print_table(const Report& report);
// One JSON object per line: the machine, each figure with its quartiles, each note.
void print_json(const Report& report);

}  // namespace dscope::bench
