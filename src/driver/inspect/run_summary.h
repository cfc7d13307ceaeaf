// The summary of --dry-run: what a run would attach, load, allocate and change, and what it would cost. In: compiled
// code. Out: numbers, and their renderings as text and JSON. Needs neither privileges nor a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/machine.h"
#include "driver/compile/code_generation.h"
#include "driver/compile/compilation.h"

namespace dscope {

// The probes of a provider that one mechanism fires.
struct ProbeGroup {
  std::string provider;
  std::string mechanism;  // "raw tracepoint", "uprobe"
  std::string target;     // "sys_enter"; empty if the group has several
  uint64_t probes = 0;
  uint64_t attachments = 0;
  std::optional<uint32_t> event_ns;  // measured cost of the mechanism with an empty program; nullopt: not measured
};

struct ProgramSummary {
  std::string name;  // its first probe
  std::string mechanism;
  uint64_t probes = 0;
  uint32_t instructions = 0, stack_bytes = 0;
  uint64_t verifier_instructions = 0;
  std::vector<std::string> helpers;
  double min_ns = 0, max_ns = 0;  // in the program
  bool has_loops = false;
  std::optional<uint32_t> event_ns;  // in addition, as in ProbeGroup
};

struct MapSummary {
  std::string name, content;  // "ds_agg_0", "aggregation @reads"
  std::string kind;
  uint32_t key_size = 0, value_size = 0, entries = 0;
  uint64_t bytes = 0;          // all CPUs
  uint64_t bytes_per_cpu = 0;  // 0: the CPUs share the map
  bool is_per_thread = false;  // task storage: `bytes` for each thread that uses it
};

struct DestructiveCall {
  std::string unit;  // file name of the script; empty for -n
  uint32_t line = 0;
  std::string name;  // "system"
};

struct RunSummary {
  std::string kernel_release;
  uint32_t cpus = 1;
  std::vector<ProbeGroup> probes;
  std::vector<ProgramSummary> programs;
  std::vector<MapSummary> maps;
  std::vector<std::string> privileges;
  std::vector<DestructiveCall> destructive;

  uint64_t map_bytes() const;
  uint64_t map_bytes_per_cpu() const;
};

Result<RunSummary> summarize(const Compilation& compilation, const GeneratedCode& code, const MachineFacts& facts);

// `width`: columns of the terminal.
std::string summary_text(const RunSummary& summary, size_t width);
// One line, described by docs/dry-run.schema.json.
std::string summary_json(const RunSummary& summary);

}  // namespace dscope
