#include "runtime/output/drop_reporter.h"

#include "support/format.h"

namespace dscope {

namespace {

// One kind of drop: its counter on a CPU and its text. {0}: count, {1}: plural s, {2}: CPU.
struct DropKind {
  const char* tag;
  uint64_t (*count)(const ds_counters& counters);
  const char* text;
  bool is_per_cpu;
};

constexpr DropKind per_cpu_kinds[] = {
    // Firings and fault records that were lost count as record drops, whatever the cause.
    {"DTRACEDROP_PRINCIPAL", [](const ds_counters& c) { return c.record_drops + c.scratch_drops + c.fault_drops; },
     "{0} drop{1} on CPU {2}", true},
    {"DTRACEDROP_AGGREGATION", [](const ds_counters& c) { return c.aggregation_drops; },
     "{0} aggregation drop{1} on CPU {2}", true},
};
constexpr DropKind global_kinds[] = {
    {"DTRACEDROP_DYNAMIC", [](const ds_counters& c) { return c.dynamic_drops; }, "{0} dynamic variable drop{1}", false},
    {"DTRACEDROP_SPEC", [](const ds_counters& c) { return c.speculation_drops; }, "{0} speculative drop{1}", false},
    {"DTRACEDROP_SPECBUSY", [](const ds_counters& c) { return c.speculations_busy; },
     "{0} failed speculation{1} (available buffer(s) still busy)", false},
    {"DTRACEDROP_SPECUNAVAIL", [](const ds_counters& c) { return c.speculations_unavailable; },
     "{0} failed speculation{1} (no speculative buffer available)", false},
    {"DTRACEDROP_DBLERROR", [](const ds_counters& c) { return c.double_faults; },
     "{0} error{1} in ERROR probe enabling", false},
};

// The increase since `before`; 0 if the counter has decreased, as when a CPU comes online again.
uint64_t growth(uint64_t before, uint64_t now) { return now > before ? now - before : 0; }

void add(std::vector<Drop>& drops, const DropKind& kind, uint64_t count, uint64_t total, uint32_t cpu) {
  if (count == 0) return;
  drops.push_back({.tag = kind.tag,
                   .count = count,
                   .total = total,
                   .cpu = kind.is_per_cpu ? std::optional{cpu} : std::nullopt,
                   .text = fmt::format(fmt::runtime(kind.text), count, count == 1 ? "" : "s", cpu)});
}

}  // namespace

std::vector<Drop> DropReporter::new_drops(const DropCounters& totals) {
  if (reported_.size() < totals.size()) reported_.resize(totals.size());
  std::vector<Drop> drops;
  for (size_t cpu = 0; cpu < totals.size(); ++cpu)
    for (const DropKind& kind : per_cpu_kinds) {
      uint64_t now = kind.count(totals[cpu]);
      add(drops, kind, growth(kind.count(reported_[cpu]), now), now, static_cast<uint32_t>(cpu));
    }
  for (const DropKind& kind : global_kinds) {
    uint64_t count = 0, total = 0;
    for (size_t cpu = 0; cpu < totals.size(); ++cpu) {
      count += growth(kind.count(reported_[cpu]), kind.count(totals[cpu]));
      total += kind.count(totals[cpu]);
    }
    add(drops, kind, count, total, 0);
  }
  std::copy(totals.begin(), totals.end(), reported_.begin());
  return drops;
}

std::string drop_text(const Drop& drop, const std::string& program_name, bool show_tag) {
  std::string text = show_tag ? fmt::format("[{}] {}", drop.tag, drop.text) : drop.text;
  // The classic implementation builds the text in 80 bytes.
  text.resize(std::min<size_t>(text.size(), 79));
  return fmt::format("{}: {}\n", program_name, text);
}

}  // namespace dscope
