#include "codegen/core/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DIBuilder.h>

namespace dscope {

DebugInfo::DebugInfo(llvm::Module& module, const SourceSet& sources)
    : sources_(sources), builder_(std::make_unique<llvm::DIBuilder>(module)) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 5);
  builder_->createCompileUnit(llvm::dwarf::DW_LANG_C, file_of(UnitId{0}), "dscope", true, "", 0);
}

DebugInfo::~DebugInfo() = default;

// Embeds the text: the script may be a command-line argument instead of a file.
llvm::DIFile* DebugInfo::file_of(UnitId unit) {
  llvm::DIFile*& file = files_[unit.index];
  if (file != nullptr) return file;
  const SourceUnit& source = sources_.unit(unit);
  std::string name = source.kind == UnitKind::String ? "program" : source.name;
  return file = builder_->createFile(name, "", std::nullopt, llvm::StringRef(source.text));
}

void DebugInfo::add_function(llvm::Function& function, SourceRange range) {
  SourceLocation location = sources_.locate(range.begin);
  llvm::DIFile* file = file_of(location.unit);
  auto* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({nullptr}));
  auto flags = llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized;
  if (function.hasLocalLinkage()) flags |= llvm::DISubprogram::SPFlagLocalToUnit;
  function.setSubprogram(builder_->createFunction(file, function.getName(), function.getName(), file, location.line,
                                                  type, location.line, llvm::DINode::FlagZero, flags));
}

llvm::DebugLoc DebugInfo::location(const llvm::Function& function, SourceRange range) {
  llvm::DISubprogram* scope = function.getSubprogram();
  if (scope == nullptr) return {};
  SourceLocation location = sources_.locate(range.begin);
  llvm::DIFile* file = file_of(location.unit);
  llvm::DIScope* in_file = scope;
  if (file != scope->getFile()) in_file = builder_->createLexicalBlockFile(scope, file);
  return llvm::DILocation::get(function.getContext(), location.line, location.column, in_file);
}

void DebugInfo::finish() { builder_->finalize(); }

}  // namespace dscope
