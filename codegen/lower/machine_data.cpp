// Lowering: numbers and tables of the machine. In portable code they are late (IrModule::late).
#include <cstring>

#include "codegen/lower/lowering.h"
#include "frontend/semantics/string_bound.h"
#include "support/check.h"

namespace dscope {

MachineNumber Lowering::machine_sum(const std::vector<HeldNumber>& terms) {
  uint64_t sum = 0;
  std::vector<uint32_t> values;
  for (const HeldNumber& term : terms) {
    sum += term.number;
    if (!is_portable()) continue;
    auto value = options.machine_values->find(term.holder);
    DS_CHECK(value.has_value());
    values.push_back(*value);
  }
  if (!is_portable()) return sum;
  return {sum, late_number(std::move(values))};
}

uint32_t Lowering::late_number(std::vector<uint32_t> values) {
  auto [known, is_new] = late_numbers_.try_emplace(values, static_cast<uint32_t>(out.late.numbers.size()));
  if (is_new) out.late.numbers.push_back(std::move(values));
  return known->second;
}

MachineNumber Lowering::constant(const ExprInfo& info) {
  const MachineValues* values = is_portable() ? options.machine_values : options.open_constants;
  auto index = values != nullptr ? values->find(&info) : std::nullopt;
  return index ? MachineNumber(*info.constant, late_number({*index})) : MachineNumber(*info.constant);
}

void Lowering::require_same(const void* holder) {
  const MachineValues* values = is_portable() ? options.machine_values : options.open_constants;
  auto value = values != nullptr ? values->find(holder) : std::nullopt;
  if (value) out.late.fixed_values.insert(*value);
}

uint64_t Lowering::fixed_constant(const ExprInfo& info) {
  DS_CHECK(info.constant.has_value());
  require_same(&info);
  return *info.constant;
}

V Lowering::machine_table(const MachineTableId& id, const char* name) {
  V& known = tables_[id];
  if (known != nullptr) return known;
  MachineTableContent content = ::dscope::machine_table(id, compiled, table_size());
  if (is_portable()) return known = late_data(id, content.bytes, name);
  auto words = [&](auto zero) {
    std::vector<decltype(zero)> values(content.bytes.size() / sizeof zero);
    std::memcpy(values.data(), content.bytes.data(), content.bytes.size());
    return values;
  };
  if (content.element_size == sizeof(uint16_t)) return known = builder.constant_words16(words(uint16_t{}), name);
  if (content.element_size == sizeof(uint32_t)) return known = builder.constant_words32(words(uint32_t{}), name);
  return known = builder.constant_bytes(content.bytes, static_cast<uint32_t>(content.bytes.size()), name);
}

V Lowering::late_data(const MachineTableId& id, std::string_view bytes, const char* name) {
  std::string section = ".rodata.late." + std::to_string(out.late.tables.size());
  out.late.tables.push_back(id);
  return builder.late_constant(bytes, section, name);
}

// A text from a macro, in the room that such texts always have.
V Lowering::machine_text(const StringLiteral& literal) {
  auto index = options.machine_values->find(&literal);
  DS_CHECK(index.has_value());
  MachineTableId id{.kind = MachineTable::MacroText, .detail = *index};
  V& known = tables_[id];
  if (known == nullptr) known = late_data(id, options.machine_values->texts()[*index], "text");
  return known;
}

}  // namespace dscope
