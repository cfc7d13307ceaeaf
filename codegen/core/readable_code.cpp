#include "codegen/core/readable_code.h"

#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>

#include <charconv>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "codegen/core/llvm_headers.h"
#include "codegen/core/object.h"
#include "codegen/core/readable_names.h"
#include "codegen/core/statement_metadata.h"
#include "contract/bpf_helpers.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr uint64_t max_shown_table = 64;   // bytes
constexpr size_t max_fields = UINT16_MAX;  // LLVM keeps 16 bits of the columns of locations

// The D statements of a module, numbered from 1 by the locations of its instructions.
class Statements {
 public:
  explicit Statements(const llvm::Module& module) {
    const llvm::NamedMDNode* recorded = module.getNamedMetadata(statement_metadata);
    if (recorded == nullptr) return;
    for (const llvm::MDNode* node : recorded->operands()) {
      auto number = [&](unsigned i) {
        return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue();
      };
      bool is_new = numbers_.emplace(Key{node->getOperand(0).get(), number(1), number(2)}, comments_.size() + 1).second;
      if (is_new) comments_.push_back("; " + llvm::cast<llvm::MDString>(node->getOperand(3))->getString().str());
    }
  }

  // 0: the instruction has no location, or several that optimization has merged.
  unsigned number_of(const llvm::Instruction& instruction) const {
    const llvm::DILocation* location = instruction.getDebugLoc().get();
    if (location == nullptr) return 0;
    auto found = numbers_.find({location->getFile(), location->getLine(), location->getColumn()});
    return found != numbers_.end() ? static_cast<unsigned>(found->second) : 0;
  }
  size_t size() const { return comments_.size(); }
  const std::string& comment(unsigned number) const { return comments_[number - 1]; }

 private:
  using Key = std::tuple<const llvm::Metadata*, uint64_t, uint64_t>;
  std::map<Key, size_t> numbers_;
  std::vector<std::string> comments_;
};

// Calls `visit` for every instruction of the module.
template <typename F>
void for_each_instruction(llvm::Module& module, const F& visit) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) visit(instruction);
}

// Programs and the functions that clauses were split into, as opposed to functions that serve many clauses.
bool is_function_of_clauses(std::string_view name) {
  return name.starts_with("prog_") || name.starts_with("dt_clause_") || name.starts_with("ds_list_") ||
         name.starts_with("ds_error_");
}

// The code that a dump leaves out, with its size.
class FoldedCode {
 public:
  void add(std::string_view name, std::string size) { lines_ += fmt::format(";   {:<30} {}\n", name, size); }
  std::string text() const {
    return lines_.empty() ? "" : "\n; tables and support functions, printed with -v:\n" + lines_;
  }

 private:
  std::string lines_;
};

// ---------------------------------------------------------------- IR

// Prints the D text above the first instruction of each run of instructions that it became.
class StatementWriter : public llvm::AssemblyAnnotationWriter {
 public:
  explicit StatementWriter(llvm::Module& module) : statements_(module) {
    for_each_instruction(module, [&](llvm::Instruction& instruction) {
      numbers_[&instruction] = statements_.number_of(instruction);
      instruction.setDebugLoc({});
    });
    for (llvm::Function& function : module) function.setSubprogram(nullptr);
    for (const char* name : {statement_metadata, "llvm.dbg.cu", "llvm.module.flags"})
      if (auto* metadata = module.getNamedMetadata(name)) metadata->eraseFromParent();
  }

  void emitFunctionAnnot(const llvm::Function*, llvm::formatted_raw_ostream&) override { shown_ = 0; }
  void emitInstructionAnnot(const llvm::Instruction* instruction, llvm::formatted_raw_ostream& stream) override {
    auto found = numbers_.find(instruction);
    if (found == numbers_.end() || found->second == 0 || found->second == shown_) return;
    shown_ = found->second;
    stream << "  " << statements_.comment(shown_) << "\n";
  }

 private:
  Statements statements_;
  std::map<const llvm::Instruction*, unsigned> numbers_;
  unsigned shown_ = 0;
};

