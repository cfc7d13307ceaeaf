#include "runtime/dwarf/stack_unwinder.h"

#include <dwarf.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "arch/architecture.h"
#include "runtime/dwarf/constant_operation.h"
#include "runtime/dwarf/section_sizes.h"

namespace dscope {

namespace {

using Registers = std::array<uint64_t, ThreadRegisters::max_count>;

const UnwindRegisters& numbers() { return native_architecture().unwinding; }

// The copied part of the thread's stack.
struct StackCopy {
  uint64_t start = 0;
  std::span<const std::byte> bytes;

  std::optional<uint64_t> word(uint64_t address) const {
    uint64_t offset = address - start, value = 0;
    if (bytes.size() < sizeof value || offset > bytes.size() - sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
};

struct FrameFreer {
  void operator()(Dwarf_Frame* frame) const { std::free(frame); }
};

// Evaluates the DWARF expressions of call frame information.
class Expression {
 public:
  Expression(const Registers& registers, const StackCopy& stack, uint64_t frame_address)
      : registers_(registers), stack_(stack), frame_address_(frame_address) {}

  // The value on top of the stack at the end; nothing for an unknown operation or unavailable memory. Sets `is_value`
  // if the result is the value of the register itself rather than the address where it was saved.
  std::optional<uint64_t> evaluate(std::span<const Dwarf_Op> operations, bool& is_value) {
    for (const Dwarf_Op& operation : operations) {
      // DW_OP_reg<n> denotes the register itself, not an address.
      bool is_register = operation.atom >= DW_OP_reg0 && operation.atom <= DW_OP_reg31;
      if (is_register || operation.atom == DW_OP_stack_value) is_value = true;
      if (operation.atom == DW_OP_stack_value) continue;
      if (!apply(operation)) return std::nullopt;
    }
    return values_.empty() ? std::nullopt : std::optional{values_.back()};
  }

 private:
  bool apply(const Dwarf_Op& operation) {
    unsigned atom = operation.atom;
    if (auto constant = pushed_constant(operation)) return push(*constant);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) return push_register(atom - DW_OP_breg0, operation.number);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) return push_register(atom - DW_OP_reg0, 0);
    switch (atom) {
      case DW_OP_bregx: return push_register(operation.number, operation.number2);
      case DW_OP_call_frame_cfa: return push(frame_address_);
      case DW_OP_plus_uconst: return replace_top([&](uint64_t top) { return top + operation.number; });
      case DW_OP_dup: return !values_.empty() && push(values_.back());
      case DW_OP_deref: return dereference();
      default: return combine(atom);
    }
  }

  bool push(uint64_t value) {
    constexpr size_t max_depth = 64;
    if (values_.size() == max_depth) return false;
    values_.push_back(value);
    return true;
  }

  bool push_register(uint64_t number, uint64_t offset) {
    return number < numbers().offsets.size() && push(registers_[number] + offset);
  }

  template <typename Change>
  bool replace_top(const Change& change) {
    if (values_.empty()) return false;
    values_.back() = change(values_.back());
    return true;
  }

  bool dereference() {
    auto word = values_.empty() ? std::nullopt : stack_.word(values_.back());
    if (word) values_.back() = *word;
    return word.has_value();
  }

  // Binary operations.
  bool combine(unsigned atom) {
    if (values_.size() < 2) return false;
    uint64_t right = values_.back();
    values_.pop_back();
    uint64_t& left = values_.back();
    switch (atom) {
      case DW_OP_plus: left += right; return true;
      case DW_OP_minus: left -= right; return true;
      case DW_OP_and: left &= right; return true;
      case DW_OP_or: left |= right; return true;
      case DW_OP_shl: left = right < 64 ? left << right : 0; return true;
      case DW_OP_ge: left = static_cast<int64_t>(left) >= static_cast<int64_t>(right) ? 1 : 0; return true;
      default: return false;
    }
  }

