// to_native_form(): makes a module of BPF code one that a native back end can compile. Private to codegen/native.
#pragma once

#include "codegen/native/native_symbols.h"
#include "support/result.h"

namespace llvm {
class Module;
}

namespace dscope {

// Call it after the support library is linked and before the passes run: it removes what hides values from LLVM for
// the verifier's sake.
Result<> to_native_form(llvm::Module& module, const NativeSymbols& symbols);

}  // namespace dscope
