// Integer expressions of generated programs.
#include "generator.h"

namespace dscope::oracle {

namespace {

bool is_integer(const Type& type) { return type.kind == Kind::Integer; }

}  // namespace

ExprPtr Generator::make(Form form, const Type& type, std::vector<ExprPtr> parts, std::string word) {
  Expr expr;
  expr.form = form;
  expr.type = &type;
  expr.parts = std::move(parts);
  expr.word = std::move(word);
  return std::make_shared<const Expr>(std::move(expr));
}

ExprPtr Generator::number(const Type& type, int64_t value) {
  Expr expr;
  expr.form = Form::Number;
  expr.type = &type;
  expr.number = value;
  return std::make_shared<const Expr>(std::move(expr));
}

int64_t Generator::interesting() {
  switch (pick(6)) {
    case 0:
    case 1: return static_cast<int64_t>(pick(7)) - 3;
    case 2: return static_cast<int64_t>((uint64_t{1} << pick(64)) - pick(2));
    case 3: return -static_cast<int64_t>(uint64_t{1} << pick(63));
    case 4: return pick(300);
    default: return static_cast<int64_t>(random_());
  }
}

ExprPtr Generator::literal(const Type& type) { return number(type, narrow(interesting(), type)); }

ExprPtr Generator::cast_to(const Type& type, ExprPtr expr) {
  if (expr->type == &type) return expr;
  return make(Form::Cast, type, {std::move(expr)});
}

ExprPtr Generator::leaf() {
  unsigned choice = pick(10);
  if (choice < 6) {
    if (ExprPtr found = object(is_integer, 0)) return found;
  }
  if (choice == 6 && !enums_.empty()) {
    const Type& type = *enums_[0];
    const auto& [name, value] = type.enumerators[pick(type.enumerators.size())];
    Expr expr = *number(type, value);
    expr.word = name;
    return std::make_shared<const Expr>(expr);
  }
  if (choice == 7 && chance(40)) {
    static const std::pair<const char*, int64_t> known[] = {{"(int)(curthread->tgid - pid)", 0},
                                                            {"(curthread->pid == tid)", 1},
                                                            {"(timestamp == 0)", 0},
                                                            {"(int)(curthread->real_parent->tgid != ppid)", 0},
                                                            {"(curthread->group_leader->pid == pid)", 1},
                                                            {"(curthread->comm == execname)", 1},
                                                            {"(strlen(curthread->comm) == strlen(execname))", 1}};
    // Task names have up to 15 characters. Shorter strings truncate them.
    const auto& [word, value] = known[pick(types_.strsize() > 15 ? std::size(known) : 5)];
    Expr expr = *number(int_, value);
    expr.form = Form::Known;
    expr.word = word;
    return std::make_shared<const Expr>(expr);
  }
  static constexpr const char* literals[] = {"int", "unsigned", "long", "unsigned long long"};
  return literal(types_.integer(literals[pick(4)]));
}

ExprPtr Generator::integer(int depth) {
  if (depth <= 0 || --budget_ <= 0 || chance(12)) return leaf();
  switch (pick(20)) {
    case 0: {
      static constexpr const char* ops[] = {"-", "~", "!"};
      ExprPtr operand = integer(depth - 1);
      unsigned op = pick(3);
      return make(Form::Unary, op == 2 ? int_ : operand_type(*operand, int_), {operand}, ops[op]);
    }
    case 1: return cast_to(any_integer(), integer(depth - 1));
    case 2: {
      ExprPtr condition = integer(depth - 1), yes = integer(depth - 1), no = integer(depth - 1);
      return make(Form::Ternary, promoted(operand_type(*yes, int_), operand_type(*no, int_)), {condition, yes, no});
    }
    case 3:
    case 4: return comparison(depth);
    case 5: return other_comparison(depth);
    case 6: {
      static constexpr const char* ops[] = {"&&", "||", "^^"};
      ExprPtr left = integer(depth - 1);
      return make(Form::Logical, int_, {left, integer(depth - 1)}, ops[pick(3)]);
    }
    case 7: return shift(depth);
    case 8: {
      ExprPtr left = integer(depth - 1), right = integer(depth - 1);
      return make(Form::Comma, *right->type, {left, right});
    }
    case 9:
    case 10: return assignment(depth);
    case 11: return number_call(depth);
    case 12: return site_.has_user_memory && chance(60) ? user_integer(depth) : character(depth);
    case 13:
    case 14: {
      ExprPtr found = object(is_integer, depth);
      return found ? found : leaf();
    }
    default: return binary(depth);
  }
}

ExprPtr Generator::shift(int depth) {
  ExprPtr left = integer(depth - 1);
  return make(Form::Binary, operand_type(*left, int_), {left, integer(depth - 1)}, chance(50) ? "<<" : ">>");
}

ExprPtr Generator::binary(int depth) {
  static constexpr const char* ops[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
  std::string op = ops[pick(8)];
  ExprPtr left = integer(depth - 1), right = integer(depth - 1);
  if (op == "/" || op == "%") {
    // A variable divisor of 0 faults. A constant divisor of 0 is a compile error.
    if (is_constant(*right)) right = number(int_, 1 + pick(50));
    else if (chance(90))
      right = make(Form::Binary, promoted(operand_type(*right, int_), int_), {right, number(int_, 1)}, "|");
  }
  return make(Form::Binary, promoted(operand_type(*left, int_), operand_type(*right, int_)), {left, right}, op);
}

ExprPtr Generator::comparison(int depth) {
  static constexpr const char* ops[] = {"<", "<=", ">", ">=", "==", "!="};
  ExprPtr left = integer(depth - 1);
  return make(Form::Compare, int_, {left, integer(depth - 1)}, ops[pick(6)]);
}

// Comparisons of strings and pointers.
ExprPtr Generator::other_comparison(int depth) {
  static constexpr const char* ops[] = {"==", "!=", "<", "<=", ">", ">="};
  bool may_be_null = chance(40);
  ExprPtr left = string(depth - 1, may_be_null);
  if (chance(15) && left->form != Form::Text)
    return make(Form::Compare, int_, {left, make(Form::Null, types_.string(), {})}, ops[pick(2)]);
  if (chance(75)) return make(Form::Compare, int_, {left, string(depth - 1, may_be_null)}, ops[pick(6)]);
  const Variable* found = nullptr;
  for (const Variable& variable : world_->variables)
    if (variable.type->kind == Kind::Pointer && variable.keys.empty() && (found == nullptr || chance(50)))
      found = &variable;
  if (found == nullptr) return comparison(depth);
  ExprPtr one = pointer(*found->type, depth - 1), other = pointer(*found->type, depth - 1);
  if (chance(30) && found->type->element->size > 0)
    return make(Form::PointerDifference, types_.integer("int64_t"), {one, other});
  return make(Form::Compare, int_, {one, other}, ops[pick(6)]);
}

ExprPtr Generator::assignment(int depth) {
  ExprPtr target = object(is_integer, depth - 1);
  if (!target) return leaf();
  if (chance(30)) {
    Expr step = *make(Form::Step, *target->type, {target}, chance(50) ? "++" : "--");
    step.number = pick(2);
    return std::make_shared<const Expr>(step);
  }
  ExprPtr source = integer(depth - 1);
  if (chance(60)) return make(Form::Assign, *target->type, {target, source});
  static constexpr const char* ops[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
  std::string op = ops[pick(10)];
  if (op == "/" || op == "%") {
    if (is_constant(*source)) source = number(int_, 1 + pick(50));
    else if (chance(90))
      source = make(Form::Binary, promoted(operand_type(*source, int_), int_), {source, number(int_, 1)}, "|");
  }
  return make(Form::Compound, *target->type, {target, source}, op);
}

// 0 .. limit - 1, in the type unsigned.
ExprPtr Generator::small(int depth, unsigned limit) {
  const Type& type = types_.integer("unsigned");
  if (depth <= 0 || chance(60)) return number(int_, pick(limit));
  return make(Form::Binary, type, {cast_to(type, integer(depth - 1)), number(type, limit)}, "%");
}

ExprPtr Generator::index_for(uint32_t count, int depth) {
  if (chance(97)) return small(depth, count);
  ExprPtr index = integer(depth - 1);
  return is_constant(*index) ? small(depth, count) : index;
}

ExprPtr Generator::number_call(int depth) {
  if (chance(40)) return make(Form::Call, types_.integer("unsigned long"), {string(depth - 1)}, "strlen");
  ExprPtr text = string(depth - 1);
  std::vector<ExprPtr> arguments{text, string(depth - 1)};
  if (chance(50)) arguments.push_back(chance(80) ? small(depth, 14) : integer(depth - 1));
  return make(Form::Call, int_, arguments, chance(50) ? "index" : "rindex");
}

// A character within the bounds of a string.
ExprPtr Generator::character(int depth) {
  ExprPtr text = string_leaf();
  const Type& type = types_.integer("char");
  if (chance(30)) return make(Form::Deref, type, {text});
  if (text->form != Form::Text && text->form != Form::Variable) return leaf();
  const Type& size = types_.integer("unsigned long");
  ExprPtr length = make(Form::Binary, size, {make(Form::Call, size, {text}, "strlen"), number(size, 1)}, "+");
  ExprPtr index = make(Form::Binary, size, {cast_to(size, integer(depth - 1)), length}, "%");
  return make(Form::Index, type, {text, index});
}

}  // namespace dscope::oracle
