// dump_tree(): prints one line per node, with its children indented below. It omits positions, so that a program that
// was printed and parsed again has the same dump.
#include <utility>

#include "frontend/syntax/ast_print.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string_view name_of(BinaryOp op) {
  static constexpr std::string_view names[] = {"Multiply",     "Divide",     "Modulo",     "Add",       "Subtract",
                                               "ShiftLeft",    "ShiftRight", "Less",       "LessEqual", "Greater",
                                               "GreaterEqual", "Equal",      "NotEqual",   "BitAnd",    "BitXor",
                                               "BitOr",        "LogicalAnd", "LogicalXor", "LogicalOr"};
  return names[static_cast<size_t>(op)];
}

std::string_view name_of(UnaryOp op) {
  static constexpr std::string_view names[] = {"Plus",          "Minus",        "BitNot",       "Not",
                                               "Deref",         "AddressOf",    "PreIncrement", "PreDecrement",
                                               "PostIncrement", "PostDecrement"};
  return names[static_cast<size_t>(op)];
}

std::string_view name_of(IntLiteralType type) {
  static constexpr std::string_view names[] = {"int",           "unsigned int", "long",
                                               "unsigned long", "long long",    "unsigned long long"};
  return names[static_cast<size_t>(type)];
}

std::string_view name_of(StorageClass storage) {
  static constexpr std::string_view names[] = {"", "auto", "register", "static", "extern", "typedef", "self", "this"};
  return names[static_cast<size_t>(storage)];
}

std::string_view name_of(BasicType type) {
  static constexpr std::string_view names[] = {"", "void", "char", "int", "float", "double", "string"};
  return names[static_cast<size_t>(type)];
}

std::string_view name_of(TagKind kind) {
  static constexpr std::string_view names[] = {"struct", "union", "enum"};
  return names[static_cast<size_t>(kind)];
}

std::string quoted(std::string_view bytes) {
  std::string text = "\"";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text += {'\\', c};
    else if (byte < 0x20 || byte >= 0x7f) text += fmt::format("\\{:03o}", byte);
    else text += c;
  }
  return text + '"';
}

class Dumper {
 public:
  std::string dump(const Program& program) {
    for (const ProgramUnit& unit : program.units) {
      line("Unit");
      Indent indent(*this);
      for (const External& external : unit.externals) std::visit([&](const auto& form) { dump(form); }, external.form);
    }
    return std::move(text_);
  }