  const Registers& registers_;
  const StackCopy& stack_;
  uint64_t frame_address_;
  std::vector<uint64_t> values_;
};

using FrameRules = std::unique_ptr<Dwarf_Frame, FrameFreer>;

// The unwind rules for the code at `location`; null if its table has none.
FrameRules find_rules(const CodeLocation& location) {
  Dwarf_Frame* found = nullptr;
  if (location.table == nullptr) return nullptr;
  location.table->dw().dwarf_cfi_addrframe(location.table->information(), location.address, &found);
  return FrameRules{found};
}

// The registers of the caller; nothing if there is no caller or its frame was not copied.
std::optional<Registers> step_by_table(const LibDw& dw, const Registers& registers, const StackCopy& stack,
                                       const FrameRules& rules) {
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  bool is_value = false;
  if (dw.dwarf_frame_cfa(rules.get(), &operations, &count) != 0 || count == 0) return std::nullopt;
  auto frame_address = Expression{registers, stack, 0}.evaluate({operations, count}, is_value);
  if (!frame_address) return std::nullopt;
  Registers caller = registers;
  caller[numbers().stack_pointer] = *frame_address;
  for (size_t i = 0; i < numbers().offsets.size(); ++i) {
    Dwarf_Op space[3];
    if (dw.dwarf_frame_register(rules.get(), static_cast<int>(i), space, &operations, &count) != 0) continue;
    bool is_unchanged_or_undefined = count == 0;
    if (is_unchanged_or_undefined) {
      // An undefined return address marks the outermost frame.
      if (i == numbers().return_address && operations == space) return std::nullopt;
      continue;
    }
    is_value = false;
    auto result = Expression{registers, stack, *frame_address}.evaluate({operations, count}, is_value);
    if (result && !is_value) result = stack.word(*result);
    if (result) caller[i] = *result;
    else if (i == numbers().return_address) return std::nullopt;
  }
  return caller;
}

std::optional<Registers> step_by_frame_pointer(const Registers& registers, const StackCopy& stack) {
  uint64_t frame = registers[numbers().frame_pointer];
  auto next = stack.word(frame), address = stack.word(frame + 8);
  if (!next || !address) return std::nullopt;
  Registers caller = registers;
  caller[numbers().frame_pointer] = *next;
  caller[numbers().stack_pointer] = frame + 16;
  caller[numbers().return_address] = *address;
  return caller;
}

// Stacks grow downwards, so the caller's frame must lie above; anything else is damage and could loop. Only the first
// frame may be empty, if the return address is in a register.
bool is_above(const Registers& caller, const Registers& callee, bool is_first) {
  uint64_t above = caller[numbers().stack_pointer], below = callee[numbers().stack_pointer];
  return above > below || (above == below && is_first && native_architecture().return_address);
}

}  // namespace

std::unique_ptr<FrameTable> FrameTable::open(Fd file) {
  const LibDw* dw = find_libdw();
  FileBudget budget(file.get());
  if (dw == nullptr || !file || !frame_sections_fit(file.get(), budget)) return nullptr;
  Elf* elf = dw->elf_begin(file.get(), ELF_C_READ, nullptr);
  return read(*dw, std::move(file), elf);
}

std::unique_ptr<FrameTable> FrameTable::of_memory(std::span<char> image) {
  const LibDw* dw = find_libdw();
  if (dw == nullptr || image.empty()) return nullptr;
  return read(*dw, Fd{}, dw->elf_memory(image.data(), image.size()));
}

std::unique_ptr<FrameTable> FrameTable::read(const LibDw& dw, Fd file, Elf* elf) {
  if (elf == nullptr) return nullptr;
  std::unique_ptr<FrameTable> table{new FrameTable(dw, std::move(file), elf)};
  table->information_ = dw.dwarf_getcfi_elf(elf);
  return table->information_ != nullptr ? std::move(table) : nullptr;
}

FrameTable::~FrameTable() {
  if (information_ != nullptr) dw_.dwarf_cfi_end(information_);
  dw_.elf_end(elf_);
}

ThreadRegisters ThreadRegisters::from_pt_regs(std::span<const uint64_t> words) {
  auto word = [&](uint32_t offset) { return offset / 8 < words.size() ? words[offset / 8] : 0; };
  ThreadRegisters registers;
  std::span<const uint16_t> offsets = numbers().offsets;
  for (size_t i = 0; i < offsets.size(); ++i) registers.values[i] = word(offsets[i]);
  registers.instruction_pointer = word(native_architecture().instruction_pointer);
  return registers;
}

std::vector<uint64_t> unwind(ThreadRegisters registers, std::span<const std::byte> stack, size_t max_frames,
                             const std::function<CodeLocation(uint64_t address)>& locate) {
  std::vector<uint64_t> addresses;
  Registers current = registers.values;
  uint64_t address = registers.instruction_pointer;
  StackCopy copy{current[numbers().stack_pointer], stack};
  while (addresses.size() < max_frames && address != 0) {
    addresses.push_back(address);
    // The return address of a call at the end of a function is past the end of that function.
    CodeLocation location = locate(addresses.size() == 1 ? address : address - 1);
    FrameRules rules = find_rules(location);
    std::optional<Registers> caller = rules != nullptr ? step_by_table(location.table->dw(), current, copy, rules)
                                                       : step_by_frame_pointer(current, copy);
    if (!caller || !is_above(*caller, current, addresses.size() == 1)) break;
    current = *caller;
    address = current[numbers().return_address] & native_architecture().return_address_mask;
  }
  return addresses;
}

}  // namespace dscope
