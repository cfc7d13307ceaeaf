// PerfettoWriter: a run as a trace for ui.perfetto.dev, written while the run goes on.
//
// Rows become instants on the tracks of their threads. Rows of probes that are a pair (probe_pairs.h) become the begins
// and ends of slices there, and so do rows of clauses that set and clear a thread-local variable. Stacks of rows become
// samples. Rows without a thread are on a track of their CPU. Faults, drops and the number of rows that were not kept
// have tracks of their own. end() adds the numbers of aggregations over time as counters.
#pragma once

#include <memory>

#include "pictures/timeline/timeline_order.h"

namespace dscope {

class PerfettoWriter {
 public:
  // Each call of `sink` passes whole packets: a file that was cut off there is a valid trace.
  explicit PerfettoWriter(TimelineSink sink);
  PerfettoWriter(PerfettoWriter&&) noexcept;
  PerfettoWriter& operator=(PerfettoWriter&&) noexcept;
  ~PerfettoWriter();

  // begin() comes first and end() last, each once. Updates are in the order of the run. Same calls, same bytes.
  void begin(const RunStart& start);
  // Rows are written when the update after them comes, because its rows may precede them.
  void add(const RunUpdate& update);
  void end(const RunEnd& end);

 private:
  class Trace;

  TimelineSink sink_;
  std::unique_ptr<Trace> trace_;
};

}  // namespace dscope
