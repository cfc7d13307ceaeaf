// Consumer: turns records and aggregation snapshots into text or JSON. Independent of rings, maps and attaching: the
// session feeds it, and tests feed it canned records. Byte-exact rules: consumer-and-actions.md 1-5.
#pragma once

#include <chrono>
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
#include "runtime/output/picture_settings.h"
#include "support/excerpt.h"

namespace dscope {

// Totals since start, one per CPU (index = CPU number).
using DropCounters = std::vector<ds_counters>;

// The speculation ids of a running program. Implemented by the session; tests fake it.
class SpeculationTable {
 public:
  virtual ~SpeculationTable() = default;
  // All records committed under `id` (1 and up) have been printed: speculation() may return the id again.
  virtual void release(uint32_t id) = 0;
};

struct ConsumerSettings {
  std::string program_name = "dscope";       // prefix of messages on stderr
  bool is_testing = false;                   // _DTRACE_TESTING is set
  bool prints_as_dtrace = false;             // programs that know DTrace's output may read it: same bytes
  bool show_fault_lines = false;             // stderr is a terminal or -v: add the D line to fault reports
  bool shows_hints = false;                  // prints at the end which settings would have avoided the drops
  std::optional<Terminal> terminal = {};     // on which a person reads messages; nullopt: programs read them
  bool fits_columns = false;                 // columns are as wide as their data: a person reads the output
  size_t line_width = 80;                    // columns of the terminal that receives the output, if fits_columns
  uint32_t target_tgid = 0;                  // $target: the process of plain addresses printed with %A; 0: none
  SpeculationTable* speculations = nullptr;  // must outlive the consumer; null: the program has no speculations
  PictureSettings pictures = {};             // what to send to pictures of the run
  std::string packet_program = {};           // describes the packets of pcap() (PacketDissector); empty: none
};

class Consumer {
 public:
  // `out` receives data, `messages` receives stderr lines. All references outlive the consumer.
  static std::unique_ptr<Consumer> create(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                                          Symbolizer& symbols, OutputStream& out, OutputStream& messages);
  virtual ~Consumer() = default;

  // Call before each batch of records. Makes aggregation snapshots stale, so that the first record of the batch that
  // needs one (printa, trunc, clear) takes a new one, and resets flow indentation as the reference does per pass.
  virtual void begin_pass() = 0;
  // Consumes one ring record, header included. A record that is shorter than its layout is counted as damaged and
  // skipped.
  virtual void record(std::span<const std::byte> bytes) = 0;
  // Reports the counters that grew since the last call (consumer-and-actions.md 2.5); cheap if none did.
  virtual void report_drops(const DropCounters& totals) = 0;
  // Sends to ConsumerSettings::pictures what has changed, if it is time; call often.
  virtual void update_pictures() {}
  // When update_pictures() must be called at the latest.
  virtual std::chrono::steady_clock::time_point pictures_due() const {
    return std::chrono::steady_clock::time_point::max();
  }
  // Writes the cosmetic newline of the first SIGINT (consumer-and-actions.md 1.7).
  virtual void interrupted() = 0;
  // Writes the newline at exit and all aggregations that were never printed (consumer-and-actions.md 1.7 and 5.7). With
  // `print_aggregations` false (the output cannot be written) it prints no more data.
  virtual void finish(bool print_aggregations) = 0;
  // The status of the last consumed exit() record; nothing if there was none.
  virtual std::optional<int> exit_status() const = 0;
  // The options, with all changes by setopt().
  virtual const OptionValues& options() const = 0;
};

}  // namespace dscope
