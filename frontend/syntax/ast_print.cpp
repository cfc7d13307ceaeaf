// print_source(), print_expr(): print the tree as D text that parses to the same tree. Parentheses appear where the
// source had them (Expr::is_parenthesized); the printer never needs to add any.
#include "frontend/syntax/ast_print.h"

#include "frontend/syntax/operators.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string_view suffix(IntLiteralType type) {
  switch (type) {
    case IntLiteralType::Int: return "";
    case IntLiteralType::UnsignedInt: return "u";
    case IntLiteralType::Long: return "l";
    case IntLiteralType::UnsignedLong: return "ul";
    case IntLiteralType::LongLong: return "ll";
    case IntLiteralType::UnsignedLongLong: return "ull";
  }
  DS_UNREACHABLE();
}

std::string_view spelling(BasicType type) {
  switch (type) {
    case BasicType::None: return "";
    case BasicType::Void: return "void";
    case BasicType::Char: return "char";
    case BasicType::Int: return "int";
    case BasicType::Float: return "float";
    case BasicType::Double: return "double";
    case BasicType::String: return "string";
  }
  DS_UNREACHABLE();
}

std::string_view spelling(StorageClass storage) {
  switch (storage) {
    case StorageClass::None: return "";
    case StorageClass::Auto: return "auto";
    case StorageClass::Register: return "register";
    case StorageClass::Static: return "static";
    case StorageClass::Extern: return "extern";
    case StorageClass::Typedef: return "typedef";
    case StorageClass::Self: return "self";
    case StorageClass::This: return "this";
  }
  DS_UNREACHABLE();
}

std::string string_literal(std::string_view bytes) {
  std::string text = "\"";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text += {'\\', c};
    else if (c == '\n') text += "\\n";
    else if (c == '\t') text += "\\t";
    else if (byte < 0x20 || byte >= 0x7f) text += fmt::format("\\{:03o}", byte);
    else text += c;
  }
  return text + '"';
}

class Printer {
 public:
  std::string expr(const Expr& expr) const {
    std::string text = std::visit([&](const auto& form) { return print(form); }, expr.form);
    return expr.is_parenthesized ? "(" + text + ")" : text;
  }
  std::string clause(const Clause& clause) const { return print(clause); }
  std::string unit(const ProgramUnit& unit) const {
    std::string text;
    for (const External& external : unit.externals)
      text += std::visit([&](const auto& form) { return print(form); }, external.form) + "\n";
    return text;
  }

 private:
  // Expressions
  std::string print(const IntLiteral& form) const { return fmt::format("{}{}", form.value, suffix(form.type)); }
  std::string print(const StringLiteral& form) const { return string_literal(form.bytes); }
  std::string print(const Name& form) const {
    if (form.scope == VariableScope::Global) return form.name;
    if (form.scope == VariableScope::Traced) return "$" + form.name;
    return (form.scope == VariableScope::Self ? "self" : "this") + (form.name.empty() ? "" : "->" + form.name);
  }
  std::string print(const SymbolRef& form) const { return form.object + (form.is_user ? "``" : "`") + form.name; }
  std::string print(const AggregationRef& form) const { return "@" + form.name; }
  std::string print(const Index& form) const { return expr(*form.base) + "[" + list(form.arguments) + "]"; }
  std::string print(const Call& form) const { return expr(*form.callee) + "(" + list(form.arguments) + ")"; }
  std::string print(const Member& form) const { return expr(*form.base) + (form.is_arrow ? "->" : ".") + form.member; }
  std::string print(const Unary& form) const {
    std::string operand = expr(*form.operand);
    if (form.op == UnaryOp::PostIncrement || form.op == UnaryOp::PostDecrement) return operand.append(to_text(form.op));
    // `- -x` must not become `--x`.
    std::string_view op = to_text(form.op);
    bool would_merge = (op.back() == '+' || op.back() == '-' || op.back() == '&') && op.back() == operand.front();
    return fmt::format("{}{}{}", op, would_merge ? " " : "", operand);
  }
  std::string print(const SizeofExpr& form) const { return "sizeof " + expr(*form.operand); }
  std::string print(const SizeofType& form) const { return "sizeof (" + type_name(*form.type) + ")"; }
  std::string print(const Offsetof& form) const {
    return "offsetof(" + type_name(*form.type) + ", " + form.member + ")";
  }
  std::string print(const Stringof& form) const { return "stringof " + expr(*form.operand); }
  std::string print(const Cast& form) const { return "(" + type_name(*form.type) + ")" + expr(*form.operand); }
  std::string print(const Xlate& form) const {
    return "xlate <" + type_name(*form.type) + ">(" + expr(*form.operand) + ")";
  }
  std::string print(const Binary& form) const {
    return fmt::format("{} {} {}", expr(*form.lhs), to_text(form.op), expr(*form.rhs));
  }
  std::string print(const Assign& form) const {
    return fmt::format("{} {}= {}", expr(*form.lhs), form.op ? to_text(*form.op) : "", expr(*form.rhs));
  }
  std::string print(const Ternary& form) const {
    return expr(*form.condition) + " ? " + expr(*form.then_value) + " : " + expr(*form.else_value);
  }
  std::string print(const Alternative& form) const { return expr(*form.first) + " ?? " + expr(*form.second); }
  std::string print(const Comma& form) const { return expr(*form.lhs) + ", " + expr(*form.rhs); }

