#include "codegen/core/global_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <optional>

#include "codegen/bpf/call_constants.h"
#include "codegen/core/llvm_headers.h"
#include "contract/global_function.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

using V = llvm::Value*;

// How a parameter of a string function becomes one of the global function.
enum class Role : uint8_t {
  None,
  Destination,  // pointers, with the capacities in the parameter Sizes
  First,
  Second,
  Text,  // a pointer, with the capacity in the next parameter
  Room,  // a pointer, with twice the capacity in the next parameter, as ds_copy_user
  Ipv4,  // pointers to addresses
  Ipv6,
  Link,
  Sizes,  // constants, which become part of the function
  Capacity,
  Number,
};

struct StringFunction {
  const char* name;
  Role roles[max_function_parameters];
};

// The functions of support.h whose loops and searches are long.
constexpr StringFunction string_functions[] = {
    {"ds_strcmp", {Role::Text, Role::Capacity, Role::Text, Role::Capacity}},
    {"ds_strcpy", {Role::Destination, Role::First, Role::Sizes}},
    {"ds_strjoin", {Role::Destination, Role::First, Role::Second, Role::Sizes}},
    {"ds_substr", {Role::Destination, Role::First, Role::Sizes, Role::Number, Role::Number}},
    {"ds_toupper", {Role::Destination, Role::First, Role::Sizes}},
    {"ds_tolower", {Role::Destination, Role::First, Role::Sizes}},
    {"ds_suffix", {Role::Destination, Role::First, Role::Sizes, Role::Number}},
    {"ds_strchr", {Role::Text, Role::Capacity, Role::Number}},
    {"ds_strrchr", {Role::Text, Role::Capacity, Role::Number}},
    {"ds_index", {Role::First, Role::Second, Role::Sizes, Role::Number}},
    {"ds_rindex", {Role::First, Role::Second, Role::Sizes, Role::Number}},
    {"ds_strstr", {Role::First, Role::Second, Role::Sizes}},
    {"ds_basename", {Role::Destination, Role::First, Role::Sizes}},
    {"ds_dirname", {Role::Destination, Role::First, Role::Sizes}},
    {"ds_cleanpath", {Role::Destination, Role::First, Role::Sizes, Role::First}},
    {"ds_strtok", {Role::Destination, Role::First, Role::Sizes, Role::Second, Role::Number}},
    {"ds_json", {Role::Destination, Role::First, Role::Sizes, Role::Second}},
    {"ds_lltostr", {Role::Destination, Role::Sizes, Role::Number}},
    {"ds_lltostr_base", {Role::Destination, Role::Sizes, Role::Number, Role::Number}},
    {"ds_strtoll", {Role::Text, Role::Capacity, Role::Number}},
    {"ds_inet_ntoa", {Role::Destination, Role::Ipv4, Role::Sizes}},
    {"ds_inet_ntoa6", {Role::Destination, Role::Ipv6, Role::Sizes, Role::Number}},
    {"ds_link_ntop", {Role::Destination, Role::Link, Role::Sizes, Role::Number}},
    {"ds_copy_user", {Role::Room, Role::Capacity, Role::Number, Role::Number, Role::Number}},
};

bool is_pointer(Role role) { return role >= Role::Destination && role <= Role::Link; }
bool is_constant(Role role) { return role == Role::Sizes || role == Role::Capacity; }

// The number of bytes behind the pointer `index`; 0 if the call does not say it by a constant.
uint32_t bytes_behind(const llvm::CallInst& call, const StringFunction& function, size_t index) {
  if (function.roles[index] == Role::Ipv4) return 4;
  if (function.roles[index] == Role::Ipv6) return 16;
  if (function.roles[index] == Role::Link) return DS_LINK_ADDRESS;
  size_t place = index + 1;
  if (function.roles[index] != Role::Text && function.roles[index] != Role::Room)
    for (place = 0; function.roles[place] != Role::Sizes;) ++place;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(static_cast<unsigned>(place)));
  if (constant == nullptr) return 0;
  uint64_t sizes = constant->getZExtValue();
  switch (function.roles[index]) {
    case Role::Destination: return static_cast<uint32_t>(DS_DESTINATION_OF(sizes));
    case Role::First: return static_cast<uint32_t>(DS_FIRST_OF(sizes));
    case Role::Second: return static_cast<uint32_t>(DS_SECOND_OF(sizes));
    case Role::Room: return static_cast<uint32_t>(sizes / 2);
    default: return static_cast<uint32_t>(sizes);
  }
}

// The verifier takes memory of a stack only if every byte of it was written.
bool is_on_stack(V pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)); }

// Identifies the global function for a call.
struct Signature {
  const StringFunction* function;
  std::vector<uint32_t> parameters;        // as GlobalParameters
  std::vector<llvm::Constant*> constants;  // by parameter of the string function; null if it is not constant
  auto operator<=>(const Signature&) const = default;
};

