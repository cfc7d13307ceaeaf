#include "codegen/core/readable_names.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/ValueSymbolTable.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "support/format.h"

namespace dscope {

namespace {

// Helpers whose result has a better name than the helper.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> result_names = {
    {{"get_attach_cookie", "cookie"},
     {"get_current_comm", "status"},
     {"get_current_pid_tgid", "pid_tgid"},
     {"get_current_task", "thread"},
     {"get_current_task_btf", "thread"},
     {"get_current_uid_gid", "uid_gid"},
     {"get_func_ip", "function"},
     {"get_smp_processor_id", "cpu"},
     {"ktime_get_boot_ns", "boot_time"},
     {"ktime_get_ns", "now"},
     {"ringbuf_reserve", "record"},
     {"task_pt_regs", "registers"}}};

std::string_view text_of(llvm::StringRef text) { return {text.data(), text.size()}; }

// "agg_0" for @ds_agg_0.
std::string_view without_prefix(std::string_view name) {
  constexpr std::string_view prefix = "ds_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// "pid" for "pid_2".
std::string_view without_number(std::string_view name) {
  size_t end = name.find_last_not_of("0123456789");
  bool is_numbered = end != std::string_view::npos && end + 1 < name.size() && end > 0 && name[end] == '_' &&
                     name.substr(0, end).find(".at") != end - std::string_view{".at"}.size();
  return is_numbered ? name.substr(0, end) : name;
}

std::string origin_of(const llvm::Value& value) {
  std::string_view name = text_of(value.getName());
  return std::string{llvm::isa<llvm::GlobalValue>(value) ? without_prefix(name) : without_number(name)};
}

std::string name_of_call(const llvm::CallInst& call) {
  if (call.isInlineAsm()) return call.arg_size() == 1 ? origin_of(*call.getArgOperand(0)) : std::string{};
  constexpr std::string_view prefix = "bpf_";
  std::string_view callee = text_of(call.getCalledOperand()->getName());
  if (!callee.starts_with(prefix)) return {};
  callee.remove_prefix(prefix.size());
  if (callee == "map_lookup_elem" || callee == "task_storage_get")
    return origin_of(*call.getArgOperand(0)) + ".element";
  for (auto [helper, name] : result_names)
    if (callee == helper) return std::string{name};
  return std::string{callee};
}

std::string name_of_load(const llvm::LoadInst& load) {
  const llvm::Value* address = load.getPointerOperand();
  std::string origin = origin_of(*address);
  bool is_place = llvm::isa<llvm::AllocaInst, llvm::GetElementPtrInst, llvm::GlobalValue>(address);
  return origin.empty() || is_place ? origin : origin + ".value";
}

std::string name_of_offset(const llvm::GetElementPtrInst& place) {
  std::string origin = origin_of(*place.getPointerOperand());
  auto* offset = llvm::dyn_cast<llvm::ConstantInt>(place.getOperand(place.getNumOperands() - 1));
  if (origin.empty() || offset == nullptr) return origin.empty() ? origin : origin + ".at";
  return fmt::format("{}.at_{}", origin, offset->getSExtValue());
}

std::string name_of_comparison(const llvm::ICmpInst& comparison) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(comparison.getOperand(1));
  std::string origin = origin_of(*comparison.getOperand(0));
  if (origin.empty() || constant == nullptr || !constant->isNullValue() || !comparison.isEquality()) return {};
  return origin + (comparison.getPredicate() == llvm::CmpInst::ICMP_EQ ? ".is_zero" : ".is_set");
}

// "" for values that have no origin of their own, such as sums of two values.
std::string name_of(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return name_of_call(*call);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return name_of_load(*load);
  if (const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return name_of_offset(*place);
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return name_of_comparison(*comparison);
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    std::string origin = origin_of(*update->getPointerOperand());
    return origin.empty() ? origin : origin + ".before";
  }
  bool is_conversion = llvm::isa<llvm::CastInst>(instruction);
  bool is_step = instruction.isBinaryOp() && llvm::isa<llvm::Constant>(instruction.getOperand(1));
  return is_conversion || is_step ? origin_of(*instruction.getOperand(0)) : std::string{};
}

// LLVM would number equal names without a separator: "thread.at_161" for the second "thread.at_16".
void set_unique_name(llvm::Instruction& instruction, const std::string& name) {
  const llvm::ValueSymbolTable* symbols = instruction.getFunction()->getValueSymbolTable();
  std::string unique = name;
  for (int number = 2; symbols->lookup(unique) != nullptr; ++number) unique = fmt::format("{}_{}", name, number);
  instruction.setName(unique);
}

}  // namespace

void name_values(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && function.arg_size() == 1 && !function.getArg(0)->hasName())
      function.getArg(0)->setName("context");
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        if (instruction.hasName() || instruction.getType()->isVoidTy()) continue;
        std::string name = name_of(instruction);
        if (!name.empty()) set_unique_name(instruction, name);
      }
  }
}

}  // namespace dscope
