// Links a loadable BPF program from an entry function and exactly the functions that it reaches (the kernel rejects
// unreachable code): places the bodies one after another and patches calls and addresses from the relocations.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "contract/global_function.h"
#include "runtime/load/bpf_object_file.h"
#include "support/result.h"

namespace dscope {

// Relocation types of the BPF ELF machine that may apply to code.
enum class BpfRelocation : uint32_t { Address = 1 /* R_BPF_64_64 */, Call = 10 /* R_BPF_64_32 */ };

// The position of a function's body in the linked program; debug information is moved by it.
struct LinkedPart {
  uint32_t section = 0;
  uint64_t offset = 0, size = 0;   // bytes in the section
  uint32_t first_instruction = 0;  // in the linked program
  bool claims_stack = false;       // first_instruction was inserted by the linker, the body follows it
  // Set for global functions. The verifier checks them once, independently of their callers.
  std::optional<GlobalParameters> global_parameters;
  // Index in the program of the instruction at byte `position` of the section. The function's first instruction maps to
  // the inserted one.
  uint32_t instruction_at(uint64_t position) const {
    auto index = static_cast<uint32_t>((position - offset) / sizeof(bpf_insn));
    return first_instruction + index + (claims_stack && index > 0 ? 1 : 0);
  }
};

struct LinkedProgram {
  std::vector<bpf_insn> instructions;
  std::vector<LinkedPart> parts;
  // The address of some function is taken (bpf_loop), or some function is global: the kernel then requires the BTF type
  // of every function.
  bool needs_function_types = false;
};

struct MapReference {
  int fd = -1;
  bool is_direct = false;  // the symbol is the address of element 0's value
};

// Resolves the undefined symbols and data sections of the object.
class SymbolResolver {
 public:
  virtual ~SymbolResolver() = default;
  virtual Result<MapReference> map(std::string_view name) = 0;
  // Descriptor of the array map that holds a data section.
  virtual Result<int> data_section(uint32_t section) = 0;
  // BTF id of a kernel function.
  virtual Result<int32_t> kernel_function(std::string_view name) = 0;
};

// `cookie` is the value of the undefined symbol "ds_cookie". Error if a symbol cannot be resolved or the program
// exceeds the kernel's limit of instructions.
Result<LinkedProgram> link_program(const BpfObjectFile& object, std::string_view entry, SymbolResolver& resolver,
                                   uint64_t cookie);

}  // namespace dscope
