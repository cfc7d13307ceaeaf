#include "codegen/native/native_code.h"

#include <cstring>

#include "codegen/core/llvm_headers.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "codegen/core/passes.h"
#include "codegen/core/support_library.h"
#include "codegen/native/native_form.h"
#include "codegen/native/native_memory.h"

namespace dscope {

namespace {

Error failure(llvm::Error error) {
  return Error::make("cannot compile for this processor: {}", llvm::toString(std::move(error)));
}

// DS_TRY for LLVM's results.
template <typename T>
Result<T> result_of(llvm::Expected<T> expected) {
  if (!expected) return fail(failure(expected.takeError()));
  return std::move(*expected);
}

Result<llvm::orc::JITTargetMachineBuilder> describe_machine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DS_TRY(auto machine, result_of(llvm::orc::JITTargetMachineBuilder::detectHost()));
  // The image is far from the functions of this process, but small itself.
  machine.setRelocationModel(llvm::Reloc::PIC_).setCodeModel(llvm::CodeModel::Small);
  machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  return machine;
}

// Programs run on one thread: locked instructions would only cost time.
void remove_atomics(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        if (update != nullptr) llvm::lowerAtomicRMWInst(update);
        else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
          llvm::lowerAtomicCmpXchgInst(exchange);
      }
}

class CompiledCode : public NativeCode {
 public:
  explicit CompiledCode(std::unique_ptr<llvm::orc::LLJIT> jit) : jit_(std::move(jit)) {}

  // Functions of the C library that LLVM's back ends call.
  Result<> define_functions() {
    using llvm::orc::ExecutorAddr;
    llvm::orc::SymbolMap symbols;
    auto add = [&](const char* name, auto* function) {
      symbols[jit_->mangleAndIntern(name)] = {ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Callable};
    };
    add("memcpy", &std::memcpy);
    add("memmove", &std::memmove);
    add("memset", &std::memset);
    add("memcmp", &std::memcmp);
    add("bcmp", &std::memcmp);
    if (auto error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
      return fail(failure(std::move(error)));
    return {};
  }

  Result<> add(std::unique_ptr<llvm::MemoryBuffer> object) {
    if (auto error = jit_->addObjectFile(std::move(object))) return fail(failure(std::move(error)));
    return {};
  }

  Result<Program> find(const std::string& symbol) override {
    DS_TRY(llvm::orc::ExecutorAddr address, result_of(jit_->lookup(symbol)));
    return address.toPtr<Program>();
  }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

Result<std::unique_ptr<llvm::MemoryBuffer>> emit_object(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  constexpr bool skip_verification = true;  // tests verify the IR of every golden
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile, skip_verification))
    return fail(Error("LLVM has no back end for this processor that emits objects"));
  passes.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), "program", false);
}

Result<std::unique_ptr<llvm::orc::LLJIT>> create_jit(const llvm::orc::JITTargetMachineBuilder& machine,
                                                     std::span<std::byte> image) {
  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(machine);
  builder.setLinkProcessSymbolsByDefault(false);
  builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
  builder.setObjectLinkingLayerCreator([image](llvm::orc::ExecutionSession& session, const llvm::Triple&) {
    return std::make_unique<llvm::orc::RTDyldObjectLinkingLayer>(
        session, [image] { return std::make_unique<NativeMemory>(image); });
  });
  return result_of(builder.create());
}

}  // namespace

Result<std::unique_ptr<NativeCode>> NativeCode::compile(IrModule& ir, const NativeSymbols& symbols) {
  DS_TRY(llvm::orc::JITTargetMachineBuilder description, describe_machine());
  DS_TRY(std::unique_ptr<llvm::TargetMachine> machine, result_of(description.createTargetMachine()));
  llvm::Module& module = ir.module();
  DS_TRY_VOID(check_size(module));
  module.setTargetTriple(machine->getTargetTriple().getTriple());
  module.setDataLayout(machine->createDataLayout());
  DS_TRY_VOID(link_support(module));
  DS_TRY_VOID(to_native_form(module, symbols));
  remove_atomics(module);
  run_passes(module, *machine, default_effort(module));
  DS_TRY(std::unique_ptr<llvm::orc::LLJIT> jit, create_jit(description, symbols.image));
  auto code = std::make_unique<CompiledCode>(std::move(jit));
  DS_TRY_VOID(code->define_functions());
  DS_TRY(std::unique_ptr<llvm::MemoryBuffer> object, emit_object(module, *machine));
  DS_TRY_VOID(code->add(std::move(object)));
  return code;
}

}  // namespace dscope