std::optional<Signature> signature_of(const llvm::CallInst& call, const StringFunction& function) {
  Signature signature{.function = &function, .parameters = {}, .constants = {}};
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    V argument = call.getArgOperand(i);
    Role role = function.roles[i];
    DS_CHECK(role != Role::None);
    signature.constants.push_back(is_constant(role) ? llvm::dyn_cast<llvm::ConstantInt>(argument) : nullptr);
    if (is_constant(role)) {
      if (signature.constants.back() == nullptr) return std::nullopt;
      continue;
    }
    uint32_t bytes = is_pointer(role) ? bytes_behind(call, function, i) : 0;
    if (is_pointer(role) && (bytes == 0 || is_on_stack(argument))) return std::nullopt;
    signature.parameters.push_back(bytes);
  }
  return signature;
}

class StringFunctions {
 public:
  explicit StringFunctions(llvm::Module& module) : module_(module) {}

  void replace(llvm::CallInst& call, const Signature& signature) {
    llvm::Function*& made = made_[signature];
    if (made == nullptr) made = make(*call.getCalledFunction(), signature);
    std::vector<V> arguments;
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (signature.constants[i] == nullptr) arguments.push_back(call.getArgOperand(i));
    llvm::IRBuilder<> ir(&call);
    V result = ir.CreateCall(made, arguments);
    if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

 private:
  // A function that returns 0 if a pointer is NULL, which the verifier requires it to test, and otherwise does what
  // `function` does. The kernel does not accept global functions that return nothing.
  llvm::Function* make(llvm::Function& function, const Signature& signature) {
    llvm::LLVMContext& context = module_.getContext();
    auto* number = llvm::Type::getInt64Ty(context);
    std::vector<llvm::Type*> types;
    for (uint32_t bytes : signature.parameters)
      types.push_back(bytes != 0 ? static_cast<llvm::Type*>(llvm::PointerType::get(context, 0)) : number);
    std::string stem = fmt::format("{}_{}", std::string_view{signature.function->name}.substr(3), made_.size());
    auto* made =
        llvm::Function::Create(llvm::FunctionType::get(number, types, false), llvm::GlobalValue::ExternalLinkage,
                               global_function_name(stem, signature.parameters), module_);
    made->addFnAttr(llvm::Attribute::NoInline);
    auto* entry = llvm::BasicBlock::Create(context, "", made);
    auto* body = llvm::BasicBlock::Create(context, "body", made);
    auto* leave = llvm::BasicBlock::Create(context, "null", made);
    llvm::IRBuilder<> ir(entry);
    V is_null = ir.getFalse();
    for (llvm::Argument& argument : made->args())
      if (argument.getType()->isPointerTy()) is_null = ir.CreateOr(is_null, ir.CreateIsNull(&argument));
    ir.CreateCondBr(is_null, leave, body);
    ir.SetInsertPoint(leave);
    ir.CreateRet(ir.getInt64(0));
    ir.SetInsertPoint(body);
    fill(ir, function, signature, *made);
    return made;
  }

  static void fill(llvm::IRBuilder<>& ir, llvm::Function& function, const Signature& signature, llvm::Function& made) {
    std::vector<V> arguments;
    unsigned next = 0;
    for (llvm::Constant* constant : signature.constants)
      arguments.push_back(constant != nullptr ? static_cast<V>(constant) : made.getArg(next++));
    llvm::CallInst* call = ir.CreateCall(&function, arguments);
    ir.CreateRet(function.getReturnType()->isVoidTy() ? static_cast<V>(ir.getInt64(0)) : call);
    llvm::InlineFunctionInfo info;
    llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
    DS_CHECK(inlined.isSuccess());
  }

  llvm::Module& module_;
  std::map<Signature, llvm::Function*> made_;
};

// All calls of the function, also those in the support library.
std::vector<llvm::CallInst*> calls_of(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call != nullptr && call->getCalledFunction() == &function)
      calls.push_back(call);
  return calls;
}

}  // namespace

void make_string_functions_global(llvm::Module& module) {
  StringFunctions functions(module);
  for (const StringFunction& row : string_functions) {
    llvm::Function* function = module.getFunction(row.name);
    if (function == nullptr || function->isDeclaration()) continue;
    for (llvm::CallInst* call : calls_of(*function))
      if (auto signature = signature_of(*call, row)) functions.replace(*call, *signature);
  }
}

void make_texts_writable(llvm::Module& module) {
  for (llvm::GlobalVariable& data : module.globals()) {
    auto* bytes = llvm::dyn_cast<llvm::ArrayType>(data.getValueType());
    bool is_text = bytes != nullptr && bytes->getElementType()->isIntegerTy(8);
    if (!is_text || data.getSection() != ".rodata") continue;
    data.setConstant(false);
    data.setSection(".data");
  }
}

}  // namespace dscope
