#include "runtime/dwarf/caller_values.h"

#include <dwarf.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>

#include "arch/architecture.h"

namespace dscope {
namespace {

// Callers that a program tests, and the debug information in which calls from other units are looked for.
constexpr size_t max_calls = 16, max_searched_bytes = size_t{8} << 20, max_caller_steps = 400;
constexpr int max_call_nesting = 64;

bool holds_calls(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

// Whether the System V and ARM calling conventions let a called function keep the register for its caller.
bool is_preserved_by_calls(unsigned number) {
  bool is_x86 = native_architecture().elf_machine == EM_X86_64;
  return is_x86 ? number == 3 || number == 6 || (number >= 12 && number <= 15) : number >= 19 && number <= 29;
}

void append_steps(LocationSteps& steps, const LocationSteps& more) {
  steps.insert(steps.end(), more.begin(), more.end());
}

}  // namespace

void CallerValues::FrameFreer::operator()(Dwarf_Frame* frame) const { std::free(frame); }

CallerValues::Rules CallerValues::rules_at(uint64_t address) const {
  Dwarf_Frame* found = nullptr;
  if (frames_ != nullptr) dw_.dwarf_cfi_addrframe(frames_->information(), address, &found);
  return Rules{found};
}

std::optional<LocationSteps> CallerValues::frame_address(const Rules& rules, uint64_t address) const {
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (rules == nullptr || dw_.dwarf_frame_cfa(rules.get(), &operations, &count) != 0 || count == 0) return std::nullopt;
  return translate_number(dw_, nullptr, {operations, count}, {.address = address});
}

std::optional<LocationSteps> CallerValues::frame_address(uint64_t address) const {
  return frame_address(rules_at(address), address);
}

// A register of the caller, which the function at `address` must preserve; nothing if it may have overwritten it.
std::optional<LocationSteps> CallerValues::caller_register(const Rules& rules, unsigned number,
                                                           uint64_t address) const {
  const UnwindRegisters& registers = native_architecture().unwinding;
  if (number == registers.stack_pointer) return frame_address(rules, address);
  Dwarf_Op space[3];
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dw_.dwarf_frame_register(rules.get(), static_cast<int>(number), space, &operations, &count) != 0)
    return std::nullopt;
  if (count == 0) {
    // Unchanged, if the calling convention preserves it; the tables do not list the registers that calls overwrite.
    bool is_preserved = operations == nullptr && number < registers.offsets.size() && is_preserved_by_calls(number);
    if (!is_preserved) return std::nullopt;
    return LocationSteps{{LocationOperation::Register, registers.offsets[number]}};
  }
  ExpressionContext context{.address = address, .frame_address = frame_address(rules, address)};
  VariablePlace place = translate_location(dw_, nullptr, {operations, count}, context);
  if (place.parts.size() != 1) return std::nullopt;
  LocationSteps steps = std::move(place.parts[0].steps);
  if (place.parts[0].kind == LocationPart::Kind::Memory) steps.push_back({LocationOperation::Load, 8});
  return steps;
}

void CallerValues::collect_calls(const Dwarf_Die& parent, const Dwarf_Die& unit, std::vector<Call>& to,
                                 int depth) const {
  for (auto child = dw_.first_child(parent); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (holds_calls(tag) && depth < max_call_nesting) collect_calls(*child, unit, to, depth + 1);
    if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site) continue;
    Call call{.callee_name = {}, .die = *child, .unit = unit};
    Dwarf_Attribute attribute;
    Dwarf_Addr address = 0;
    if (dw_.dwarf_attr(&*child, DW_AT_call_return_pc, &attribute) != nullptr) dw_.dwarf_formaddr(&attribute, &address);
    else if (dw_.dwarf_lowpc(&*child, &address) != 0) continue;
    call.return_address = address;
    auto callee = dw_.reference(*child, DW_AT_call_origin);
    if (!callee) callee = dw_.reference(*child, DW_AT_abstract_origin);
    if (callee) {
      call.callee = callee->addr;
      call.callee_name = dw_.name(*callee);
    }
    if (address != 0) to.push_back(call);
  }
}

const std::vector<CallerValues::Call>& CallerValues::calls_in(const Dwarf_Die& unit) {
  Dwarf_Die die = unit;
  auto [entry, is_new] = calls_.try_emplace(dw_.dwarf_dieoffset(&die));
  if (is_new) collect_calls(file_.split_unit(unit).value_or(unit), unit, entry->second, 0);
  return entry->second;
}

