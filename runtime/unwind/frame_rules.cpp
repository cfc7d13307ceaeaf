#include "runtime/unwind/frame_rules.h"

#include <dwarf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/elf/byte_cursor.h"

namespace dscope {

bool operator==(const ds_unwind_rule& left, const ds_unwind_rule& right) {
  return std::memcmp(&left, &right, sizeof left) == 0;
}

namespace {

// DWARF numbers of registers.
struct Registers {
  explicit Registers(const Architecture& architecture)
      : frame(architecture.unwinding.frame_pointer),
        stack(architecture.unwinding.stack_pointer),
        code(architecture.unwinding.return_address),
        has_link(architecture.return_address.has_value()) {}
  uint64_t frame, stack, code;
  bool has_link;  // calls leave the return address in the register `code`
};

// An address that an expression computes: register + offset, or the word at that address.
struct Place {
  uint64_t base = 0;
  int64_t offset = 0;
  bool is_dereferenced = false;
};

// Where the caller's value of a register is.
struct Saved {
  enum class Kind : uint8_t { Unchanged, AtFrameAddress, AtRegister, Undefined, Unknown } kind = Kind::Unchanged;
  int64_t offset = 0;
  uint64_t base = 0;  // AtRegister
};

struct FrameState {
  uint64_t base = 0;  // of the canonical frame address (CFA), unless `expression` computes it
  int64_t offset = 0;
  std::span<const uint8_t> expression;
  Saved frame, code;
};

// Expressions of one register, an offset and perhaps a dereference. Nothing for others.
std::optional<Place> read_place(ByteCursor expression) {
  uint8_t operation = expression.byte();
  if (operation < DW_OP_breg0 || operation > DW_OP_breg31) return std::nullopt;
  Place place{.base = uint64_t{operation} - DW_OP_breg0, .offset = expression.signed_leb()};
  if (expression.is_at_end()) return place;
  place.is_dereferenced = expression.byte() == DW_OP_deref;
  return place.is_dereferenced && expression.is_at_end() ? std::optional(place) : std::nullopt;
}

// The expression that linkers write for linkage tables: an entry of 16 bytes pushes a number before it jumps.
//   sp + 8 + ((code & 15) >= n) << 3
std::optional<int32_t> read_stub(ByteCursor expression) {
  auto is_next = [&](uint8_t operation) { return expression.byte() == operation; };
  if (!is_next(DW_OP_breg7) || expression.signed_leb() != 8) return std::nullopt;
  if (!is_next(DW_OP_breg16) || expression.signed_leb() != 0) return std::nullopt;
  if (!is_next(DW_OP_lit15) || !is_next(DW_OP_and)) return std::nullopt;
  uint8_t literal = expression.byte();
  if (literal < DW_OP_lit0 || literal > DW_OP_lit15) return std::nullopt;
  if (!is_next(DW_OP_ge) || !is_next(DW_OP_lit3) || !is_next(DW_OP_shl) || !is_next(DW_OP_plus)) return std::nullopt;
  return literal - DW_OP_lit0;
}

template <typename To>
bool fits(int64_t value) {
  return value >= std::numeric_limits<To>::min() && value <= std::numeric_limits<To>::max();
}

constexpr ds_unwind_rule unsupported{.kind = DS_UNWIND_UNSUPPORTED, .frame_kind = 0, .frame_offset = 0, .offset = 0};

ds_unwind_rule signal_rule(const Registers& registers, const Place& stack) {
  constexpr int64_t stack_in_context = 120;  // of `rsp` in struct sigcontext
  int64_t offset = stack.offset - stack_in_context;
  if (stack.base != registers.stack || !stack.is_dereferenced || !fits<int32_t>(offset)) return unsupported;
  return {.kind = DS_UNWIND_SIGNAL, .frame_kind = 0, .frame_offset = 0, .offset = static_cast<int32_t>(offset)};
}

// The kind and offset of the CFA.
ds_unwind_rule address_rule(const Registers& registers, const FrameState& state, bool is_signal_frame) {
  Place place{.base = state.base, .offset = state.offset};
  if (!state.expression.empty()) {
    auto literal = registers.has_link ? std::nullopt : read_stub(ByteCursor{state.expression});
    if (literal) return {.kind = DS_UNWIND_STUB, .frame_kind = 0, .frame_offset = 0, .offset = *literal};
    auto computed = read_place(ByteCursor{state.expression});
    if (!computed) return unsupported;
    if (is_signal_frame) return registers.has_link ? unsupported : signal_rule(registers, *computed);
    place = *computed;
  }
  if ((place.base != registers.stack && place.base != registers.frame) || !fits<int32_t>(place.offset))
    return unsupported;
  bool is_stack = place.base == registers.stack;
  uint8_t kind = is_stack ? DS_UNWIND_STACK : DS_UNWIND_FRAME;
  if (place.is_dereferenced) kind = is_stack ? DS_UNWIND_STACK_WORD : DS_UNWIND_FRAME_WORD;
  return {.kind = kind, .frame_kind = 0, .frame_offset = 0, .offset = static_cast<int32_t>(place.offset)};
}

// Adds where the frame pointer and the return address are, on a machine whose calls leave it in a register.
ds_unwind_rule with_linked_return(ds_unwind_rule rule, const FrameState& state) {
  auto add = [&](uint8_t kind, int64_t offset) {
    if (!fits<int16_t>(offset)) return unsupported;
    rule.frame_kind = kind;
    rule.frame_offset = static_cast<int16_t>(offset);
    return rule;
  };
  const Saved &frame = state.frame, &code = state.code;
  bool keeps_frame = frame.kind == Saved::Kind::Unchanged;
  bool is_frame_at_address = frame.kind == Saved::Kind::AtFrameAddress;
  if (code.kind == Saved::Kind::Unchanged && keeps_frame) return add(DS_UNWIND_RETURN_IN_REGISTER, 0);
  if (code.kind != Saved::Kind::AtFrameAddress) return unsupported;
  if (keeps_frame) return add(DS_UNWIND_RETURN_AT_CFA, code.offset);
  bool is_pair = is_frame_at_address && code.offset == frame.offset + static_cast<int64_t>(sizeof(uint64_t));
  return is_pair ? add(DS_UNWIND_RETURN_BEHIND_FRAME, frame.offset) : unsupported;
}

ds_unwind_rule to_rule(const Registers& registers, const FrameState& state, bool is_signal_frame) {
  if (state.code.kind == Saved::Kind::Undefined)
    return {.kind = DS_UNWIND_END, .frame_kind = 0, .frame_offset = 0, .offset = 0};
  ds_unwind_rule rule = address_rule(registers, state, is_signal_frame);
  if (rule.kind == DS_UNWIND_SIGNAL || rule.kind == DS_UNWIND_UNSUPPORTED) return rule;
  if (registers.has_link) return with_linked_return(rule, state);
  if (state.code.kind != Saved::Kind::AtFrameAddress || state.code.offset != -8) return unsupported;
  const Saved& frame = state.frame;
  bool is_at_frame = frame.kind == Saved::Kind::AtRegister && frame.base == registers.frame;
  if ((frame.kind != Saved::Kind::AtFrameAddress && !is_at_frame) || !fits<int16_t>(frame.offset)) return rule;
  rule.frame_kind = is_at_frame ? DS_UNWIND_FRAME_AT_FRAME : DS_UNWIND_FRAME_AT_CFA;
  rule.frame_offset = static_cast<int16_t>(frame.offset);
  return rule;
}

// Runs the instructions of one function.
class FrameProgram {
 public:
  FrameProgram(const Registers& registers, const FrameEntry& entry, std::vector<RuleRow>& rows, FileBudget& budget)
      : registers_(registers), entry_(entry), rows_(rows), budget_(budget), at_(entry.start) {}

