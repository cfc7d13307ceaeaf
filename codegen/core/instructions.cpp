#include "codegen/core/instructions.h"

#include <llvm-c/Target.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dscope {

namespace {

// Decodes x86 code of one word size with LLVM's MC layer.
class Decoder {
 public:
  explicit Decoder(const std::string& triple) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    std::string problem;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
    if (target == nullptr) return;
    registers_.reset(target->createMCRegInfo(triple));
    assembler_.reset(target->createMCAsmInfo(*registers_, triple, llvm::MCTargetOptions{}));
    features_.reset(target->createMCSubtargetInfo(triple, "", ""));
    instructions_.reset(target->createMCInstrInfo());
    analysis_.reset(target->createMCInstrAnalysis(instructions_.get()));
    context_ =
        std::make_unique<llvm::MCContext>(llvm::Triple(triple), assembler_.get(), registers_.get(), features_.get());
    disassembler_.reset(target->createMCDisassembler(*features_, *context_));
  }

  bool is_ready() const { return disassembler_ != nullptr && analysis_ != nullptr; }

  CodeOutline decode(std::span<const uint8_t> code) const {
    CodeOutline outline;
    bool is_at_start = true;
    std::vector<uint64_t> targets;
    TableJump table;
    llvm::ArrayRef<uint8_t> bytes(code.data(), code.size());
    for (uint64_t at = 0; at < code.size();) {
      llvm::MCInst instruction;
      uint64_t size = 0;
      do {
        uint64_t more = 0;
        auto status =
            disassembler_->getInstruction(instruction, more, bytes.slice(at + size), at + size, llvm::nulls());
        if (status != llvm::MCDisassembler::Success || more == 0) return {};
        size += more;
      } while (is_prefix(instruction) && at + size < code.size());
      outline.starts.push_back(static_cast<uint32_t>(at));
      is_at_start = is_at_start && is_skippable(instruction, code.subspan(at, size));
      if (is_at_start) outline.probe_offset = static_cast<uint32_t>(at + size);
      track_table_jump(table, instruction);
      bool is_table_jump = is_marked_table_jump(code.subspan(at, size)) || jumps_through(table, instruction);
      if (!is_table_jump) add_exit(outline, instruction, size, at, code.size(), targets);
      at += size;
    }
    if (!std::all_of(targets.begin(), targets.end(), [&](uint64_t target) { return is_start(outline, code, target); }))
      return {};
    bool is_reached_again = std::any_of(targets.begin(), targets.end(),
                                        [&](uint64_t target) { return target > 0 && target <= outline.probe_offset; });
    if (is_reached_again || outline.probe_offset == code.size()) outline.probe_offset = 0;
    return outline;
  }

 private:
  // Where indirect jumps must lead to a marked target (IBT), compilers mark jumps through a table: 3e ff.
  static bool is_marked_table_jump(std::span<const uint8_t> bytes) { return bytes.size() > 2 && bytes[0] == 0x3e; }

  // The compilers' code for a switch statement: it loads a distance from a table, adds it to the address of the table,
  // and jumps to the sum.
  struct TableJump {
    llvm::MCRegister distance, table, destination;
  };
  void track_table_jump(TableJump& jump, const llvm::MCInst& instruction) const {
    auto operand = [&](unsigned index) { return instruction.getOperand(index).getReg(); };
    llvm::StringRef name = instructions_->getName(instruction.getOpcode());
    if (name == "MOVSX64rm32") {  // operands: result, base, scale, index...
      bool is_indexed = instruction.getOperand(2).getImm() == 4 && operand(3) != 0;
      if (is_indexed) jump = {.distance = operand(0), .table = operand(1), .destination = {}};
    } else if (name == "ADD64rr" && jump.table != 0) {
      bool is_sum = (operand(0) == jump.distance && operand(2) == jump.table) ||
                    (operand(0) == jump.table && operand(2) == jump.distance);
      if (is_sum) jump.destination = operand(0);
    }
  }
  bool jumps_through(const TableJump& jump, const llvm::MCInst& instruction) const {
    return instructions_->getName(instruction.getOpcode()) == "JMP64r" && jump.destination != 0 &&
           instruction.getOperand(0).getReg() == jump.destination;
  }

  // LLVM decodes `lock` and other prefixes as separate instructions. A breakpoint behind a prefix would make its
  // instruction invalid.
  bool is_prefix(const llvm::MCInst& instruction) const {
    return instructions_->getName(instruction.getOpcode()).ends_with("_PREFIX");
  }

