// Functions are placed in the order in which they are reached from the entry. References between them are collected and
// patched once all positions are known.
#include "runtime/load/program_linker.h"

#include <linux/bpf.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "runtime/load/instruction_codes.h"

namespace dscope {
namespace {

constexpr std::string_view cookie_symbol = "ds_cookie";
constexpr int max_stack = 512;                  // MAX_BPF_STACK
constexpr size_t max_instructions = 1'000'000;  // BPF_COMPLEXITY_LIMIT_INSNS

constexpr int stack_slot_size = 8;

// Offset from the frame pointer of the lowest slot that the function accesses through the frame pointer or whose
// address it computes; 0 if it does not use the stack.
//
// A function writes this slot at its start to avoid a kernel bug (seen in Linux 6.18, kernel/bpf/verifier.c,
// __mark_chain_precision). A slot that is written on only one of two paths can become precise in a state of one path
// that equals a state of the other. The verifier then looks for the slot in earlier states, whose stack may not reach
// down to it, and fails with EFAULT, "verifier bug". If the whole frame is in use from the first instruction on, every
// state has all slots.
int16_t lowest_stack_slot(const std::vector<bpf_insn>& body) {
  int lowest = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    const bpf_insn& insn = body[i];
    uint8_t kind = BPF_CLASS(insn.code);
    bool is_load = kind == BPF_LDX && insn.src_reg == BPF_REG_10;
    bool is_store = (kind == BPF_ST || kind == BPF_STX) && insn.dst_reg == BPF_REG_10;
    if (is_load || is_store) lowest = std::min<int>(lowest, insn.off);
    bool is_address = insn.code == (BPF_ALU64 | BPF_MOV | BPF_X) && insn.src_reg == BPF_REG_10 && i + 1 < body.size() &&
                      body[i + 1].code == (BPF_ALU64 | BPF_ADD | BPF_K) && body[i + 1].dst_reg == insn.dst_reg;
    if (is_address) lowest = std::min<int>(lowest, body[i + 1].imm);
    if (insn.code == load_immediate64) ++i;
  }
  return static_cast<int16_t>(lowest < -max_stack ? 0 : lowest & -stack_slot_size);
}

class ProgramLinker {
 public:
  ProgramLinker(const BpfObjectFile& object, SymbolResolver& resolver, uint64_t cookie)
      : object_(object), resolver_(resolver), cookie_(cookie) {}

  Result<LinkedProgram> link(std::string_view entry) {
    const ObjectFunction* function = object_.find_function(entry);
    if (!function) return fail(Error::make("the BPF object has no function {}", entry));
    place(*function);
    for (size_t i = 0; i < functions_.size(); ++i) DS_TRY_VOID(append(i));
    for (const Reference& reference : references_) patch(reference);
    return std::move(program_);
  }

 private:
  struct Reference {
    size_t instruction;
    size_t part;
  };

  // Index of the function's part; adds a new part for a function that was not reached before.
  size_t place(const ObjectFunction& function) {
    auto [known, is_new] = part_of_.emplace(&function, functions_.size());
    if (is_new) {
      functions_.push_back(&function);
      program_.parts.push_back({.section = function.section,
                                .offset = function.offset,
                                .size = function.size,
                                .global_parameters = global_parameters(function.name)});
      if (program_.parts.back().global_parameters) program_.needs_function_types = true;
    }
    return known->second;
  }

  Result<> append(size_t part) {
    const ObjectFunction& function = *functions_[part];
    size_t count = function.size / sizeof(bpf_insn);
    if (program_.instructions.size() + count >= max_instructions)
      return fail(Error::make("the program has too many instructions"));
    size_t first = append_body(part, count);

    const auto& relocations = object_.relocations(function.section);
    auto relocation = std::lower_bound(relocations.begin(), relocations.end(), function.offset,
                                       [](const auto& item, uint64_t offset) { return item.offset < offset; });
    for (size_t i = 0; i < count; ++i) {
      uint64_t offset = function.offset + i * sizeof(bpf_insn);
      bool is_relocated = relocation != relocations.end() && relocation->offset == offset;
      bool is_wide = program_.instructions[first + i].code == load_immediate64;
      if (is_wide && i + 1 == count) return fail(Error::make("{} ends within an instruction", function.name));
      if (is_relocated) {
        DS_TRY_VOID(relocate(first + i, *relocation++));
      } else {
        DS_TRY_VOID(follow_local_call(first + i, function, offset));
      }
      if (is_wide) ++i;
    }
    if (relocation != relocations.end() && relocation->offset < function.offset + function.size)
      return fail(Error::make("{} has a relocation within an instruction", function.name));
    return {};
  }

  // Appends the function's instructions unchanged, after an inserted one that claims its stack. Returns the index of
  // the first.
  size_t append_body(size_t part, size_t count) {
    const ObjectFunction& function = *functions_[part];
    std::vector<bpf_insn> body(count);
    std::memcpy(body.data(), object_.sections()[function.section].bytes.data() + function.offset, function.size);
    program_.parts[part].first_instruction = static_cast<uint32_t>(program_.instructions.size());
    if (int16_t lowest = lowest_stack_slot(body); lowest < 0) {
      program_.parts[part].claims_stack = true;
      program_.instructions.push_back(
          {.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = 0, .off = lowest, .imm = 0});
    }
    size_t first = program_.instructions.size();
    program_.instructions.insert(program_.instructions.end(), body.begin(), body.end());
    return first;
  }

