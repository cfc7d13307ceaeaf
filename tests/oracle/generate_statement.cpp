// Clauses and statements of generated programs.
#include "generator.h"

namespace dscope::oracle {

namespace {

constexpr int max_expression_nodes = 40;
constexpr uint32_t scratch_size = 256;  // default of -x scratchsize

Statement expression_statement(ExprPtr expr) {
  Statement statement;
  statement.expr = std::move(expr);
  return statement;
}

}  // namespace

// Initializes the variables. Undeclared variables get their types here, before other code refers to them: first the
// variables initialized by literals, then pointers, whose targets may be reached through any variable.
Clause Generator::first_clause() {
  Clause clause;
  auto turn_of = [](const Variable& variable) {
    if (variable.is_declared) return 2;
    return variable.type->kind == Kind::Pointer ? 1 : 0;
  };
  for (int turn : {0, 1, 2}) {
    is_typing_pointers_ = turn == 1;
    for (const Variable& variable : world_->variables)
      if (turn_of(variable) == turn) initialize(variable, clause.body);
  }
  return clause;
}

void Generator::initialize(const Variable& variable, std::vector<Statement>& body) {
  const Type& type = *variable.type;
  // Thread-local variables keep their value from event to event, clause-local ones do not.
  bool keeps_value = !is_concurrent() || variable.scope == Scope::Self;
  // Stores through a pointer that was never assigned are not allowed.
  if (keeps_value && variable.is_declared && type.kind != Kind::Pointer && chance(20)) return;
  budget_ = 5;
  ExprPtr target = variable_reference(variable, 0);
  if (!variable.keys.empty() && (type.kind == Kind::Struct || type.kind == Kind::Array)) return;
  switch (type.kind) {
    case Kind::Integer:
      body.push_back(
          expression_statement(make(Form::Assign, type, {target, number(type, narrow(interesting(), type))})));
      break;
    case Kind::String:
      body.push_back(expression_statement(make(Form::Assign, type, {target, string_literal()})));
      break;
    case Kind::Pointer:
      body.push_back(expression_statement(make(Form::Assign, type, {target, pointer(type, -1)})));
      break;
    case Kind::Array:
    case Kind::Struct: {
      std::vector<ExprPtr> parts;
      collect_parts(target, parts);
      for (const ExprPtr& part : parts) {
        if (!chance(70)) continue;
        bool is_string = part->type->kind == Kind::String;
        ExprPtr value = is_string ? string_literal() : literal(types_.integer("int"));
        body.push_back(expression_statement(make(Form::Assign, *part->type, {part, value})));
      }
      break;
    }
  }
}

// All integers and strings within an object.
void Generator::collect_parts(const ExprPtr& object, std::vector<ExprPtr>& parts) {
  const Type& type = *object->type;
  if (type.kind == Kind::Integer || type.kind == Kind::String) parts.push_back(object);
  if (type.kind == Kind::Array)
    for (uint32_t i = 0; i < type.count; ++i)
      collect_parts(make(Form::Index, *type.element, {object, number(int_, i)}), parts);
  if (type.kind != Kind::Struct) return;
  for (const Field& field : type.fields) {
    Expr member = *make(Form::Member, *field.type, {object});
    member.field = &field;
    collect_parts(std::make_shared<const Expr>(member), parts);
  }
}

// Elements of an associative array that may exist.
std::vector<ExprPtr> Generator::elements(const Variable& variable) {
  std::vector<ExprPtr> result;
  std::vector<std::vector<ExprPtr>> tuples{{}};
  for (const Type* type : variable.keys) {
    std::vector<ExprPtr> values;
    if (type->kind == Kind::Struct) return {};
    for (int64_t i = 0; i < 3; ++i) {
      static constexpr const char* words[] = {"", "a", "key"};
      values.push_back(type->kind == Kind::String ? make(Form::Text, *type, {}, words[i]) : number(*type, i));
    }
    std::vector<std::vector<ExprPtr>> longer;
    for (const auto& tuple : tuples)
      for (const ExprPtr& value : values) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    tuples = std::move(longer);
  }
  for (auto& tuple : tuples) {
    Expr element = *make(Form::Element, *variable.type, std::move(tuple));
    element.variable = &variable;
    result.push_back(std::make_shared<const Expr>(element));
  }
  if (result.size() > 9) result.resize(9);
  return result;
}

Statement Generator::print_variable(const Variable& variable) {
  Statement print{.kind = Statement::Kind::Print};
  std::vector<ExprPtr> objects{variable_reference(variable, 0)};
  if (!variable.keys.empty()) objects = elements(variable);
  for (const ExprPtr& object : objects) {
    if (variable.keys.empty() || object->type->kind == Kind::Integer) {
      collect_parts(object, print.args);
      continue;
    }
    if (object->type->kind == Kind::String) {
      ExprPtr is_null = make(Form::Compare, int_, {object, make(Form::Null, types_.string(), {})}, "==");
      print.args.push_back(
          make(Form::Ternary, types_.string(), {is_null, make(Form::Text, types_.string(), {}, "(null)"), object}));
    }
  }
  return print;
}

// Prints all variables.
Clause Generator::last_clause() {
  Clause clause;
  for (const Variable& variable : world_->variables) {
    if (variable.type->kind == Kind::Pointer) continue;
    Statement print = print_variable(variable);
    // A format allows only so many conversions.
    if (print.args.size() > 24) print.args.resize(24);
    if (!print.args.empty()) clause.body.push_back(print);
  }
  return clause;
}

Clause Generator::clause() {
  Clause clause;
  scratch_ = scratch_size;
  if (chance(35)) {
    budget_ = max_expression_nodes / 2;
    clause.predicate = integer(size_.depth);
  }
  clause.body = body(size_.statements, 0);
  return clause;
}

std::vector<Statement> Generator::body(int statements, int nesting) {
  std::vector<Statement> result;
  for (int count = 1 + static_cast<int>(pick(static_cast<size_t>(statements))); count > 0; --count)
    result.push_back(statement(nesting));
  return result;
}

Statement Generator::print() {
  if (is_concurrent()) return aggregate();
  Statement print{.kind = Statement::Kind::Print};
  print.is_cast = !chance(30);
  for (unsigned count = 1 + pick(4); count > 0; --count) {
    budget_ = max_expression_nodes;
    print.args.push_back(chance(35) ? string(size_.depth, true) : integer(size_.depth));
  }
  return print;
}

Statement Generator::statement(int nesting) {
  budget_ = max_expression_nodes;
  int depth = 1 + static_cast<int>(pick(static_cast<size_t>(size_.depth)));
  switch (pick(16)) {
    case 0:
    case 1:
      if (nesting < 3) {
        Statement choice{.kind = Statement::Kind::If, .expr = integer(depth)};
        choice.body = body(2, nesting + 1);
        if (chance(60)) choice.otherwise = body(2, nesting + 1);
        return choice;
      }
      return print();
    case 2:
    case 3: return aggregate();
    case 4: return removal();
    case 5:
    case 6: {
      ExprPtr target = object([](const Type& type) { return type.kind == Kind::String; }, depth);
      if (!target) return print();
      bool is_variable = target->form == Form::Variable || target->form == Form::Element;
      return expression_statement(make(Form::Assign, *target->type, {target, string(depth, is_variable)}));
    }
    case 7: {
      ExprPtr target = object([](const Type& type) { return type.kind == Kind::Struct; }, depth);
      if (!target) return print();
      return expression_statement(make(Form::Assign, *target->type, {target, structure(*target->type, depth)}));
    }
    case 8: {
      ExprPtr target = object([](const Type& type) { return type.kind == Kind::Pointer; }, depth);
      if (!target) return print();
      if (chance(20))
        return expression_statement(
            make(Form::Compound, *target->type, {target, number(int_, pick(2))}, chance(50) ? "+" : "-"));
      return expression_statement(make(Form::Assign, *target->type, {target, pointer(*target->type, depth)}));
    }
    case 9:
    case 10:
    case 11: {
      ExprPtr expr = assignment(depth);
      return expression_statement(expr);
    }
    default: return print();
  }
}

Statement Generator::aggregate() {
  if (world_->aggregations.empty()) return print();
  const Aggregation& aggregation = world_->aggregations[pick(world_->aggregations.size())];
  Statement result{.kind = Statement::Kind::Aggregate};
  result.aggregation = &aggregation;
  for (const Type* type : aggregation.keys) {
    ExprPtr value = key(*type, size_.depth);
    result.keys.push_back(type->kind == Kind::Integer ? cast_to(*type, value) : value);
  }
  if (aggregation.function == "count") return result;
  ExprPtr value = integer(size_.depth);
  // Squares of larger numbers, and their sums, would overflow.
  if (aggregation.function == "stddev" || aggregation.function == "avg") value = cast_to(int_, value);
  if (aggregation.parameters.size() > 0 && chance(70)) value = cast_to(types_.integer("short"), value);
  result.args.push_back(value);
  if (aggregation.has_increment) result.args.push_back(chance(70) ? small(3, 9) : cast_to(int_, integer(2)));
  return result;
}

// Assigns 0 or NULL.
Statement Generator::removal() {
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Variable& variable = world_->variables[pick(world_->variables.size())];
    ExprPtr target = variable_reference(variable, 2);
    if (variable.type->kind == Kind::Integer)
      return expression_statement(make(Form::Assign, *variable.type, {target, number(int_, 0)}));
    if (variable.type->kind == Kind::String)
      return expression_statement(make(Form::Assign, *variable.type, {target, make(Form::Null, types_.string(), {})}));
  }
  return print();
}

}  // namespace dscope::oracle