  void run() {
    run(ByteCursor{entry_.common.instructions});
    initial_ = state_;
    has_initial_ = true;
    run(ByteCursor{entry_.instructions});
    add_row();
  }

 private:
  static constexpr size_t max_saved_states = 64;

  void add_row() {
    if (at_ - entry_.start >= entry_.size || !budget_.take(sizeof(RuleRow))) return;
    ds_unwind_rule rule = to_rule(registers_, state_, entry_.common.is_signal_frame);
    // Most instructions describe registers that the rules do not need.
    if (has_row_ && rows_.back().rule == rule) return;
    if (has_row_ && rows_.back().address == at_) rows_.back().rule = rule;
    else rows_.push_back({.address = at_, .rule = rule});
    has_row_ = true;
  }

  void advance(uint64_t count) {
    if (!has_initial_) return;
    add_row();
    uint64_t bytes = count * entry_.common.code_alignment;
    // Past the end of the function no row is added.
    at_ = bytes < entry_.size - std::min(entry_.size, at_ - entry_.start) ? at_ + bytes : entry_.start + entry_.size;
  }

  int64_t aligned(uint64_t count) const {
    return static_cast<int64_t>(count * static_cast<uint64_t>(entry_.common.data_alignment));
  }

  void save(uint64_t number, Saved saved) {
    if (number == registers_.frame) state_.frame = saved;
    if (number == registers_.code) state_.code = saved;
  }
  void restore(uint64_t number) {
    if (number == registers_.frame) state_.frame = initial_.frame;
    if (number == registers_.code) state_.code = initial_.code;
  }
  void save_at(uint64_t number, int64_t offset) {
    save(number, {.kind = Saved::Kind::AtFrameAddress, .offset = offset});
  }
  void save_by_expression(uint64_t number, std::span<const uint8_t> expression) {
    auto place = read_place(ByteCursor{expression});
    if (!place || place->is_dereferenced) return save(number, {.kind = Saved::Kind::Unknown});
    save(number, {.kind = Saved::Kind::AtRegister, .offset = place->offset, .base = place->base});
  }
  void define(uint64_t base, int64_t offset) {
    state_.base = base;
    state_.offset = offset;
    state_.expression = {};
  }

