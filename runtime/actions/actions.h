// The consumer's half of actions: for each row of catalog/actions.def one function run_##id, which runs when a record
// of that action arrives. It reads the fields of its ActionPlan and appends to the text of the row. One file per
// family.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "contract/program_plan.h"
#include "runtime/actions/packet_dissector.h"
#include "runtime/aggregations/aggregation_set.h"
#include "runtime/format/printf_formatter.h"
#include "runtime/format/text_steps.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// The state of the run that actions read and change. All references outlive the consumer.
struct ActionServices {
  const ProgramPlan& plan;
  const ValuePrinter& values;
  AggregationSet& aggregations;
  std::optional<int>& exit_status;
  OptionValues& options;  // of the run; setopt() changes them, value printer and aggregations read them
  OutputStream& out;
  OutputStream& messages;
  const std::string& program_name;
  PacketDissector& packets;

  // These services with another value printer, which outlives the result.
  ActionServices with(const ValuePrinter& other) const {
    return {plan, other, aggregations, exit_status, options, out, messages, program_name, packets};
  }

  // Writes the text that the row has so far and empties it: for actions that redirect, truncate or flush the stream.
  void flush_row(std::string& row) const {
    out.write(row);
    row.clear();
  }
};

struct RecordedAction {
  const ActionPlan& plan;
  const PreparedFormat* format;  // bound to the action's fields; null if it has none
  const std::byte* record;       // holds the whole layout of the clause

  // Field number `index` of the action; null if the action has fewer.
  const Field* field(size_t index) const { return index < plan.fields.size() ? &plan.fields[index] : nullptr; }
};

using RunAction = void (*)(const RecordedAction& call, const ActionServices& services, std::string& out);
// The runner of an action; never null.
RunAction runner_of(Action action);

// void run_Printf(...), void run_Trace(...), ...: a row of actions.def whose function is missing does not link.
#define DS_ACTION(id, ...) void run_##id(const RecordedAction& call, const ActionServices& services, std::string& out);
#include "catalog/actions.def"
#undef DS_ACTION

// The text that run_Trace() appends for this trace(), as steps; nothing for values that no step prints. Not valid while
// option rawbytes is on. `is_quiet`: option quiet is on.
std::optional<TextSteps> trace_steps(const ActionPlan& plan, const ValuePrinter& values, bool is_quiet);

// A packet that pcap() recorded.
struct Packet {
  uint64_t time_ns;  // since 1970
  uint32_t length;   // on the wire, in bytes; `bytes` may be fewer
  uint32_t protocol;
  std::span<const std::byte> bytes;
};
// The packet of a pcap() call; nothing if the program passed NULL.
std::optional<Packet> recorded_packet(const RecordedAction& call);

// The bytes that a tracemem() call shows.
std::span<const std::byte> traced_memory(const RecordedAction& call);

}  // namespace dscope
