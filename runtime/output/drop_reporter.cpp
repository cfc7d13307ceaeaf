#include "runtime/output/drop_reporter.h"

#include "support/format.h"

namespace dscope {

namespace {

const char* plural(uint64_t count) { return count == 1 ? "" : "s"; }

// How much `now` grew; a counter that went back (a CPU that came online again) restarts.
uint64_t growth(uint64_t before, uint64_t now) { return now > before ? now - before : 0; }

}  // namespace

void DropReporter::write(OutputStream& messages, const char* tag, std::string text) const {
  if (shows_tags_) text = fmt::format("[{}] {}", tag, text);
  // The classic implementation builds the text in 80 bytes.
  text.resize(std::min<size_t>(text.size(), 79));
  messages.write(fmt::format("{}: {}\n", program_name_, text));
  messages.flush();
}

void DropReporter::report(const DropCounters& totals, OutputStream& messages) {
  if (reported_.size() < totals.size()) reported_.resize(totals.size());
  uint64_t dynamic = 0, double_faults = 0, speculative = 0, busy = 0, unavailable = 0;
  for (size_t cpu = 0; cpu < totals.size(); ++cpu) {
    const ds_counters &before = reported_[cpu], &now = totals[cpu];
    // Lost firings and lost fault records are records that never came, whatever the cause.
    uint64_t records = growth(before.record_drops, now.record_drops) + growth(before.scratch_drops, now.scratch_drops) +
                       growth(before.fault_drops, now.fault_drops);
    uint64_t elements = growth(before.aggregation_drops, now.aggregation_drops);
    dynamic += growth(before.dynamic_drops, now.dynamic_drops);
    double_faults += growth(before.double_faults, now.double_faults);
    speculative += growth(before.speculation_drops, now.speculation_drops);
    busy += growth(before.speculations_busy, now.speculations_busy);
    unavailable += growth(before.speculations_unavailable, now.speculations_unavailable);
    if (records != 0)
      write(messages, "DTRACEDROP_PRINCIPAL", fmt::format("{} drop{} on CPU {}", records, plural(records), cpu));
    if (elements != 0)
      write(messages, "DTRACEDROP_AGGREGATION",
            fmt::format("{} aggregation drop{} on CPU {}", elements, plural(elements), cpu));
    reported_[cpu] = now;
  }
  if (dynamic != 0)
    write(messages, "DTRACEDROP_DYNAMIC", fmt::format("{} dynamic variable drop{}", dynamic, plural(dynamic)));
  if (speculative != 0)
    write(messages, "DTRACEDROP_SPEC", fmt::format("{} speculative drop{}", speculative, plural(speculative)));
  if (busy != 0)
    write(messages, "DTRACEDROP_SPECBUSY",
          fmt::format("{} failed speculation{} (available buffer(s) still busy)", busy, plural(busy)));
  if (unavailable != 0)
    write(messages, "DTRACEDROP_SPECUNAVAIL",
          fmt::format("{} failed speculation{} (no speculative buffer available)", unavailable, plural(unavailable)));
  if (double_faults != 0)
    write(messages, "DTRACEDROP_DBLERROR",
          fmt::format("{} error{} in ERROR probe enabling", double_faults, plural(double_faults)));
}

}  // namespace dscope
