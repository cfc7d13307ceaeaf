#include "codegen/core/passes.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include "codegen/core/llvm_headers.h"
#include "contract/global_function.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr unsigned large_module = 15000;  // instructions
// Larger functions and programs keep LLVM and the verifier busy for minutes.
constexpr unsigned max_function_instructions = 100'000, max_instructions = 250'000;

// The passes that pay for themselves in programs of some hundred instructions. O2 takes two to three times as long and
// does not make the code smaller (57,500 instructions against 56,900 over 94 test scripts).
constexpr char default_passes[] =
    "cgscc(inline,function(sroa,early-cse<memssa>,simplifycfg,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg)),ipsccp,globaldce,"
    "function(gvn,dse,adce,instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg)";

// For large modules.
constexpr char quick_passes[] =
    "cgscc(inline),globaldce,function(sroa,early-cse<memssa>,simplifycfg,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,gvn,adce,simplifycfg)";

llvm::ModulePassManager pipeline_for(llvm::PassBuilder& builder, Effort effort) {
  if (effort == Effort::Full) return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  llvm::ModulePassManager passes;
  llvm::Error problem = builder.parsePassPipeline(passes, effort == Effort::Quick ? quick_passes : default_passes);
  DS_CHECK(!problem);
  return passes;
}

}  // namespace

Result<> check_size(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (unsigned count = function.getInstructionCount(); count > max_function_instructions)
      return fail(Error::make("program is too large: {} instructions in one clause, at most {}", count,
                              max_function_instructions));
  if (unsigned count = module.getInstructionCount(); count > max_instructions)
    return fail(Error::make("program is too large: {} instructions, at most {}", count, max_instructions));
  return {};
}

Effort default_effort(llvm::Module& module) {
  return module.getInstructionCount() < large_module ? Effort::Default : Effort::Quick;
}

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, Effort effort) {
  // Keeps external linkage for the programs and for the functions that the kernel verifies as global functions, whose
  // parameters must stay. LLVM removes internal functions without callers.
  llvm::internalizeModule(module, [](const llvm::GlobalValue& value) {
    return value.isDeclaration() || value.getSection().starts_with("prog/") ||
           value.getName().starts_with(global_function_prefix);
  });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  pipeline_for(builder, effort).run(module, modules);
}

}  // namespace dscope
