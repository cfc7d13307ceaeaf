// What the actions of a record do when it arrives: one function per action, one file per family. Each appends to the
// text of the row and reads the fields of its ActionPlan.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "contract/program_plan.h"
#include "runtime/actions/packet_dissector.h"
#include "runtime/aggregations/aggregation_set.h"
#include "runtime/format/printf_formatter.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// What actions work with besides the record.
struct ActionServices {
  const ProgramPlan& plan;
  const ValuePrinter& values;
  AggregationSet& aggregations;
  std::optional<int>& exit_status;
  OptionValues& options;  // of the run; what values and aggregations look at
  OutputStream& out;
  OutputStream& messages;
  const std::string& program_name;
  PacketDissector& packets;

  // Hands what the row has so far to the stream, before something happens to that.
  void pass_on(std::string& row) const {
    out.write(row);
    row.clear();
  }
};

struct ActionCall {
  const ActionPlan& plan;
  const PreparedFormat* format;  // bound to the action's fields; null if it has none
  const std::byte* record;       // holds the whole layout of the clause

  // The action's field `index`, or null.
  const Field* field(size_t index) const { return index < plan.fields.size() ? &plan.fields[index] : nullptr; }
};

using RunAction = void (*)(const ActionCall& call, const ActionServices& services, std::string& out);
// Never null: actions whose work is done when the probe fires have nothing left to do here.
RunAction runner_of(Action action);

// One function per action with work to do; the table in actions.cpp names them by id.
void run_trace(const ActionCall& call, const ActionServices& services, std::string& out);
void run_pcap(const ActionCall& call, const ActionServices& services, std::string& out);
// A packet that pcap() recorded; none for NULL.
struct Packet {
  uint64_t time_ns;  // since 1970
  uint32_t length;   // on the wire, in bytes; `bytes` may be fewer
  uint32_t protocol;
  std::span<const std::byte> bytes;
};
std::optional<Packet> packet_of(const ActionCall& call);
void run_print(const ActionCall& call, const ActionServices& services, std::string& out);
void run_printf(const ActionCall& call, const ActionServices& services, std::string& out);
void run_system(const ActionCall& call, const ActionServices& services, std::string& out);
void run_freopen(const ActionCall& call, const ActionServices& services, std::string& out);
void run_ftruncate(const ActionCall& call, const ActionServices& services, std::string& out);
void run_setopt(const ActionCall& call, const ActionServices& services, std::string& out);
void run_stack(const ActionCall& call, const ActionServices& services, std::string& out);
void run_symbol(const ActionCall& call, const ActionServices& services, std::string& out);
void run_exit(const ActionCall& call, const ActionServices& services, std::string& out);
void run_printa(const ActionCall& call, const ActionServices& services, std::string& out);
void run_clear(const ActionCall& call, const ActionServices& services, std::string& out);
void run_tracemem(const ActionCall& call, const ActionServices& services, std::string& out);
// The bytes that a tracemem() shows.
std::span<const std::byte> traced_memory(const ActionCall& call);
void run_trunc(const ActionCall& call, const ActionServices& services, std::string& out);
void run_normalize(const ActionCall& call, const ActionServices& services, std::string& out);
void run_denormalize(const ActionCall& call, const ActionServices& services, std::string& out);

}  // namespace dscope