  std::string list(const std::vector<Expr*>& exprs) const {
    std::string text;
    for (const Expr* each : exprs) text += (text.empty() ? "" : ", ") + expr(*each);
    return text;
  }

  // Declarations
  std::string specifiers(const DeclSpecifiers& specifiers) const;
  std::string tag(const TagSpecifier& type) const;
  std::string member(const MemberDecl& member) const;
  std::string declarator(const Declarator& declarator) const;
  std::string parameters(const std::vector<Parameter>& parameters, bool has_varargs) const;
  std::string print(const ArrayPart& part) const { return "[" + (part.size ? expr(*part.size) : "") + "]"; }
  std::string print(const KeysPart& part) const { return "[" + parameters(part.keys, part.has_varargs) + "]"; }
  std::string print(const FunctionPart& part) const {
    return "(" + parameters(part.parameters, part.has_varargs) + ")";
  }
  std::string print(const PointerPart& part) const {
    return std::string("*") + (part.is_const ? "const " : "") + (part.is_volatile ? "volatile " : "") +
           (part.is_restrict ? "restrict " : "");
  }
  static std::string joined(std::string head, const std::string& tail) {
    return tail.empty() ? head : std::move(head) + " " + tail;
  }
  std::string type_name(const TypeName& type) const {
    return joined(specifiers(*type.specifiers), declarator(*type.declarator));
  }

  // Top level
  std::string print(const Declaration& form) const;
  std::string print(const InlineDefinition& form) const {
    return "inline " + joined(specifiers(*form.specifiers), declarator(*form.declarator)) + " = " + expr(*form.value) +
           ";";
  }
  std::string print(const TranslatorDefinition& form) const;
  std::string print(const ProviderDefinition& form) const;
  std::string print(const Pragma& form) const;
  std::string print(const Clause& form) const;
  std::string specifier(const ProbeSpecifier& specifier) const;
  std::string statements(const std::vector<Statement*>& body, const std::string& indent) const;
  std::string statement(const Statement& statement, const std::string& indent) const;
};

std::string Printer::specifiers(const DeclSpecifiers& specifiers) const {
  std::string text;
  auto add = [&](std::string_view word) {
    if (!word.empty()) text += (text.empty() ? "" : " ") + std::string(word);
  };
  add(spelling(specifiers.storage));
  if (specifiers.is_const) add("const");
  if (specifiers.is_volatile) add("volatile");
  if (specifiers.is_restrict) add("restrict");
  if (specifiers.is_userland) add("userland");
  if (specifiers.is_signed) add("signed");
  if (specifiers.is_unsigned) add("unsigned");
  if (specifiers.is_short) add("short");
  for (int i = 0; i < specifiers.long_count; ++i) add("long");
  add(spelling(specifiers.basic));
  if (const auto* named = std::get_if<NamedType>(&specifiers.type))
    add(named->module.empty() ? named->name : named->module + "`" + named->name);
  else if (const auto* type = std::get_if<TagSpecifier>(&specifiers.type)) add(tag(*type));
  return text;
}

std::string Printer::tag(const TagSpecifier& type) const {
  std::string text = type.kind == TagKind::Struct ? "struct" : type.kind == TagKind::Union ? "union" : "enum";
  std::string scope = type.module.empty() ? "" : type.module + "`";
  text = joined(std::move(text), type.tag.empty() ? "" : scope + type.tag);
  if (!type.has_body) return text;
  text += " { ";
  for (const MemberDecl& each : type.members) text += member(each) + "; ";
  for (const Enumerator& each : type.enumerators) {
    text += each.name + (each.value ? " = " + expr(*each.value) : "");
    text += &each == &type.enumerators.back() ? " " : ", ";
  }
  return text + "}";
}

std::string Printer::member(const MemberDecl& member) const {
  std::string text = joined(specifiers(*member.specifiers), member.declarator ? declarator(*member.declarator) : "");
  return member.bit_width ? text + " : " + expr(*member.bit_width) : text;
}

