#include "program.h"

#include <algorithm>

namespace dscope::oracle {

namespace {

// Arguments and keys.
std::string joined(const std::vector<ExprPtr>& parts) {
  std::string result;
  for (const ExprPtr& part : parts) {
    bool has_comma = part->form == Form::Comma;
    result += (result.empty() ? "" : ", ") + (has_comma ? "(" + text(*part) + ")" : text(*part));
  }
  return result;
}

std::string quoted(const std::string& bytes) { return "\"" + bytes + "\""; }

std::string scoped(const Variable& variable) {
  switch (variable.scope) {
    case Scope::Global: return variable.name;
    case Scope::Self: return "self->" + variable.name;
    case Scope::This: return "this->" + variable.name;
  }
  return {};
}

// The text of an operand, in parentheses if necessary.
std::string operand(const Expr& expr) {
  switch (expr.form) {
    case Form::Variable:
    case Form::Element:
    case Form::Index:
    case Form::Member:
    case Form::Arrow:
    case Form::Text:
    case Form::UserText:
    case Form::Call: return text(expr);
    default: return "(" + text(expr) + ")";
  }
}

std::string number_text(const Expr& expr) {
  if (!expr.word.empty()) return expr.word;
  static constexpr std::pair<const char*, const char*> suffixes[] = {
      {"int", ""}, {"unsigned", "u"}, {"long", "l"}, {"unsigned long long", "ull"}};
  for (const auto& [name, suffix] : suffixes)
    if (expr.type->name == name && expr.number >= 0) return std::to_string(expr.number) + suffix;
  return "(" + expr.type->name + ")" + std::to_string(static_cast<uint64_t>(expr.number)) + "ull";
}

std::string user_range_text(const Expr& expr) {
  const Expr& offset = *expr.parts[0];
  bool is_zero = offset.form == Form::Number && offset.number == 0;
  std::string address = is_zero ? expr.word : expr.word + " + " + operand(offset);
  return expr.parts.size() > 1 ? address + ", " + text(*expr.parts[1]) : address;
}

std::string user_pointer_text(const Expr& expr) {
  std::string type = declare(*expr.type, "");
  switch (expr.transfer) {
    case Transfer::Copyin: return "((" + type + ")copyin(" + user_range_text(expr) + "))";
    case Transfer::Copyinto: {
      const std::string& copy = expr.known;
      return "((" + type + ")(" + copy + " = (char *)alloca(" + text(*expr.parts[1]) + "), copyinto(" +
             user_range_text(expr) + ", " + copy + "), " + copy + "))";
    }
    case Transfer::Direct: break;
  }
  Expr address = expr;
  address.parts.pop_back();
  return "((userland " + type + ")(" + user_range_text(address) + "))";
}

std::string user_text(const Expr& expr) {
  if (expr.transfer == Transfer::Direct) return "copyinstr(" + user_range_text(expr) + ")";
  return "stringof((char *)copyin(" + user_range_text(expr) + "))";
}

std::string statement_text(const Statement& statement, const World& world, const std::string& indent);

std::string block_text(const std::vector<Statement>& body, const World& world, const std::string& indent) {
  std::string result = "{\n";
  for (const Statement& statement : body) result += statement_text(statement, world, indent + "  ");
  return result + indent + "}";
}

// Prints integers as int64_t or in their own type, and strings unchanged.
std::string print_text(const Statement& statement, const World& world) {
  std::string format = world.name, arguments;
  for (const ExprPtr& arg : statement.args) {
    bool is_string = arg->type->kind == Kind::String;
    bool is_cast = !is_string && statement.is_cast;
    format += is_string ? "|%s" : !is_cast && arg->type->is_unsigned ? "|%u" : "|%d";
    arguments += is_cast ? ", (int64_t)" + operand(*arg) : ", " + joined({arg});
  }
  return "printf(\"" + format + "\\n\"" + arguments + ")";
}

std::string aggregate_text(const Statement& statement) {
  const Aggregation& aggregation = *statement.aggregation;
  std::string keys = statement.keys.empty() ? "" : "[" + joined(statement.keys) + "]";
  std::string arguments;
  if (!statement.args.empty()) arguments = joined({statement.args[0]});
  for (int64_t parameter : aggregation.parameters) arguments += ", " + std::to_string(parameter);
  if (statement.args.size() > 1) arguments += ", " + joined({statement.args[1]});
  return "@" + aggregation.name + keys + " = " + aggregation.function + "(" + arguments + ")";
}

std::string statement_text(const Statement& statement, const World& world, const std::string& indent) {
  switch (statement.kind) {
    case Statement::Kind::Expression: return indent + text(*statement.expr) + ";\n";
    case Statement::Kind::Print: return indent + print_text(statement, world) + ";\n";
    case Statement::Kind::Aggregate: return indent + aggregate_text(statement) + ";\n";
    case Statement::Kind::If: {
      std::string result = indent + "if (" + text(*statement.expr) + ") " + block_text(statement.body, world, indent);
      if (!statement.otherwise.empty()) result += " else " + block_text(statement.otherwise, world, indent);
      return result + "\n";
    }
  }
  return {};
}

}  // namespace

std::string text(const Expr& expr) {
  auto part = [&](size_t i) { return operand(*expr.parts[i]); };
  switch (expr.form) {
    case Form::Number: return number_text(expr);
    case Form::Text: return quoted(expr.word);
    case Form::Known: return expr.word;
    case Form::Null: return "NULL";
    case Form::Variable: return scoped(*expr.variable);
    case Form::Element: return scoped(*expr.variable) + "[" + joined(expr.parts) + "]";
    case Form::Index: return part(0) + "[" + joined({expr.parts[1]}) + "]";
    case Form::Member: return part(0) + "." + expr.field->name;
    case Form::Arrow: return part(0) + "->" + expr.field->name;
    case Form::Deref: return "*" + part(0);
    case Form::AddressOf: return "&" + part(0);
    case Form::Unary: return expr.word + part(0);
    case Form::Binary:
    case Form::Compare:
    case Form::Logical:
    case Form::PointerStep: return part(0) + " " + expr.word + " " + part(1);
    case Form::PointerDifference: return part(0) + " - " + part(1);
    case Form::Assign: return part(0) + " = " + part(1);
    case Form::Compound: return part(0) + " " + expr.word + "= " + part(1);
    case Form::Step: return expr.number != 0 ? part(0) + expr.word : expr.word + part(0);
    case Form::Ternary: return part(0) + " ? " + part(1) + " : " + part(2);
    case Form::Comma: return part(0) + ", " + part(1);
    case Form::Cast: return "(" + declare(*expr.type, "") + ")" + part(0);
    case Form::Stringof: return "stringof(" + text(*expr.parts[0]) + ")";
    case Form::Call: return expr.word + "(" + joined(expr.parts) + ")";
    case Form::UserPointer: return user_pointer_text(expr);
    case Form::UserText: return user_text(expr);
  }
  return {};
}

std::string declarations(const Program& program) {
  std::string result;
  const World& world = *program.world;
  std::string used = clauses(program);
  for (const Type& type : world.types.declared()) result += type.definition + "\n";
  for (const Variable& variable : world.variables) {
    if (!variable.is_declared || used.find(variable.name) == std::string::npos) continue;
    std::string name = variable.name;
    std::string keys;
    for (const Type* key : variable.keys) keys += (keys.empty() ? "" : ", ") + key->name;
    if (!keys.empty()) name += "[" + keys + "]";
    const char* scope = variable.scope == Scope::Self ? "self " : variable.scope == Scope::This ? "this " : "";
    result += scope + declare(*variable.type, name) + ";\n";
  }
  return result;
}

std::string clauses(const Program& program) {
  std::string result;
  const Site& site = program.world->site;
  for (const Clause& clause : program.clauses) {
    result += site.probe + "\n";
    std::string predicate = site.guard;
    if (clause.predicate) predicate += (predicate.empty() ? "" : " && ") + operand(*clause.predicate);
    if (!predicate.empty()) result += "/" + predicate + "/\n";
    result += block_text(clause.body, *program.world, "") + "\n";
  }
  return result;
}

namespace {

bool is_updated(const std::vector<Statement>& body, const Aggregation& aggregation) {
  return std::any_of(body.begin(), body.end(), [&](const Statement& statement) {
    return statement.aggregation == &aggregation || is_updated(statement.body, aggregation) ||
           is_updated(statement.otherwise, aggregation);
  });
}

}  // namespace

std::string printing_of_aggregations(const Program& program) {
  std::string result;
  for (const Aggregation& aggregation : program.world->aggregations) {
    bool is_known = std::any_of(program.clauses.begin(), program.clauses.end(),
                                [&](const Clause& clause) { return is_updated(clause.body, aggregation); });
    if (!is_known) continue;
    std::string format = "@" + aggregation.name;
    for (const Type* key : aggregation.keys) format += key->kind == Kind::String ? "|%s" : "|%d";
    result += "  printa(\"" + format + "|%@d\\n\", @" + aggregation.name + ");\n";
  }
  return result.empty() ? "" : "END {\n" + result + "}\n";
}

bool is_constant(const Expr& expr) {
  switch (expr.form) {
    case Form::Number: return true;
    case Form::Unary:
    case Form::Binary:
    case Form::Compare:
    case Form::Cast:
    case Form::Comma:
      return std::all_of(expr.parts.begin(), expr.parts.end(), [](const ExprPtr& p) { return is_constant(*p); });
    // The first operand alone may determine the result.
    case Form::Logical: return is_constant(*expr.parts[0]);
    // With a constant condition, only one branch must be constant.
    case Form::Ternary:
      return is_constant(*expr.parts[0]) && (is_constant(*expr.parts[1]) || is_constant(*expr.parts[2]));
    default: return false;
  }
}

}  // namespace dscope::oracle