  void run(ByteCursor cursor) {
    while (!cursor.is_at_end() && budget_.has_time()) {
      uint8_t operation = cursor.byte();
      uint8_t operand = operation & 0x3f;
      switch (operation & 0xc0) {
        case DW_CFA_advance_loc: advance(operand); break;
        case DW_CFA_offset: save_at(operand, aligned(cursor.leb())); break;
        case DW_CFA_restore: restore(operand); break;
        default:
          if (!extended(operation, cursor)) return;
      }
    }
  }

  // False for an unknown instruction: what follows cannot be read.
  bool extended(uint8_t operation, ByteCursor& cursor) {
    switch (operation) {
      case DW_CFA_nop: break;
      case DW_CFA_advance_loc1: advance(cursor.byte()); break;
      case DW_CFA_advance_loc2: advance(cursor.number<uint16_t>()); break;
      case DW_CFA_advance_loc4: advance(cursor.number<uint32_t>()); break;
      case DW_CFA_remember_state:
        if (saved_states_.size() < max_saved_states) saved_states_.push_back(state_);
        break;
      case DW_CFA_restore_state:
        if (saved_states_.empty()) break;
        state_ = saved_states_.back();
        saved_states_.pop_back();
        break;
      case DW_CFA_GNU_args_size: cursor.leb(); break;
      // On arm64: the return address gets or loses its signature, which the walk removes.
      case DW_CFA_GNU_window_save:
        if (!registers_.has_link) return false;
        break;
      default: return address_instruction(operation, cursor) || register_instruction(operation, cursor);
    }
    return true;
  }

  // Instructions about the CFA.
  bool address_instruction(uint8_t operation, ByteCursor& cursor) {
    switch (operation) {
      case DW_CFA_def_cfa: {
        uint64_t base = cursor.leb();
        define(base, static_cast<int64_t>(cursor.leb()));
        return true;
      }
      case DW_CFA_def_cfa_sf: {
        uint64_t base = cursor.leb();
        define(base, aligned(static_cast<uint64_t>(cursor.signed_leb())));
        return true;
      }
      case DW_CFA_def_cfa_register: define(cursor.leb(), state_.offset); return true;
      case DW_CFA_def_cfa_offset: define(state_.base, static_cast<int64_t>(cursor.leb())); return true;
      case DW_CFA_def_cfa_offset_sf:
        define(state_.base, aligned(static_cast<uint64_t>(cursor.signed_leb())));
        return true;
      case DW_CFA_def_cfa_expression: state_.expression = cursor.take(cursor.leb()); return true;
      default: return false;
    }
  }

