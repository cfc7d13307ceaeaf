// BTF that is loaded into the kernel: the BTF of the object, with function and line records moved to where the linker
// placed the functions (used only to explain a rejection), and generated BTF for task storage maps.
#pragma once

#include <linux/bpf.h>

#include <cstddef>
#include <span>
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

// Error if the kernel rejects the BTF.
Result<Fd> load_btf(std::span<const std::byte> bytes);

struct ProgramDebugInfo {
  int btf_fd = 0;
  std::vector<bpf_func_info> functions;  // one per part, or empty
  std::vector<bpf_line_info> lines;
};

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
