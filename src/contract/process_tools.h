// Functions for the providers of probes in user programs: a decoder of machine code and a demangler. They are function
// pointers because the decoder depends on the processor, and because the demangler is LLVM's, which the runtime must
// not link.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

enum class WordSize : uint8_t { Bits32, Bits64 };

// The instructions of a function and its exits. Offsets are in bytes from its first byte.
struct CodeOutline {
  // Offset of each instruction. Empty if the code could not be decoded; the other members are then meaningless.
  std::vector<uint32_t> starts;
  struct Exit {
    uint32_t offset;                // of the instruction that leaves the function
    std::optional<int64_t> target;  // of a jump; nullopt: the instruction returns
  };
  std::vector<Exit> exits;
  // True if there are indirect jumps, whose targets may lie inside or outside the function, or conditional jumps out of
  // it: executing such an instruction does not prove that control leaves the function.
  bool has_ambiguous_exits = false;
  std::vector<uint32_t> indirect_jumps;
  // The offset for the entry probe: after jump-target marks such as endbr64 and after vector instructions, which
  // kernels cannot execute out of line. The argument registers and the stack are unchanged up to that point.
  uint32_t probe_offset = 0;
};
// Architecture::read_code. Null without a decoder: there are then no probes on instructions.
using ReadCode = CodeOutline (*)(std::span<const uint8_t> code, WordSize word_size);
// Turns a mangled C++ or Rust name into its source form; returns other names unchanged (codegen/core/demangle.h).
using Demangle = std::string (*)(std::string_view name);

// Functions of the compiler's side for the providers of probes in user programs, and facts about the targets.
struct ProcessTools {
  ReadCode read_code = nullptr;
  Demangle demangle = nullptr;  // without parameters
  Demangle demangle_with_parameters = nullptr;
  bool uses_uretprobes = false;  // return probes replace return addresses, even in functions whose exits are known
  // dscope examines processes again when they execute another program or load a library. It does not know in advance
  // which exceptions these throw, so decisions about a function must not depend on that.
  bool rechecks_processes = false;
  std::vector<uint32_t> targets;  // pids of -c and -p
};

}  // namespace dscope