  // Instructions about where registers are saved.
  bool register_instruction(uint8_t operation, ByteCursor& cursor) {
    uint64_t number = cursor.leb();
    switch (operation) {
      case DW_CFA_offset_extended: save_at(number, aligned(cursor.leb())); return true;
      case DW_CFA_offset_extended_sf: save_at(number, aligned(static_cast<uint64_t>(cursor.signed_leb()))); return true;
      case DW_CFA_GNU_negative_offset_extended: save_at(number, -aligned(cursor.leb())); return true;
      case DW_CFA_restore_extended: restore(number); return true;
      case DW_CFA_undefined: save(number, {.kind = Saved::Kind::Undefined}); return true;
      case DW_CFA_same_value: save(number, {}); return true;
      case DW_CFA_register:
      case DW_CFA_val_offset:
      case DW_CFA_val_offset_sf:
        cursor.leb();
        save(number, {.kind = Saved::Kind::Unknown});
        return true;
      case DW_CFA_expression: save_by_expression(number, cursor.take(cursor.leb())); return true;
      case DW_CFA_val_expression:
        cursor.take(cursor.leb());
        save(number, {.kind = Saved::Kind::Unknown});
        return true;
      default: return false;
    }
  }

  const Registers& registers_;
  const FrameEntry& entry_;
  std::vector<RuleRow>& rows_;
  FileBudget& budget_;
  uint64_t at_;
  FrameState state_, initial_;
  bool has_initial_ = false, has_row_ = false;
  std::vector<FrameState> saved_states_;
};

struct FunctionRows {
  uint64_t start, end;
  size_t first, count;  // rows
};

void append(std::vector<RuleRow>& rows, const RuleRow& row) {
  if (!rows.empty() && rows.back().rule == row.rule) return;
  if (!rows.empty() && rows.back().address == row.address) rows.back() = row;
  else rows.push_back(row);
}

// Joins the rows of the functions in the order of their addresses. Where functions overlap, the first one counts.
std::vector<RuleRow> join(std::vector<FunctionRows>& functions, const std::vector<RuleRow>& rows) {
  std::ranges::sort(functions, {}, &FunctionRows::start);
  std::vector<RuleRow> joined;
  uint64_t end = 0;
  for (const FunctionRows& function : functions) {
    if (function.end <= end) continue;
    if (!joined.empty() && function.start > end) append(joined, {.address = end});
    for (size_t i = 0; i < function.count; ++i) {
      RuleRow row = rows[function.first + i];
      bool is_last = i + 1 == function.count;
      if (!is_last && rows[function.first + i + 1].address <= end) continue;
      row.address = std::max(row.address, end);
      append(joined, row);
    }
    end = function.end;
  }
  if (!joined.empty()) append(joined, {.address = end});
  return joined;
}

}  // namespace

std::vector<RuleRow> read_frame_rules(const FrameSection& section, FileBudget& budget,
                                      const Architecture& architecture) {
  const Registers registers{architecture};
  std::vector<RuleRow> rows;
  std::vector<FunctionRows> functions;
  for_each_frame_entry(section, budget, [&](const FrameEntry& entry) {
    bool wraps = entry.start + entry.size < entry.start;
    if (wraps || entry.common.return_register != registers.code || !budget.take(sizeof(FunctionRows))) return;
    size_t first = rows.size();
    FrameProgram{registers, entry, rows, budget}.run();
    functions.push_back(
        {.start = entry.start, .end = entry.start + entry.size, .first = first, .count = rows.size() - first});
  });
  if (budget.is_used_up()) return {};
  return join(functions, rows);
}

}  // namespace dscope
