// Instructions that contain a late number. Inline assembly defines the symbol that marks each of them. LLVM may copy
// the assembly, so that the symbols end with a number that is unique in the module.
#include "codegen/core/bpf_builder.h"

namespace dscope {

// `text`: one instruction with 0 in place of the number. The instruction has no side effects.
BpfBuilder::V BpfBuilder::late(const MachineNumber& number, const char* text, const char* constraints, llvm::Type* type,
                               std::initializer_list<V> operands) {
  llvm::SmallVector<llvm::Type*, 2> types;
  for (V operand : operands) types.push_back(operand->getType());
  auto* function_type = llvm::FunctionType::get(type, types, false);
  std::string label = "ds_late_" + std::to_string(*number.index) + "_${:uid}:\n" + text;
  auto* code = llvm::InlineAsm::get(function_type, label, constraints, false);
  auto* result = ir.CreateCall(function_type, code, llvm::ArrayRef<V>(operands.begin(), operands.size()));
  result->setDoesNotAccessMemory();
  result->setDoesNotThrow();
  return result;
}

BpfBuilder::V BpfBuilder::number(const MachineNumber& number) {
  return number.index ? late(number, "$0 = 0 ll", "=r", i64, {}) : this->number(number.now);
}

BpfBuilder::V BpfBuilder::number32(const MachineNumber& number) {
  return number.index ? ir.CreateTrunc(this->number(number), i32) : number32(static_cast<uint32_t>(number.now));
}

BpfBuilder::V BpfBuilder::add(V value, const MachineNumber& offset) {
  return offset.index ? late(offset, "$0 += 0", "=r,0", i64, {value}) : ir.CreateAdd(value, number(offset.now));
}

BpfBuilder::V BpfBuilder::at(V base, const MachineNumber& offset) {
  return offset.index ? late(offset, "$0 += 0", "=r,0", ptr, {base}) : at(base, offset.now);
}

BpfBuilder::V BpfBuilder::load(V base, const MachineNumber& offset, uint32_t size, bool is_signed) {
  if (!offset.index) return load(at(base, offset.now), size, is_signed);
  std::string text = "$0 = *(u" + std::to_string(size * 8) + " *)($1 + 0)";
  return narrow(late(offset, text.c_str(), "=r,r", i64, {base}), size, is_signed);
}

BpfBuilder::V BpfBuilder::load_kernel(V base, const MachineNumber& offset, uint32_t size, bool is_signed) {
  return offset.index ? load(base, offset, size, is_signed) : load_kernel(at(base, offset.now), size, is_signed);
}

BpfBuilder::V BpfBuilder::late_constant(std::string_view bytes, const std::string& section, const char* name) {
  std::string padded(bytes);
  padded.resize(std::max<size_t>(8, (bytes.size() + 7) / 8 * 8), '\0');
  llvm::Constant* data = llvm::ConstantDataArray::getString(module_.getContext(), padded, false);
  auto* global =
      new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::InternalLinkage, data, name);
  global->setAlignment(llvm::Align(8));
  global->setSection(section);
  global->setExternallyInitialized(true);
  return global;
}

}  // namespace dscope
