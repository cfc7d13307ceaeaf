// BTF that is loaded into the kernel: the BTF of the object, with function and line records moved to where the linker
// placed the functions (used only to explain a rejection), and small generated BTF where the kernel requires some: for
// task storage maps and for programs with callbacks.
#pragma once

#include <linux/bpf.h>

#include <vector>

#include "runtime/load/bpf_object_file.h"
#include "runtime/load/program_linker.h"
#include "support/fd.h"

namespace dscope {

// Type ids of key and value in the BTF of load_storage_btf().
inline constexpr uint32_t storage_btf_key = 1;
inline constexpr uint32_t storage_btf_value = 3;
// Loads BTF for `int` keys and values of `value_size` bytes, which must be a multiple of 8.
Result<Fd> load_storage_btf(uint32_t value_size);

struct ProgramDebugInfo {
  int btf_fd = 0;
  std::vector<bpf_func_info> functions;  // one per part, or empty
  std::vector<bpf_line_info> lines;
};

// Loads BTF with two function types: one for the global functions of a program, which the kernel verifies separately,
// and one for all its other functions. callback_info() assigns them to the functions of a program.
Result<Fd> load_callback_btf();
ProgramDebugInfo callback_info(int btf_fd, const LinkedProgram& program);

class ProgramBtf {
 public:
  // Error if the object has no .BTF or .BTF.ext, or if the kernel rejects them.
  static Result<ProgramBtf> load(const BpfObjectFile& object);

  ProgramDebugInfo debug_info(const LinkedProgram& program) const;

 private:
  struct SectionInfo {
    std::vector<bpf_func_info> functions;  // insn_off in bytes
    std::vector<bpf_line_info> lines;
  };
  Fd fd_;
  std::vector<SectionInfo> sections_;  // by section number

  friend class BtfExtReader;
};

}  // namespace dscope
