// Makes one loadable BPF program of an entry function and exactly the functions it reaches (the kernel refuses
// unreachable code): bodies are laid out one behind the other, calls and addresses patched from the relocations.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/load/bpf_object_file.h"
#include "support/result.h"

namespace dscope {

// Relocation types of the BPF ELF machine that code may carry.
enum class BpfRelocation : uint32_t { Address = 1 /* R_BPF_64_64 */, Call = 10 /* R_BPF_64_32 */ };

// Where a function's body went; debug information is moved along by it.
struct LinkedPart {
  uint32_t section = 0;
  uint64_t offset = 0, size = 0;   // bytes in the section
  uint32_t first_instruction = 0;  // in the linked program
  bool claims_stack = false;       // that is an instruction of the linker, the body begins after it
  bool is_alone = false;           // takes two numbers and is verified once, whatever its callers know

  // Where the instruction at `place` bytes of the section went; the function's first stands for the linker's too.
  uint32_t instruction_at(uint64_t place) const {
    auto index = static_cast<uint32_t>((place - offset) / sizeof(bpf_insn));
    return first_instruction + index + (claims_stack && index > 0 ? 1 : 0);
  }
};

struct LinkedProgram {
  std::vector<bpf_insn> instructions;
  std::vector<LinkedPart> parts;
  // Some function's address is taken (bpf_loop): the kernel then wants to know the type of every function.
  bool has_callbacks = false;
};

struct MapReference {
  int fd = -1;
  bool is_direct = false;  // the symbol is the address of element 0's value
};

// What the names and sections of the object stand for in this kernel.
class SymbolResolver {
 public:
  virtual ~SymbolResolver() = default;
  virtual Result<MapReference> map(std::string_view name) = 0;
  // Descriptor of the array map that holds a data section.
  virtual Result<int> data_section(uint32_t section) = 0;
  // BTF id of a kernel function.
  virtual Result<int32_t> kernel_function(std::string_view name) = 0;
};

// `cookie` is what the undefined symbol "ds_cookie" stands for.
Result<LinkedProgram> link_program(const BpfObjectFile& object, std::string_view entry, SymbolResolver& resolver,
                                   uint64_t cookie);

}  // namespace dscope