// Replaces the number of each called helper by a declaration with the helper's name.
void name_helpers(llvm::Module& module) {
  for_each_instruction(module, [&](llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    auto* address = call != nullptr ? llvm::dyn_cast<llvm::ConstantExpr>(call->getCalledOperand()) : nullptr;
    if (address == nullptr || address->getOpcode() != llvm::Instruction::IntToPtr) return;
    auto* number = llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(0));
    if (number == nullptr) return;
    const BpfHelperRow* helper = find_bpf_helper(static_cast<uint32_t>(number->getZExtValue()));
    if (helper == nullptr) return;
    std::string name = fmt::format("bpf_{}", helper->name);
    call->setCalledOperand(module.getOrInsertFunction(name, call->getFunctionType()).getCallee());
  });
}

void remove_attributes(llvm::Module& module) {
  for (llvm::Function& function : module) function.setAttributes({});
  for_each_instruction(module, [](llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setAttributes({});
  });
}

std::string table_size(const llvm::GlobalVariable& table) {
  auto* type = llvm::dyn_cast<llvm::ArrayType>(table.getValueType());
  if (type == nullptr || !type->getElementType()->isIntegerTy()) return "data";
  return fmt::format("table of {} x {} bytes", type->getNumElements(),
                     type->getElementType()->getIntegerBitWidth() / 8);
}

bool is_large(const llvm::GlobalVariable& table) {
  return table.getParent()->getDataLayout().getTypeAllocSize(table.getValueType()) > max_shown_table;
}

// LLVM pads labels up to a comment in column 50, which does not fit in 80 columns.
std::string without_padding(std::string_view text) {
  constexpr std::string_view comment = "; preds =";
  std::string narrow;
  while (true) {
    size_t end = std::min(text.find(comment), text.size());
    narrow += text.substr(0, end);
    if (end == text.size()) return narrow;
    narrow.erase(narrow.find_last_not_of(' ') + 1);
    narrow += fmt::format("  {}", comment);
    text.remove_prefix(end + comment.size());
  }
}

std::string folded_ir(llvm::Module& module, StatementWriter& writer) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  FoldedCode folded;
  for (llvm::GlobalVariable& table : module.globals()) {
    if (!table.hasInitializer()) continue;  // a map: the plan shows it
    if (is_large(table)) {
      folded.add("@" + table.getName().str(), table_size(table));
      continue;
    }
    table.setSection("");
    table.print(stream);
    stream << "\n";
  }
  for (const llvm::Function& function : module) {
    std::string_view name(function.getName().data(), function.getName().size());
    if (is_function_of_clauses(name)) function.print(stream << (text.empty() ? "" : "\n"), &writer);
    else if (!function.isDeclaration())
      folded.add(fmt::format("{}()", name), fmt::format("{} instructions", function.getInstructionCount()));
    else if (name.starts_with("ds_")) folded.add(fmt::format("{}()", name), "support library");
  }
  return without_padding(text) + folded.text();
}

// ---------------------------------------------------------------- assembly

// The name of the field of a record or key that the instruction writes, as the IR has it: "record.pid". Empty if it
// writes something else.
llvm::StringRef written_field(const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr) return {};
  llvm::StringRef name = store->getPointerOperand()->getName();
  return name.starts_with("record.") || name.starts_with("key.") ? name : llvm::StringRef{};
}

// Rewrites LLVM's assembly line by line. `fields`: names of fields, by the columns of locations from 1.
class AssemblyReader {
 public:
  AssemblyReader(const Statements& statements, const std::vector<std::string>& fields, CodeDetail detail)
      : statements_(statements), fields_(fields), is_full_(detail == CodeDetail::Full) {}