  // Jumps lead to the starts of instructions. Otherwise the decoder has read data as code, and the result is worthless.
  // Only jumps behind a `lock` prefix are deliberate.
  static bool is_start(const CodeOutline& outline, std::span<const uint8_t> code, uint64_t target) {
    return std::binary_search(outline.starts.begin(), outline.starts.end(), target) ||
           (target > 0 && code[target - 1] == 0xf0);
  }

  // Registers that neither pass arguments nor lead to the stack.
  static bool is_scratch_register(std::string_view name) {
    for (std::string_view kind : {"XMM", "YMM", "ZMM", "K", "EAX", "RAX", "R10", "R11"})
      if (name.starts_with(kind)) return true;
    return false;
  }

  // endbr64, and instructions with a VEX or EVEX prefix that change no argument.
  bool is_skippable(const llvm::MCInst& instruction, std::span<const uint8_t> bytes) const {
    constexpr uint8_t mark[] = {0xf3, 0x0f, 0x1e};
    if (bytes.size() == 4 && std::equal(std::begin(mark), std::end(mark), bytes.begin()) && bytes[3] >= 0xfa)
      return true;
    if (bytes[0] != 0xc4 && bytes[0] != 0xc5 && bytes[0] != 0x62) return false;
    const llvm::MCInstrDesc& description = instructions_->get(instruction.getOpcode());
    for (unsigned i = 0; i < description.getNumDefs(); ++i)
      if (!is_scratch_register(registers_->getName(instruction.getOperand(i).getReg()))) return false;
    return description.implicit_defs().empty();
  }

  // The address of the pointer that an indirect jump loads, if it is constant: the linker jumps to functions of other
  // libraries this way.
  std::optional<int64_t> jumped_through(const llvm::MCInst& instruction, uint64_t end) const {
    if (instructions_->getName(instruction.getOpcode()) != "JMP64m") return std::nullopt;
    // Operands: base, scale, index, distance.
    llvm::MCRegister base = instruction.getOperand(0).getReg(), index = instruction.getOperand(2).getReg();
    bool is_constant = base != 0 && registers_->getName(base) == std::string_view{"RIP"} && index == 0;
    if (!is_constant) return std::nullopt;
    return static_cast<int64_t>(end) + instruction.getOperand(3).getImm();
  }

  // Appends the targets of direct jumps within the function to `targets`.
  void add_exit(CodeOutline& outline, const llvm::MCInst& instruction, uint64_t size, uint64_t at, uint64_t end,
                std::vector<uint64_t>& targets) const {
    const llvm::MCInstrDesc& description = instructions_->get(instruction.getOpcode());
    if (description.isReturn()) {
      outline.exits.push_back({.offset = static_cast<uint32_t>(at), .target = std::nullopt});
    } else if (auto pointer = jumped_through(instruction, at + size)) {
      outline.exits.push_back({static_cast<uint32_t>(at), pointer});
    } else if (description.isIndirectBranch()) {
      outline.has_ambiguous_exits = true;
      outline.indirect_jumps.push_back(static_cast<uint32_t>(at));
    } else if (description.isBranch()) {
      uint64_t target = 0;
      bool is_known = analysis_->evaluateBranch(instruction, at, size, target);
      if (is_known && target < end) return targets.push_back(target);
      bool is_exit = is_known && !description.isConditionalBranch();
      outline.has_ambiguous_exits |= !is_exit;
      if (is_exit) outline.exits.push_back({static_cast<uint32_t>(at), static_cast<int64_t>(target)});
    }
  }

  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> assembler_;
  std::unique_ptr<llvm::MCSubtargetInfo> features_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
};

}  // namespace

CodeOutline read_code(const Architecture& architecture, std::span<const uint8_t> code, WordSize word_size) {
  if (architecture.read_code != nullptr) return architecture.read_code(code, word_size);
  static const Decoder wide(std::string{x86_64.triple});
  if (word_size == WordSize::Bits64) return wide.is_ready() ? wide.decode(code) : CodeOutline{};
  static const Decoder narrow(std::string{x86_64.compat_triple});
  return narrow.is_ready() ? narrow.decode(code) : CodeOutline{};
}

CodeOutline read_code(std::span<const uint8_t> code, WordSize word_size) {
  return read_code(native_architecture(), code, word_size);
}

}  // namespace dscope
