#include "codegen/core/object.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/core/global_functions.h"
#include "codegen/core/legalize.h"
#include "codegen/core/llvm_compat.h"
#include "codegen/core/support_library.h"

extern "C" {
void LLVMInitializeBPFTargetInfo();
void LLVMInitializeBPFTarget();
void LLVMInitializeBPFTargetMC();
void LLVMInitializeBPFAsmPrinter();
void LLVMInitializeBPFAsmParser();
}

namespace dscope {

namespace {

// Store merging takes quadratic time in the length of a block: 1,000 assignments in a clause took 20 s.
void turn_off_store_merging() {
  auto& options = llvm::cl::getRegisteredOptions();
  auto found = options.find("combiner-store-merging");
  if (found != options.end()) static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(false);
}

Result<std::unique_ptr<llvm::TargetMachine>> make_target(bool is_cpu_v4) {
  turn_off_store_merging();
  LLVMInitializeBPFTargetInfo();
  LLVMInitializeBPFTarget();
  LLVMInitializeBPFTargetMC();
  LLVMInitializeBPFAsmPrinter();
  LLVMInitializeBPFAsmParser();  // for the few asm statements of the support library
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget("bpf", problem);
  if (target == nullptr) return fail(Error::make("LLVM has no BPF back end: {}", problem));
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(target_triple("bpf"), is_cpu_v4 ? "v4" : "v3", "", llvm::TargetOptions{},
                                  std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
  return machine;
}

// Keeps the machines for the life of the process: creating one takes 0.3 ms.
Result<llvm::TargetMachine*> target_for(llvm::Module& module, bool is_cpu_v4) {
  static std::unique_ptr<llvm::TargetMachine> known[2];
  std::unique_ptr<llvm::TargetMachine>& machine = known[is_cpu_v4 ? 1 : 0];
  if (machine == nullptr) {
    DS_TRY(machine, make_target(is_cpu_v4));
  }
  module.setDataLayout(machine->createDataLayout());
  return machine.get();
}

// The handler of fatal errors, which LLVM calls instead of aborting the process. A handler must not return to LLVM.
void leave_back_end(void* message, const char* reason, bool) {
  *static_cast<std::string*>(message) = reason;
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(1);
}

// Runs the passes. Returns false with LLVM's reason, or without if LLVM crashed. The memory of the passes is lost then.
bool run_back_end(std::unique_ptr<llvm::legacy::PassManager> passes, llvm::Module& module, std::string& reason) {
  llvm::install_fatal_error_handler(leave_back_end, &reason);
  llvm::CrashRecoveryContext::Enable();
  bool is_complete = llvm::CrashRecoveryContext{}.RunSafely([&] { passes->run(module); });
  llvm::CrashRecoveryContext::Disable();
  llvm::remove_fatal_error_handler();
  [[maybe_unused]] auto* lost = is_complete ? nullptr : passes.release();
  return is_complete;
}

Result<llvm::SmallVector<char, 0>> generate(IrModule& ir, bool is_cpu_v4, llvm::CodeGenFileType kind) {
  DS_TRY(llvm::TargetMachine * machine, target_for(ir.module(), is_cpu_v4));
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  constexpr bool skip_verification = true;  // tests verify the IR of every golden
  if (machine->addPassesToEmitFile(*passes, stream, nullptr, kind, skip_verification))
    return fail(Error::make("LLVM's BPF back end cannot emit this type of file"));
  std::string reason;
  if (run_back_end(std::move(passes), ir.module(), reason)) return bytes;
  // Before version 4 of the instruction set (Linux 6.6), branches reach 32,767 instructions.
  if (reason.find("Branch target out of insn range") != std::string::npos)
    return fail(Error::make("program is too large: a branch of a clause spans more than 32,767 instructions")
                    .hint("split the clause"));
  return fail(Error::make("LLVM's BPF back end failed: {}", reason.empty() ? "it crashed" : reason));
}

// LLVM reports back-end errors ("too many arguments") through the context. Without a handler it would exit.
class KeepErrors : public llvm::DiagnosticHandler {
 public:
  KeepErrors(std::string& text, std::string& location) : text_(text), location_(location) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    // Keeps the first error only: LLVM reports a function that needs too much stack once per access.
    if (info.getSeverity() != llvm::DS_Error || !text_.empty()) return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    const auto* located = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info);
    if (located != nullptr && located->isLocationAvailable()) location_ = located->getLocationStr();
    return true;
  }

 private:
  std::string& text_;
  std::string& location_;  // "script.d:3", or empty if LLVM has no location
};

}  // namespace

Effort default_effort(IrModule& ir) { return default_effort(ir.module()); }

Result<> optimize(IrModule& ir, bool is_cpu_v4, Effort effort, Shape shape) {
  llvm::Module& module = ir.module();
  DS_TRY_VOID(check_size(module));
  DS_TRY(llvm::TargetMachine * machine, target_for(module, is_cpu_v4));
  DS_TRY_VOID(link_support(module));
  if (shape == Shape::Short) make_string_functions_global(module);
  run_passes(module, *machine, effort);
  if (shape == Shape::Short) {
    make_texts_writable(module);
    shrink_copies(module);
  }
  legalize(module);
  return {};
}

Result<BpfObject> emit_object(IrModule& ir, bool is_cpu_v4) {
  std::string problem, location;
  ir.context().setDiagnosticHandler(std::make_unique<KeepErrors>(problem, location));
  DS_TRY(auto bytes, generate(ir, is_cpu_v4, llvm::CodeGenFileType::ObjectFile));
  if (problem.find("BPF stack limit") != std::string::npos)
    return fail(Error::make("{}the intermediate results of an expression exceed the BPF stack of 512 bytes",
                            location.empty() ? "" : location + ": ")
                    .hint("split the expression: assign parts of it to clause-local variables (this->x = ...)"));
  if (!problem.empty()) return fail(Error::make("code generation failed: {}", problem));
  return BpfObject{{bytes.begin(), bytes.end()}};
}

Result<std::string> emit_assembly(IrModule& ir, bool is_cpu_v4) {
  DS_TRY(auto bytes, generate(ir, is_cpu_v4, llvm::CodeGenFileType::AssemblyFile));
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace dscope
