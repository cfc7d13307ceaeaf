#include "runtime/load/function_types.h"

#include <bpf/btf.h>

#include "support/check.h"
#include "support/format.h"

namespace dscope {

void BtfDeleter::operator()(btf* types) const { btf__free(types); }

FunctionTypes::FunctionTypes() = default;
FunctionTypes::~FunctionTypes() = default;

Result<ProgramDebugInfo> FunctionTypes::info(const LinkedProgram& program) {
  if (types_ == nullptr) types_.reset(btf__new_empty());
  if (types_ == nullptr) return fail(Error::make("cannot make BTF for functions"));
  ProgramDebugInfo info;
  // The kernel requires ascending offsets; parts are in that order, the entry function first.
  for (const LinkedPart& part : program.parts)
    info.functions.push_back(
        {.insn_off = part.first_instruction, .type_id = static_cast<uint32_t>(function(part.global_parameters))});
  if (!is_loaded_) DS_TRY_VOID(load());
  info.btf_fd = fd_.get();
  return info;
}

Result<> FunctionTypes::load() {
  uint32_t size = 0;
  const void* bytes = btf__raw_data(types_.get(), &size);
  if (bytes == nullptr) return fail(Error::make("cannot make BTF for functions"));
  DS_TRY(fd_, load_btf({static_cast<const std::byte*>(bytes), size}));
  is_loaded_ = true;
  return {};
}

int FunctionTypes::function(const std::optional<GlobalParameters>& parameters) {
  auto [known, is_new] = functions_.try_emplace(parameters);
  if (!is_new) return known->second;
  is_loaded_ = false;
  std::vector<int> types;
  for (uint32_t bytes : parameters.value_or(GlobalParameters{})) types.push_back(parameter(bytes));
  int prototype = btf__add_func_proto(types_.get(), parameter(0));
  for (int type : types) btf__add_func_param(types_.get(), "a", type);
  // Callbacks must be static functions.
  auto linkage = parameters ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC;
  return known->second = btf__add_func(types_.get(), parameters ? "alone" : "clause", linkage, prototype);
}

// A number is `long`, and memory a pointer to a structure of its size.
int FunctionTypes::parameter(uint32_t bytes) {
  auto [known, is_new] = parameters_.try_emplace(bytes);
  if (!is_new) return known->second;
  if (bytes == 0) return known->second = btf__add_int(types_.get(), "long", 8, BTF_INT_SIGNED);
  int memory = btf__add_struct(types_.get(), fmt::format("memory_{}", bytes).c_str(), bytes);
  return known->second = btf__add_ptr(types_.get(), memory);
}

}  // namespace dscope
