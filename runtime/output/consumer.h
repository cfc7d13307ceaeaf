// Consumer: records and aggregation snapshots in, text out. Knows nothing of rings, maps or attaching; the session
// feeds it, tests feed it canned records. Byte-exact rules: consumer-and-actions.md 1-5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "runtime/aggregations/aggregation_source.h"
#include "runtime/format/output_stream.h"
#include "runtime/format/symbolizer.h"

namespace dscope {

// Totals since start, one per CPU (index = CPU number).
using DropCounters = std::vector<ds_counters>;

// The ids of a running program's speculations; made by the session, faked in tests.
class SpeculationTable {
 public:
  virtual ~SpeculationTable() = default;
  // What was committed under this id (1 ...) has been printed: it may be used again.
  virtual void release(uint32_t id) = 0;
};

struct ConsumerSettings {
  std::string program_name = "dscope";       // prefix of messages on stderr
  bool is_testing = false;                   // _DTRACE_TESTING is set
  bool show_fault_lines = false;             // stderr is a terminal or -v: add the D line to fault reports
  uint32_t target_tgid = 0;                  // $target: process of plain addresses printed with %A
  SpeculationTable* speculations = nullptr;  // null: the program has none. Outlives the consumer
  std::string packet_program = {};           // what pcap() lets describe packets (PacketDissector); empty: nothing
};

class Consumer {
 public:
  // `out` receives data, `messages` receives stderr lines. All references outlive the consumer.
  static std::unique_ptr<Consumer> create(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                                          Symbolizer& symbols, OutputStream& out, OutputStream& messages);
  virtual ~Consumer() = default;

  // Called before each batch of records: refreshes aggregation snapshots lazily (only if a record of the batch needs
  // one: printa, trunc, clear, normalize) and resets flow indentation as the reference does per pass.
  virtual void begin_pass() = 0;
  // One ring record, header included. Shorter than its layout: counted as damaged, never read past its end.
  virtual void record(std::span<const std::byte> bytes) = 0;
  // Reports what grew since the last call (2.5); cheap when nothing did.
  virtual void report_drops(const DropCounters& totals) = 0;
  // The cosmetic newline on the first SIGINT (1.7).
  virtual void interrupted() = 0;
  // The newline at exit and all aggregations never printed (1.7, 5.7). `print_aggregations` false: second Ctrl-C,
  // nothing more is printed.
  virtual void finish(bool print_aggregations) = 0;
  // Status of the last consumed exit() record; nothing if there was none.
  virtual std::optional<int> exit_status() const = 0;
  // Options as setopt() left them.
  virtual const OptionValues& options() const = 0;
};

}  // namespace dscope