 private:
  struct Indent {
    explicit Indent(Dumper& owner) : dumper(owner) { dumper.depth_ += 2; }
    ~Indent() { dumper.depth_ -= 2; }
    Indent(const Indent&) = delete;
    Indent& operator=(const Indent&) = delete;
    Dumper& dumper;
  };

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(depth_, ' ');
    text_ += fmt::format(format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  // Prints a line and the non-null children below it.
  template <typename... Nodes>
  void node(std::string_view head, const Nodes*... children) {
    line("{}", head);
    Indent indent(*this);
    (void)indent;
    (
        [&] {
          if (children != nullptr) dump(*children);
        }(),
        ...);
  }
  void labeled(std::string_view label, const Expr* expr) {
    if (expr != nullptr) node(label, expr);
  }

  void dump(const Expr& expr) {
    paren_ = expr.is_parenthesized ? " ()" : "";
    std::visit([&](const auto& form) { dump(form); }, expr.form);
  }
  std::string head(std::string_view text) { return std::string(text) + std::exchange(paren_, ""); }

  void dump(const IntLiteral& form) { node(head(fmt::format("Int {} : {}", form.value, name_of(form.type)))); }
  void dump(const StringLiteral& form) { node(head("String " + quoted(form.bytes))); }
  void dump(const Name& form) {
    std::string_view scope = form.scope == VariableScope::Self     ? "self->"
                             : form.scope == VariableScope::This   ? "this->"
                             : form.scope == VariableScope::Traced ? "$"
                                                                   : "";
    node(head(fmt::format("Name {}{}", scope, form.name)));
  }
  void dump(const SymbolRef& form) {
    node(head(fmt::format("Symbol {}{}{}", form.object, form.is_user ? "``" : "`", form.name)));
  }
  void dump(const AggregationRef& form) { node(head("Aggregation @" + form.name)); }
  void dump(const Index& form) { with_arguments("Index", *form.base, form.arguments); }
  void dump(const Call& form) { with_arguments("Call", *form.callee, form.arguments); }
  void with_arguments(std::string_view kind, const Expr& base, const std::vector<Expr*>& arguments) {
    line("{}", head(kind));
    Indent indent(*this);
    dump(base);
    for (const Expr* argument : arguments) dump(*argument);
  }
  void dump(const Member& form) {
    node(head(fmt::format("Member {}{}", form.is_arrow ? "->" : ".", form.member)), form.base);
  }
  void dump(const Unary& form) { node(head(name_of(form.op)), form.operand); }
  void dump(const SizeofExpr& form) { node(head("Sizeof"), form.operand); }
  void dump(const SizeofType& form) { node(head("Sizeof"), form.type); }
  void dump(const Offsetof& form) { node(head("Offsetof ." + form.member), form.type); }
  void dump(const Stringof& form) { node(head("Stringof"), form.operand); }
  void dump(const Cast& form) { node(head("Cast"), form.type, form.operand); }
  void dump(const Xlate& form) { node(head("Xlate"), form.type, form.operand); }
  void dump(const Binary& form) { node(head(name_of(form.op)), form.lhs, form.rhs); }
  void dump(const Assign& form) {
    node(head(form.op ? fmt::format("Assign {}", name_of(*form.op)) : "Assign"), form.lhs, form.rhs);
  }
  void dump(const Ternary& form) { node(head("Ternary"), form.condition, form.then_value, form.else_value); }
  void dump(const Alternative& form) { node(head("Alternative"), form.first, form.second); }
  void dump(const Comma& form) { node(head("Comma"), form.lhs, form.rhs); }

  void dump(const TypeName& type) {
    dump(*type.specifiers);
    dump(*type.declarator);
  }
  void dump(const DeclSpecifiers& specifiers);
  void dump(const TagSpecifier& type);
  void dump(const Declarator& declarator);
  void dump(const PointerPart& part) {
    line("Pointer{}{}{}", part.is_const ? " const" : "", part.is_volatile ? " volatile" : "",
         part.is_restrict ? " restrict" : "");
  }
  void dump(const ArrayPart& part) { node("Array", part.size); }
  void dump(const KeysPart& part) { parameters("Keys", part.keys, part.has_varargs); }
  void dump(const FunctionPart& part) { parameters("Function", part.parameters, part.has_varargs); }
  void parameters(std::string_view kind, const std::vector<Parameter>& parameters, bool has_varargs) {
    line("{}{}", kind, has_varargs ? " ..." : "");
    Indent indent(*this);
    for (const Parameter& each : parameters) node("Parameter", each.specifiers, each.declarator);
  }

  void dump(const Declaration& form);
  void dump(const InlineDefinition& form) { node("Inline", form.specifiers, form.declarator, form.value); }
  void dump(const TranslatorDefinition& form);
  void dump(const ProviderDefinition& form);
  void dump(const Clause& form);
  void dump(const Pragma& form);
  void dump(const ProbeSpecifier& specifier);
  void dump(const Statement& statement);
  void body(std::string_view label, const std::vector<Statement*>& statements);

  std::string text_;
  size_t depth_ = 0;
  const char* paren_ = "";
};

void Dumper::dump(const DeclSpecifiers& specifiers) {
  std::string words;
  auto add = [&](bool present, std::string_view word) {
    if (present && !word.empty()) words.append(" ").append(word);
  };
  add(true, name_of(specifiers.storage));
  add(specifiers.is_const, "const");
  add(specifiers.is_volatile, "volatile");
  add(specifiers.is_restrict, "restrict");
  add(specifiers.is_userland, "userland");
  add(specifiers.is_signed, "signed");
  add(specifiers.is_unsigned, "unsigned");
  add(specifiers.is_short, "short");
  for (int i = 0; i < specifiers.long_count; ++i) add(true, "long");
  add(true, name_of(specifiers.basic));
  if (const auto* named = std::get_if<NamedType>(&specifiers.type))
    add(true, named->module.empty() ? named->name : named->module + "`" + named->name);
  line("Specifiers{}", words);
  Indent indent(*this);
  if (const auto* type = std::get_if<TagSpecifier>(&specifiers.type)) dump(*type);
}

void Dumper::dump(const TagSpecifier& type) {
  line("{} {}{}{}{}", name_of(type.kind), type.module, type.module.empty() ? "" : "`",
       type.tag.empty() ? "<anonymous>" : type.tag, type.has_body ? " {}" : "");
  Indent indent(*this);
  for (const MemberDecl& each : type.members) {
    node("Member", each.specifiers, each.declarator);
    Indent deeper(*this);
    labeled("Bits", each.bit_width);
  }
  for (const Enumerator& each : type.enumerators) node("Enumerator " + each.name, each.value);
}

void Dumper::dump(const Declarator& declarator) {
  line("Declarator {}", declarator.name.empty() ? "<abstract>" : declarator.name);
  Indent indent(*this);
  for (const auto& part : declarator.parts) std::visit([&](const auto& each) { dump(each); }, part);
}

void Dumper::dump(const Declaration& form) {
  line("Declaration");
  Indent indent(*this);
  dump(*form.specifiers);
  for (const Declarator* each : form.declarators) dump(*each);
}

void Dumper::dump(const TranslatorDefinition& form) {
  line("Translator");
  Indent indent(*this);
  node("Output", form.output);
  node("Input " + form.input_name, form.input);
  for (const TranslatorMember& each : form.members) labeled("Member " + each.name, each.value);
}

void Dumper::dump(const ProviderDefinition& form) {
  line("Provider {}", form.name);
  Indent indent(*this);
  for (const ProviderProbe& each : form.probes)
    node("Probe " + each.name, &each.arguments, each.translated ? &*each.translated : nullptr);
}

void Dumper::dump(const Pragma& form) {
  std::string words;
  for (const std::string& word : form.words) words += " " + quoted(word);
  line("Pragma{}", words);
}

void Dumper::dump(const ProbeSpecifier& specifier) {
  if (specifier.id) line("Probe id {}", *specifier.id);
  else line("Probe {}:{}:{}:{}", specifier.provider, specifier.module, specifier.function, specifier.name);
}

void Dumper::dump(const Clause& form) {
  line("Clause");
  Indent indent(*this);
  for (const ProbeSpecifier& each : form.probes) dump(each);
  labeled("Predicate", form.predicate);
  if (!form.body.empty()) body("Body", form.body);
}

void Dumper::body(std::string_view label, const std::vector<Statement*>& statements) {
  line("{}", label);
  Indent indent(*this);
  for (const Statement* each : statements) dump(*each);
}

void Dumper::dump(const Statement& statement) {
  if (const auto* form = std::get_if<ExprStatement>(&statement.form)) return dump(*form->expr);
  const auto& form = std::get<IfStatement>(statement.form);
  line("If");
  Indent indent(*this);
  labeled("Condition", form.condition);
  body("Then", form.then_body);
  if (!form.else_body.empty()) body("Else", form.else_body);
}

}  // namespace

std::string dump_tree(const Program& program) { return Dumper{}.dump(program); }

}  // namespace dscope
