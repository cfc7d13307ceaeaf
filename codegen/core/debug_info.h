// DebugInfo (private to codegen): D line numbers in the object, so that the kernel's verifier log names D lines.
// Codegen creates it only after the verifier has rejected a program, when it compiles the program again to locate the
// error.
#pragma once

#include <map>
#include <memory>

#include "codegen/core/llvm_headers.h"
#include "support/diagnostic.h"

namespace llvm {
class DIBuilder;
class DIFile;
class DISubprogram;
}  // namespace llvm

namespace dscope {

class DebugInfo {
 public:
  DebugInfo(llvm::Module& module, const SourceSet& sources);
  ~DebugInfo();

  // Call this before location() for the function.
  void add_function(llvm::Function& function, SourceRange range);
  // The location of `range` in `function`, or none if the function was not added.
  llvm::DebugLoc location(const llvm::Function& function, SourceRange range);
  // Call this after the last instruction.
  void finish();

 private:
  llvm::DIFile* file_of(UnitId unit);

  const SourceSet& sources_;
  std::unique_ptr<llvm::DIBuilder> builder_;
  std::map<uint32_t, llvm::DIFile*> files_;
};

}  // namespace dscope
