// SessionMessages: what a session reports on the message stream besides the consumer's faults and drops: probes that
// could not be attached, sizes that were lowered, processes and modules that could not be followed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/attach/attach.h"
#include "runtime/format/output_stream.h"
#include "runtime/load/loader.h"
#include "runtime/targets/library_watch.h"
#include "runtime/unwind/process_tables.h"

namespace dscope {

class SessionMessages {
 public:
  // `program_name` prefixes each line. Both arguments must outlive this object.
  SessionMessages(const std::string& program_name, OutputStream& messages)
      : program_name_(program_name), messages_(messages) {}

  // Maps that are smaller and rates that are lower than the options ask for. Silent with option quietresize.
  void report_adjustments(const ProgramPlan& plan, const MapSet& maps);
  // The memory of the aggregations that share the budget of option aggmemory.
  void report_memory(const ProgramPlan& plan, const MapSet& maps);
  // Probes that are missing because the kernel cannot probe their instruction or function, and a warning if detaching
  // will take long.
  void report_attachments(const ProgramPlan& plan, const LoadedObject& loaded, const AttachedPrograms& attached);

  void report_untraced_process(uint32_t pid, const Error& error);
  void report_untraced_modules(const std::vector<std::string>& names, const Error& error);
  // The process ran code of the file before its probes were attached.
  void report_late_probes(const LibraryWatch::MappedFile& file);

  // Option cpubudget: a clause was detached because it used `share` of a CPU, more than `max_share`, and is attached
  // again `pause_seconds` later.
  void report_suspension(const std::string& clause, double share, double max_share, double pause_seconds);
  void report_resumption(const std::string& clause);
  void report_failed_resumption(const std::string& clause, const Error& error);

  // The consumer could not print a record. Reports the first one; report_failed_records() adds the number of all.
  void report_failed_record(const Error& error);
  void report_failed_records();
  // The tables by which programs unwound stacks, and the stacks that were not complete.
  void report_unwinding(const ProcessTables& tables);
  // The names of addresses of a process can no longer be looked up; `pid` 0: those of the kernel.
  void report_failed_symbols(uint32_t pid, const Error& error);

  void flush() { messages_.flush(); }

 private:
  void write_line(const std::string& text);
  void write_now(const std::string& text);

  const std::string& program_name_;
  OutputStream& messages_;
  uint64_t failed_records_ = 0;
};

// Shortest period of option statusrate.
constexpr uint64_t min_status_period_ns = 1'000'000;

}  // namespace dscope
