#include "codegen/core/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DIBuilder.h>

#include "codegen/core/statement_metadata.h"
#include "support/format.h"

namespace dscope {

namespace {

llvm::Metadata* number_metadata(llvm::LLVMContext& context, unsigned number) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number));
}

constexpr size_t max_statement_text = 88;  // characters

// The text on one line: blanks and newlines become one blank, other control characters `?`.
std::string statement_text(std::string_view source) {
  std::string text;
  for (char c : source) {
    bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (is_blank && (text.empty() || text.back() == ' ')) continue;
    bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    text += is_blank ? ' ' : is_control ? '?' : c;
  }
  if (text.size() <= max_statement_text) return text;
  size_t end = max_statement_text - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // within a UTF-8 sequence
  return text.substr(0, end) + "...";
}

// Records the comment that dumps print above the instructions of a location: "D:3  @[execname] = count()". A location
// has no end, so LLVM's metadata cannot show the statement.
void record_statement(llvm::Module& module, const llvm::DILocation& location, const SourceUnit& unit,
                      std::string_view source) {
  std::string name = unit.kind == UnitKind::String ? "D" : unit.name.substr(unit.name.rfind('/') + 1);
  std::string comment = fmt::format("{}:{}  {}", name, location.getLine(), statement_text(source));
  llvm::LLVMContext& context = module.getContext();
  llvm::Metadata* parts[] = {location.getFile(), number_metadata(context, location.getLine()),
                             number_metadata(context, location.getColumn()), llvm::MDString::get(context, comment)};
  auto* node = llvm::MDNode::get(context, parts);
  llvm::NamedMDNode* statements = module.getOrInsertNamedMetadata(statement_metadata);
  unsigned count = statements->getNumOperands();
  if (count == 0 || statements->getOperand(count - 1) != node) statements->addOperand(node);
}

}  // namespace

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
  llvm::DILocation* found = llvm::DILocation::get(function.getContext(), location.line, location.column, in_file);
  record_statement(const_cast<llvm::Module&>(*function.getParent()), *found, sources_.unit(location.unit),
                   sources_.text(range));
  return found;
}

void DebugInfo::finish() { builder_->finalize(); }

}  // namespace dscope
