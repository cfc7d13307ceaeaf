// perf.data: the header and the features of a file that perf(1) has written. The layout is documented in perf's
// source, tools/perf/Documentation/perf.data-file-format.txt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/result.h"

namespace dscope {

// An event that perf recorded: the parts of struct perf_event_attr that matter.
struct PerfAttribute {
  uint32_t type = 0;  // PERF_TYPE_...
  uint64_t config = 0;
  uint64_t period = 0;       // events per sample, or the samples per second if `has_frequency`
  uint64_t sample_type = 0;  // PERF_SAMPLE_... bits: the parts of samples
  uint64_t read_format = 0;  // PERF_FORMAT_... bits
  bool has_frequency = false;
  bool has_sample_ids = false;  // records other than samples end with the time and more
  std::string name;             // as perf list prints it; empty: the file has no names
};

// The format of a tracepoint, from tracefs.
struct PerfTracepoint {
  std::string_view group, format;
};

// The identity of a file whose code the samples may be in.
struct PerfBuildId {
  std::string build_id;  // hexadecimal
  std::string path;      // "[kernel.kallsyms]" for the kernel
};

struct PerfClocks {
  uint64_t wall_ns = 0, record_ns = 0;  // at the same moment
};

// Views are of the file, which must outlive the object.
struct PerfFile {
  std::vector<PerfAttribute> attributes;  // at least one
  std::unordered_map<uint64_t, uint32_t> attribute_of_id;
  std::string_view records;
  std::vector<PerfTracepoint> tracepoints;
  std::vector<PerfBuildId> build_ids;
  std::string kernel_release, machine, command;
  uint32_t cpu_count = 0;
  uint64_t memory_kilobytes = 0;
  std::optional<PerfClocks> clocks;
  std::string damage;  // one sentence about a part that is missing; empty: none
};

inline constexpr std::string_view perf_magic = "PERFILE2";

// Fails with one sentence if the file is not perf.data, is of a kind that is not supported, or has no events.
Result<PerfFile> read_perf_file(std::string_view file);

}  // namespace dscope