// Parts run from the name outwards. A pointer binds less tightly than the array or function part after it, which
// therefore needs parentheses.
std::string Printer::declarator(const Declarator& declarator) const {
  std::string text = declarator.name;
  bool after_pointer = false;
  for (const auto& part : declarator.parts) {
    std::string piece = std::visit([&](const auto& each) { return print(each); }, part);
    bool is_pointer = std::holds_alternative<PointerPart>(part);
    if (is_pointer) text = piece + text;
    else text = (after_pointer ? "(" + text + ")" : text) + piece;
    after_pointer = is_pointer;
  }
  return text;
}

std::string Printer::parameters(const std::vector<Parameter>& parameters, bool has_varargs) const {
  std::string text;
  for (const Parameter& each : parameters)
    text += (text.empty() ? "" : ", ") + joined(specifiers(*each.specifiers), declarator(*each.declarator));
  if (has_varargs) text += text.empty() ? "..." : ", ...";
  return text;
}

std::string Printer::print(const Declaration& form) const {
  std::string text = specifiers(*form.specifiers);
  for (const Declarator* each : form.declarators)
    text += (each == form.declarators.front() ? " " : ", ") + declarator(*each);
  return text + ";";
}

std::string Printer::print(const TranslatorDefinition& form) const {
  Declarator input = *form.input->declarator;
  input.name = form.input_name;
  std::string text = fmt::format("translator {} < {} > {{\n", type_name(*form.output),
                                 joined(specifiers(*form.input->specifiers), declarator(input)));
  for (const TranslatorMember& each : form.members) text += fmt::format("  {} = {};\n", each.name, expr(*each.value));
  return text + "};";
}

std::string Printer::print(const ProviderDefinition& form) const {
  std::string text = "provider " + form.name + " {\n";
  for (const ProviderProbe& each : form.probes)
    text += "  probe " + each.name + print(each.arguments) + (each.translated ? " : " + print(*each.translated) : "") +
            ";\n";
  return text + "};";
}

std::string Printer::print(const Pragma& form) const {
  std::string text = "#pragma D";
  // The version of a binding is always a string.
  bool has_version = !form.words.empty() && form.words[0] == "binding";
  for (const std::string& word : form.words) {
    bool plain = !(has_version && &word == &form.words[1]) && !word.empty() &&
                 word.find_first_of(" \t\v\f\r\n\"\\") == std::string::npos;
    text += " " + (plain ? word : string_literal(word));
  }
  return text;
}

// A clause without descriptions never fires, and has no form in D.
std::string Printer::print(const Clause& form) const {
  if (form.probes.empty()) return "";
  std::string text;
  for (const ProbeSpecifier& each : form.probes) text += (text.empty() ? "" : ",\n") + specifier(each);
  if (form.predicate != nullptr) text += "\n/" + expr(*form.predicate) + "/";
  return text + "\n{\n" + statements(form.body, "  ") + "}";
}

std::string Printer::specifier(const ProbeSpecifier& specifier) const {
  if (specifier.id) return std::to_string(*specifier.id);
  // `profile-99`, as people write it. Names without a dash may be those of types.
  bool is_name_alone = specifier.provider.empty() && specifier.module.empty() && specifier.function.empty();
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyz0123456789-";
  if (is_name_alone && specifier.name.find('-') != std::string::npos &&
      specifier.name.find_first_not_of(plain) == std::string::npos)
    return specifier.name;
  std::string text = specifier.provider + ":" + specifier.module + ":" + specifier.function + ":" + specifier.name;
  // A backslash before the line end would join the lines.
  return text.ends_with('\\') ? text + ' ' : text;
}

std::string Printer::statements(const std::vector<Statement*>& body, const std::string& indent) const {
  std::string text;
  for (const Statement* each : body) text += indent + statement(*each, indent) + "\n";
  return text;
}

std::string Printer::statement(const Statement& statement, const std::string& indent) const {
  if (const auto* form = std::get_if<ExprStatement>(&statement.form)) return expr(*form->expr) + ";";
  const auto& form = std::get<IfStatement>(statement.form);
  std::string text =
      "if (" + expr(*form.condition) + ") {\n" + statements(form.then_body, indent + "  ") + indent + "}";
  if (!form.else_body.empty()) text += " else {\n" + statements(form.else_body, indent + "  ") + indent + "}";
  return text;
}

}  // namespace

std::string print_expr(const Expr& expr) { return Printer{}.expr(expr); }

std::string print_clause(const Clause& clause) { return Printer{}.clause(clause); }

std::string print_source(const Program& program) {
  std::string text;
  for (const ProgramUnit& unit : program.units) text += print_unit(unit);
  return text;
}

std::string print_unit(const ProgramUnit& unit) { return Printer{}.unit(unit); }

}  // namespace dscope
