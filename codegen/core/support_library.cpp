#include "codegen/core/support_library.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include "codegen/bpf/support_bitcode.h"
#include "codegen/core/llvm_headers.h"

namespace dscope {

namespace {

bool needs_support(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with("ds_") && !function.use_empty()) return true;
  return false;
}

}  // namespace

Result<> link_support(llvm::Module& module) {
  if (!needs_support(module)) return {};
  llvm::StringRef bytes(reinterpret_cast<const char*>(ds_support_bitcode), ds_support_bitcode_size);
  auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "support"), module.getContext());
  if (!library)
    return fail(Error::make("cannot read the BPF support library: {}", llvm::toString(library.takeError())));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return fail(Error::make("cannot link the BPF support library"));
  return {};
}

}  // namespace dscope