std::vector<CallerValues::Call> CallerValues::calls_of(const CodeScope& scope) {
  std::vector<Call> found;
  const void* abstract = dw_.reference(scope.subprogram, DW_AT_abstract_origin).value_or(scope.subprogram).addr;
  std::string_view name = dw_.name(scope.subprogram);
  auto add = [&](const Dwarf_Die& unit, bool is_other) {
    for (const Call& call : calls_in(unit)) {
      bool is_it = call.callee == scope.subprogram.addr || call.callee == abstract ||
                   (is_other && call.callee != nullptr && call.callee_name == name);
      if (is_it) found.push_back(call);
    }
  };
  add(scope.unit, false);
  bool may_be_called_elsewhere = dw_.number(scope.subprogram, DW_AT_external).value_or(0) != 0;
  if (!may_be_called_elsewhere || file_.section("debug_info").size() > max_searched_bytes) return found;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (file_.budget().has_time() &&
         dw_.dwarf_get_units(file_.dwarf(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0)
    if (die.addr != scope.unit.addr) add(die, true);
  return found;
}

// The value that a call passes in a register, computed from the registers of the called function.
std::optional<LocationSteps> CallerValues::passed_value(const Call& call, unsigned number, uint64_t address,
                                                        const Rules& rules) {
  for (auto child = dw_.first_child(call.die); child && file_.budget().has_time(); child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (tag != DW_TAG_call_site_parameter && tag != DW_TAG_GNU_call_site_parameter) continue;
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    size_t count = 0;
    bool is_it = dw_.dwarf_attr(&*child, DW_AT_location, &attribute) != nullptr &&
                 dw_.dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
                 operations[0].atom == DW_OP_reg0 + number;
    if (!is_it) continue;
    bool has_value = dw_.dwarf_attr(&*child, DW_AT_call_value, &attribute) != nullptr ||
                     dw_.dwarf_attr(&*child, DW_AT_GNU_call_site_value, &attribute) != nullptr;
    if (!has_value || dw_.dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0) return std::nullopt;
    ExpressionContext context{.address = address};
    context.register_value = [&](unsigned other) { return caller_register(rules, other, address); };
    // The caller's frame: its CFA is computed from its registers.
    if (Rules own = rules_at(call.return_address - 1); own != nullptr) {
      Dwarf_Op* frame_operations = nullptr;
      size_t frame_count = 0;
      if (dw_.dwarf_frame_cfa(own.get(), &frame_operations, &frame_count) == 0 && frame_count != 0)
        context.frame_address = translate_number(dw_, nullptr, {frame_operations, frame_count}, context);
    }
    if (auto caller = scopes_.find(call.return_address - 1, {})) {
      Dwarf_Attribute base;
      Dwarf_Op* base_operations = nullptr;
      size_t base_count = 0;
      if (dw_.dwarf_attr_integrate(&caller->subprogram, DW_AT_frame_base, &base) != nullptr &&
          dw_.dwarf_getlocation_addr(&base, call.return_address - 1, &base_operations, &base_count, 1) == 1)
        context.frame_base = translate_number(dw_, &base, {base_operations, base_count}, context);
    }
    return translate_number(dw_, &attribute, {operations, count}, context);
  }
  return std::nullopt;
}

std::optional<LocationSteps> CallerValues::at_entry(unsigned number, uint64_t address, const CodeScope& scope) {
  Rules rules = rules_at(address);
  if (rules == nullptr) return std::nullopt;
  auto returned_to = caller_register(rules, native_architecture().unwinding.return_address, address);
  if (!returned_to) return std::nullopt;
  struct Passed {
    uint64_t return_address;
    LocationSteps value;
  };
  std::vector<Passed> passed;
  for (const Call& call : calls_of(scope)) {
    auto value = passed_value(call, number, address, rules);
    if (value && passed.size() < max_calls) passed.push_back({call.return_address, std::move(*value)});
  }
  if (passed.empty()) return std::nullopt;
  // The distance of the return address from this instruction does not depend on where the file is mapped.
  LocationSteps steps = *returned_to;
  steps.push_back({LocationOperation::Register, native_architecture().instruction_pointer});
  steps.push_back({LocationOperation::Subtract});
  auto compare = [&](const Passed& call, int64_t depth) {
    steps.push_back({LocationOperation::Pick, depth});
    steps.push_back({LocationOperation::Constant, static_cast<int64_t>(call.return_address - address)});
    steps.push_back({LocationOperation::Equal});
  };
  steps.push_back({LocationOperation::Constant, 0});
  for (const Passed& call : passed) {
    compare(call, 1);
    steps.push_back({LocationOperation::Or});
  }
  steps.push_back({LocationOperation::Require});
  steps.push_back({LocationOperation::Constant, 0});
  for (const Passed& call : passed) {
    append_steps(steps, call.value);
    compare(call, 2);
    steps.push_back({LocationOperation::Negate});
    steps.push_back({LocationOperation::And});
    steps.push_back({LocationOperation::Or});
  }
  steps.push_back({LocationOperation::Swap});
  steps.push_back({LocationOperation::Drop});
  return steps.size() > max_caller_steps ? std::nullopt : std::optional{std::move(steps)};
}

}  // namespace dscope
