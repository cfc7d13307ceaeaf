// A machine in one file, so that programs can be compiled for it elsewhere: --save-facts writes the file, --facts reads
// it. It contains copies of the kernel's files that LiveHost and the providers read, and the results of their trials
// (machine_facts.h). The readers ask this header where a file is, and try nothing if there is a record.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arch/architecture.h"
#include "support/result.h"

namespace dscope {

constexpr std::string_view recorded_tracefs = "/sys/kernel/tracing/";

struct MachineRecord {
  MachineFacts facts;
  FunctionMechanisms mechanisms;
  bool takes_security_programs = false;
  bool finds_physical_memory = false;
  bool counts_hardware_events = false;
  std::vector<CpuFacts> cpus;
  std::map<uint32_t, std::string> block_drivers;
  std::vector<std::string> modules;          // names in /sys/module
  std::vector<uint32_t> absent_calls;        // numbers of system calls that the kernel lacks
  std::map<std::string, std::string> files;  // absolute path -> content; tracefs is at recorded_tracefs
};

// The content of a facts file: compressed, with a checksum. Fails without libzstd.
Result<std::string> pack_machine(const MachineRecord& record);
// Fails with one sentence for damaged input, for files of later versions, and for more than 1 GiB of content. Paths of
// the result are absolute and have no `..`.
Result<MachineRecord> unpack_machine(std::string_view bytes);

// The machine that this process compiles for; null: the machine that it runs on.
const MachineRecord* recorded_machine();
// The processor of that machine.
const Architecture& traced_architecture();
// The path of a copy of this file or folder of the recorded machine; without a record, `path` itself. The thousands of
// files of tracefs have no copies: see tracefs.h.
std::string machine_path(std::string_view path);

// While it lives, recorded_machine() is the machine of a facts file. At most one may exist.
class MachineInUse {
 public:
  // Unpacks the file into a temporary folder. Call it before anything reads the machine.
  static Result<std::unique_ptr<MachineInUse>> open(const std::string& path);
  ~MachineInUse();
  MachineInUse(const MachineInUse&) = delete;
  MachineInUse& operator=(const MachineInUse&) = delete;

 private:
  friend const MachineRecord* recorded_machine();
  friend const Architecture& traced_architecture();
  friend std::string machine_path(std::string_view path);
  MachineInUse() = default;

  MachineRecord record_;
  std::string folder_;
};

}  // namespace dscope
