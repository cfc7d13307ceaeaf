// The records of perf.data: samples, and what happened to threads and their mappings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/perf_file.h"

namespace dscope {

// Numbers of <linux/perf_event.h>; from 64 on those of perf(1) itself.
enum class PerfRecordType : uint32_t {
  Mmap = 1,
  Lost = 2,
  Comm = 3,
  Exit = 4,
  Fork = 7,
  Sample = 9,
  Mmap2 = 10,
  LostSamples = 13,
  AuxTrace = 71,
  Compressed = 81,
  Compressed2 = 83,  // its content has a size of its own
};

struct PerfRecord {
  PerfRecordType type{};
  uint16_t misc = 0;
  std::string_view body;  // behind the header
};

// The record at `offset` of the records; its size, or 0 if there is none or it is damaged.
uint64_t read_perf_record(std::string_view records, uint64_t offset, PerfRecord& record);

struct PerfSample {
  uint32_t attribute = 0;
  uint8_t mode = 0;  // PERF_RECORD_MISC_KERNEL, _USER
  uint64_t time = 0, address = 0;
  uint32_t pid = 0, tid = 0, cpu = 0;
  std::string_view raw;         // of a tracepoint: its record
  std::string_view call_chain;  // 64-bit words
};
// False if the sample is damaged, or of an event that the file does not describe.
bool read_perf_sample(const PerfFile& file, const PerfRecord& record, PerfSample& sample);

// The time and the CPU of a record that is no sample; 0 where the file has none.
struct PerfStamp {
  uint64_t time = 0;
  uint32_t cpu = 0;
};
PerfStamp read_perf_stamp(const PerfFile& file, const PerfRecord& record);

// The addresses of a call chain, innermost first, without the marks between its parts.
struct PerfStacks {
  std::vector<uint64_t> kernel, user;
};
void read_call_chain(std::string_view chain, PerfStacks& stacks);

struct PerfName {
  uint32_t pid = 0, tid = 0;
  std::string_view name;
};
PerfName read_perf_name(const PerfRecord& record);

struct PerfFork {
  uint32_t pid = 0, parent_pid = 0, tid = 0, parent_tid = 0;
};
PerfFork read_perf_fork(const PerfRecord& record);

struct PerfMapping {
  uint32_t pid = 0;
  uint64_t start = 0, size = 0, offset = 0;
  std::string build_id;  // hexadecimal; empty: the record has none
  std::string_view path;
  bool is_executable = true;
};
PerfMapping read_perf_mapping(const PerfRecord& record);

// Events that the kernel had no room for.
uint64_t read_perf_losses(const PerfRecord& record);

}  // namespace dscope
