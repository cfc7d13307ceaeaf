#include "codegen/lower/value_names.h"

#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t max_value_name = 32;  // characters

// "args.filename" for args->filename, "strlen" for strlen(execname). Operators have no name.
std::string value_name(const Expr& expr, std::string_view text) {
  bool is_call = std::holds_alternative<Call>(expr.form);
  bool is_named = is_call || std::holds_alternative<Name>(expr.form) || std::holds_alternative<Member>(expr.form) ||
                  std::holds_alternative<Index>(expr.form);
  if (!is_named) return {};
  std::string name;
  for (char c : text.substr(0, is_call ? text.find('(') : text.npos)) {
    bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (is_word) name += c;
    else if (!name.empty() && name.back() != '.') name += '.';
  }
  while (!name.empty() && name.back() == '.') name.pop_back();
  return name.size() <= max_value_name ? name : std::string{};
}

}  // namespace

void name_after(const Lowering& core, V value, const Expr& expr, std::string_view prefix) {
  if (!core.options.debug_info || value == nullptr || !llvm::isa<llvm::Instruction>(value) || value->hasName()) return;
  std::string name = value_name(expr, core.sources.text(expr.at.range));
  if (!name.empty()) value->setName(fmt::format("{}{}", prefix, name));
}

}  // namespace dscope