  // The assembler may have resolved a call within one section already.
  Result<> follow_local_call(size_t index, const ObjectFunction& function, uint64_t offset) {
    const bpf_insn& instruction = program_.instructions[index];
    if (instruction.code != call_instruction || instruction.src_reg != BPF_PSEUDO_CALL) return {};
    return refer(index, function.section, static_cast<int64_t>(offset) + 8 * (int64_t{instruction.imm} + 1));
  }

  Result<> relocate(size_t index, const ObjectRelocation& relocation) {
    const ObjectSymbol& symbol = object_.symbols()[relocation.symbol];
    uint8_t code = program_.instructions[index].code;
    if (relocation.type == static_cast<uint32_t>(BpfRelocation::Call) && code == call_instruction)
      return relocate_call(index, symbol);
    if (relocation.type == static_cast<uint32_t>(BpfRelocation::Address) && code == load_immediate64)
      return symbol.section == 0 ? relocate_undefined(index, symbol) : relocate_defined(index, symbol);
    return fail(
        Error::make("relocation type {} against {} is not supported in BPF code", relocation.type, symbol.name));
  }

  Result<> relocate_call(size_t index, const ObjectSymbol& symbol) {
    bpf_insn& instruction = program_.instructions[index];
    if (symbol.section != 0)
      return refer(index, symbol.section, static_cast<int64_t>(symbol.value) + 8 * (int64_t{instruction.imm} + 1));
    DS_TRY(instruction.imm, resolver_.kernel_function(symbol.name));
    instruction.src_reg = BPF_PSEUDO_KFUNC_CALL;
    instruction.off = 0;  // a function of vmlinux, not of a module
    return {};
  }

  Result<> relocate_undefined(size_t index, const ObjectSymbol& symbol) {
    if (symbol.name == cookie_symbol) {
      program_.instructions[index].imm = static_cast<int32_t>(cookie_);
      program_.instructions[index + 1].imm = static_cast<int32_t>(cookie_ >> 32);
      return {};
    }
    DS_TRY(MapReference map, resolver_.map(symbol.name));
    return map.is_direct ? load_value_address(index, map.fd, 0) : load_map(index, map.fd);
  }

  Result<> relocate_defined(size_t index, const ObjectSymbol& symbol) {
    const ObjectSection& section = object_.sections()[symbol.section];
    if (section.is_code) {
      program_.instructions[index].src_reg = BPF_PSEUDO_FUNC;
      program_.needs_function_types = true;
      return refer(index, symbol.section, static_cast<int64_t>(symbol.value) + program_.instructions[index].imm);
    }
    if (!section.is_data) return fail(Error::make("BPF code refers to section {}", section.name));
    DS_TRY(int fd, resolver_.data_section(symbol.section));
    return load_value_address(index, fd, symbol.value);
  }

  Result<> load_map(size_t index, int fd) {
    bpf_insn& instruction = program_.instructions[index];
    if (instruction.imm != 0) return fail(Error::make("BPF code refers to the inside of a map"));
    instruction.src_reg = BPF_PSEUDO_MAP_FD;
    instruction.imm = fd;
    return {};
  }

  // Moves the addend from the first half of the instruction pair, plus `offset`, to the second half; the first half
  // gets the map.
  Result<> load_value_address(size_t index, int fd, uint64_t offset) {
    bpf_insn* pair = &program_.instructions[index];
    pair[0].src_reg = BPF_PSEUDO_MAP_VALUE;
    pair[1].imm = static_cast<int32_t>(static_cast<int64_t>(offset) + pair[0].imm);
    pair[0].imm = fd;
    return {};
  }

  Result<> refer(size_t index, uint32_t section, int64_t offset) {
    const ObjectFunction* target = offset < 0 ? nullptr : object_.find_function(section, static_cast<uint64_t>(offset));
    if (!target)
      return fail(
          Error::make("BPF code refers to {}+{}, which is not a function", object_.sections()[section].name, offset));
    references_.push_back({.instruction = index, .part = place(*target)});
    return {};
  }

  // Calls and function addresses are relative to the following instruction.
  void patch(const Reference& reference) {
    uint32_t target = program_.parts[reference.part].first_instruction;
    program_.instructions[reference.instruction].imm =
        static_cast<int32_t>(target) - static_cast<int32_t>(reference.instruction) - 1;
  }

  const BpfObjectFile& object_;
  SymbolResolver& resolver_;
  uint64_t cookie_;
  LinkedProgram program_;
  std::vector<const ObjectFunction*> functions_;  // parallel to program_.parts
  std::map<const ObjectFunction*, size_t> part_of_;
  std::vector<Reference> references_;
};

}  // namespace

Result<LinkedProgram> link_program(const BpfObjectFile& object, std::string_view entry, SymbolResolver& resolver,
                                   uint64_t cookie) {
  return ProgramLinker{object, resolver, cookie}.link(entry);
}

}  // namespace dscope
