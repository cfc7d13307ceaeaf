#include "codegen/core/disassembly.h"

#include <llvm-c/Disassembler.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "support/format.h"

extern "C" {
void LLVMInitializeBPFTargetInfo();
void LLVMInitializeBPFTargetMC();
void LLVMInitializeBPFDisassembler();
}

namespace dscope {

namespace {

// Memory layout of an instruction, as in linux/bpf.h.
struct Instruction {
  uint8_t opcode;
  uint8_t registers;  // destination in the low half, source in the high
  int16_t offset;
  int32_t immediate;
};
static_assert(sizeof(Instruction) == 8);
constexpr uint8_t wide_load = 0x18;  // occupies two slots

struct DisposeContext {
  void operator()(void* context) const { LLVMDisasmDispose(context); }
};
using Context = std::unique_ptr<void, DisposeContext>;

std::string instruction_text(void* context, std::span<const std::byte> code) {
  char text[256];
  // The C interface takes a non-const pointer, but does not write to it.
  auto* bytes = reinterpret_cast<uint8_t*>(const_cast<std::byte*>(code.data()));
  if (LLVMDisasmInstruction(context, bytes, code.size(), 0, text, sizeof text) == 0) return "(unknown)";
  std::string_view trimmed = text;
  trimmed.remove_prefix(std::min(trimmed.find_first_not_of(" \t"), trimmed.size()));
  return std::string(trimmed);
}

}  // namespace

Result<std::string> disassemble(std::span<const std::byte> code, const std::vector<std::string>& notes) {
  LLVMInitializeBPFTargetInfo();
  LLVMInitializeBPFTargetMC();
  LLVMInitializeBPFDisassembler();
  Context context{LLVMCreateDisasm("bpfel", nullptr, 0, nullptr, nullptr)};
  if (!context) return fail(Error::make("LLVM has no BPF disassembler"));
  std::string text = "INS  OFF    OPCODE                  INSTRUCTION\n";
  bool is_second_half = false;
  for (size_t i = 0; (i + 1) * sizeof(Instruction) <= code.size(); ++i) {
    Instruction instruction;
    std::memcpy(&instruction, code.data() + i * sizeof instruction, sizeof instruction);
    std::string meaning = is_second_half ? "" : instruction_text(context.get(), code.subspan(i * sizeof instruction));
    if (i < notes.size() && !notes[i].empty()) meaning += fmt::format("  ! {}", notes[i]);
    std::string line =
        fmt::format("{:04} {:05}: {:02x} {:01x} {:01x} {:04x} {:08x}    {}", i, i * sizeof instruction,
                    instruction.opcode, instruction.registers & 0xf, instruction.registers >> 4,
                    static_cast<uint16_t>(instruction.offset), static_cast<uint32_t>(instruction.immediate), meaning);
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    is_second_half = !is_second_half && instruction.opcode == wide_load;
  }
  return text;
}

}  // namespace dscope