  std::string read(std::string_view text) {
    while (!text.empty()) {
      size_t end = std::min(text.find('\n'), text.size());
      add_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    finish_function();
    return text_ + folded_.text();
  }

 private:
  void add_line(std::string_view line) {
    if (line.starts_with("\t.")) return add_directive(line.substr(1));
    if (line.empty() || line.starts_with("\t#") || line.starts_with(".L") || line.starts_with("#")) return;
    if (!is_in_code_) return add_data_label(line);
    if (line.front() != '\t' && !line.starts_with("LBB")) return start_function(line);
    if (line.front() == '\t') ++instructions_;
    if (is_shown_) text_ += fmt::format("{}{}{}\n", line, helper_note(line), field_note(line));
  }

  void add_directive(std::string_view line) {
    if (line.starts_with(".loc\t")) return show_statement(line);
    bool is_section = line.starts_with(".section") || line.starts_with(".text");
    if (is_section) is_in_code_ = line.starts_with(".text") || line.find(",\"ax\"") != line.npos;
    if (is_section) is_in_metadata_ = line.find(".debug") != line.npos || line.find(".BTF") != line.npos;
    bool is_data = !is_in_code_ && !is_in_metadata_ && !is_section && !line.starts_with(".type") &&
                   !line.starts_with(".size") && !line.starts_with(".file") && !line.starts_with(".addrsig");
    if (is_full_ && is_data) text_ += fmt::format("\t{}\n", line);
  }

  // The rest of a line ".loc FILE LINE COLUMN ...".
  void show_statement(std::string_view line) {
    size_t at = line.find(' ');
    if (at == line.npos) return;
    unsigned number = 0;
    field_ = 0;
    const char* end = std::from_chars(line.data() + at + 1, line.data() + line.size(), number).ptr;
    if (end != line.data() + line.size()) std::from_chars(end + 1, line.data() + line.size(), field_);
    if (number == 0 || number == statement_ || number > statements_.size()) return;
    statement_ = number;
    if (is_shown_) text_ += "\t" + statements_.comment(number) + "\n";
  }

  void add_data_label(std::string_view line) {
    if (is_in_metadata_ || line.front() == '\t' || !line.ends_with(":")) return;
    if (is_full_) text_ += fmt::format("{}\n", line);
    else folded_.add(line.substr(0, line.size() - 1), "table");
  }

  void start_function(std::string_view line) {
    finish_function();
    function_ = line.substr(0, line.find(':'));
    is_shown_ = is_full_ || is_function_of_clauses(function_);
    instructions_ = statement_ = 0;
    if (is_shown_) text_ += (text_.empty() ? "" : "\n") + std::string(line) + "\n";
  }

  void finish_function() {
    if (!function_.empty() && !is_shown_)
      folded_.add(fmt::format("{}()", function_), fmt::format("{} instructions", instructions_));
    function_.clear();
  }

  static std::string helper_note(std::string_view line) {
    constexpr std::string_view call = "\tcall ";
    unsigned number = 0;
    if (!line.starts_with(call)) return "";
    auto [end, error] = std::from_chars(line.data() + call.size(), line.data() + line.size(), number);
    return error == std::errc{} && end == line.data() + line.size() ? "\t; " + bpf_helper_name(number) : "";
  }

  // Behind the first store of the current location.
  std::string field_note(std::string_view line) {
    if (field_ == 0 || field_ > fields_.size() || !line.starts_with("\t*(")) return "";
    return "\t; " + fields_[std::exchange(field_, 0) - 1];
  }

  const Statements& statements_;
  const std::vector<std::string>& fields_;
  bool is_full_;
  bool is_in_code_ = true, is_in_metadata_ = false, is_shown_ = false;
  unsigned statement_ = 0, field_ = 0, instructions_ = 0;
  std::string function_, text_;
  FoldedCode folded_;
};

}  // namespace

std::string print_readable_ir(IrModule& ir, CodeDetail detail) {
  StatementWriter writer(ir.module());
  name_helpers(ir.module());
  name_values(ir.module());
  if (detail == CodeDetail::Folded) {
    remove_attributes(ir.module());
    return folded_ir(ir.module(), writer);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  ir.module().print(stream, &writer);
  return text;
}

Result<std::string> readable_assembly(IrModule& ir, bool is_cpu_v4, CodeDetail detail) {
  Statements statements(ir.module());
  std::vector<std::string> fields;
  // Lines of the assembly's locations become numbers of statements, columns numbers of fields.
  for_each_instruction(ir.module(), [&](llvm::Instruction& instruction) {
    const llvm::DILocation* location = instruction.getDebugLoc().get();
    if (location == nullptr) return;
    llvm::StringRef field = written_field(instruction);
    if (!field.empty() && fields.size() < max_fields) fields.push_back(field.str());
    auto column = field.empty() || fields.size() == max_fields ? 0 : static_cast<unsigned>(fields.size());
    instruction.setDebugLoc(llvm::DILocation::get(instruction.getContext(), statements.number_of(instruction), column,
                                                  location->getScope(), location->getInlinedAt()));
  });
  DS_TRY(std::string text, emit_assembly(ir, is_cpu_v4));
  return AssemblyReader(statements, fields, detail).read(text);
}

}  // namespace dscope
