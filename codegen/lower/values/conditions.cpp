#include "codegen/lower/values/conditions.h"

#include <algorithm>
#include <cstring>

#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/operators.h"
#include "codegen/lower/values/strings.h"
#include "support/check.h"

namespace dscope {

V Conditions::truth(const Binary& form) {
  bool is_logical =
      form.op == BinaryOp::LogicalAnd || form.op == BinaryOp::LogicalOr || form.op == BinaryOp::LogicalXor;
  return is_logical ? logical(form) : comparison(form);
}

V Conditions::compare_numbers(BinaryOp op, V lhs, V rhs, bool is_signed) {
  using P = llvm::CmpInst::Predicate;
  P predicate{};
  switch (op) {
    case BinaryOp::Less: predicate = is_signed ? P::ICMP_SLT : P::ICMP_ULT; break;
    case BinaryOp::LessEqual: predicate = is_signed ? P::ICMP_SLE : P::ICMP_ULE; break;
    case BinaryOp::Greater: predicate = is_signed ? P::ICMP_SGT : P::ICMP_UGT; break;
    case BinaryOp::GreaterEqual: predicate = is_signed ? P::ICMP_SGE : P::ICMP_UGE; break;
    case BinaryOp::Equal: predicate = P::ICMP_EQ; break;
    case BinaryOp::NotEqual: predicate = P::ICMP_NE; break;
    default: DS_UNREACHABLE();
  }
  return b_.ir.CreateICmp(predicate, lhs, rhs);
}

V Conditions::comparison(const Binary& form) {
  const TypeTable& types = *meaning_.types;
  TypeId left = type_of(*form.lhs), right = type_of(*form.rhs);
  if (types.is_string(left) || types.is_string(right)) return compare_strings(form);
  if (types.is_integer(left) && types.is_integer(right)) {
    TypeId common = operators_.promoted(*form.lhs, *form.rhs);
    V lhs = expressions_.scalar(*form.lhs);
    V rhs = expressions_.scalar(*form.rhs);
    return compare_numbers(form.op, lhs, rhs, types.is_signed_integer(common));
  }
  V lhs = expressions_.number_or_address(*form.lhs);
  return compare_numbers(form.op, lhs, expressions_.number_or_address(*form.rhs), false);
}

// Comparisons read execname at constant offsets, so it can be on the stack. The program needs no scratch slot for it.
StringValue Conditions::comparable_string(const Expr& expr) {
  const auto* builtin = std::get_if<BuiltinVariable>(&info(expr).binding);
  if (builtin == nullptr || *builtin != BuiltinVariable::Execname ||
      state_.cache.find(CachedValue::Execname) != nullptr)
    return strings_.string(expr);
  V data = core_.once_per_firing(CachedValue::StackedExecname, [&] {
    V buffer = b_.shared_slot(16, "execname");
    task_.read_execname(buffer, 16);
    return buffer;
  });
  return {data, 16, nullptr};
}

// execname == "bash": a few word comparisons instead of a loop. Both strings are zero-padded, so it is enough to
// compare the literal's bytes and its terminator. A literal that is longer than any string is truncated.
std::optional<V> Conditions::compare_with_literal(const Expr& string_expr, const Expr& literal_expr, bool wants_equal) {
  const auto* literal = std::get_if<StringLiteral>(&literal_expr.form);
  bool is_late = literal != nullptr && literal->is_macro && core_.is_portable();
  if (literal == nullptr || literal->bytes.size() > 63 || is_late) return std::nullopt;
  StringValue value = comparable_string(string_expr);
  std::string bytes = literal->bytes.substr(0, literal->bytes.find('\0')) + '\0';
  bytes.resize(std::min<size_t>(bytes.size(), meaning_.types->strsize()));
  if (bytes.size() > value.capacity) return b_.ir.getInt1(!wants_equal);
  V difference = b_.number(0);
  for (uint32_t offset = 0; offset < bytes.size(); offset += 8) {
    uint64_t word = 0, mask = 0;
    size_t count = std::min<size_t>(8, bytes.size() - offset);
    std::memcpy(&word, bytes.data() + offset, count);
    mask = count == 8 ? ~uint64_t{0} : (uint64_t{1} << (count * 8)) - 1;
    V loaded = b_.ir.CreateAnd(b_.load(b_.at(value.data, offset), 8, false), b_.number(mask));
    difference = b_.ir.CreateOr(difference, b_.ir.CreateXor(loaded, b_.number(word)));
  }
  V is_equal = b_.is_zero(difference);
  if (value.is_null != nullptr) {
    bool is_null_equal = bytes.front() == '\0' && dialect().equates_null_and_empty_string();
    is_equal = is_null_equal ? b_.ir.CreateOr(is_equal, value.is_null)
                             : b_.ir.CreateAnd(is_equal, b_.ir.CreateNot(value.is_null));
  }
  return wants_equal ? is_equal : b_.ir.CreateNot(is_equal);
}

// Whether a string equals NULL.
V Conditions::is_null_like(const StringValue& value) {
  V is_null = value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
  return dialect().equates_null_and_empty_string() ? b_.ir.CreateOr(is_null, b_.is_zero(b_.load(value.data, 1, false)))
                                                   : is_null;
}

// A NULL string equals only NULL and sorts below every other (d-language.md 3.4).
V Conditions::compare_strings(const Binary& form) {
  const TypeTable& types = *meaning_.types;
  for (auto [text, other] : {std::pair{form.lhs, form.rhs}, std::pair{form.rhs, form.lhs}}) {
    if (!types.is_integer(type_of(*other))) continue;
    // A comparison with NULL, the only number that the checker accepts: the string's address is zero or nonzero.
    StringValue value = strings_.string(*text);
    V is_null = value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
    V address = b_.flag(b_.ir.CreateNot(is_null));
    bool is_left = text == form.lhs;
    return compare_numbers(form.op, is_left ? address : b_.number(0), is_left ? b_.number(0) : address, false);
  }
  if (form.op == BinaryOp::Equal || form.op == BinaryOp::NotEqual) {
    bool wants_equal = form.op == BinaryOp::Equal;
    if (auto result = compare_with_literal(*form.lhs, *form.rhs, wants_equal)) return *result;
    if (auto result = compare_with_literal(*form.rhs, *form.lhs, wants_equal)) return *result;
  }
  StringValue lhs = strings_.string(*form.lhs);
  StringValue rhs = strings_.string(*form.rhs);
  V order =
      b_.call_support("ds_strcmp", b_.i64, {lhs.data, b_.number(lhs.capacity), rhs.data, b_.number(rhs.capacity)});
  if (lhs.is_null != nullptr || rhs.is_null != nullptr) {
    V left_null = lhs.is_null != nullptr ? lhs.is_null : b_.ir.getFalse();
    V right_null = rhs.is_null != nullptr ? rhs.is_null : b_.ir.getFalse();
    V by_null = b_.ir.CreateSub(b_.flag(is_null_like(rhs)), b_.flag(is_null_like(lhs)));
    order = core_.as_unknown(b_.ir.CreateSelect(b_.ir.CreateOr(left_null, right_null), by_null, order));
  }
  return compare_numbers(form.op, order, b_.number(0), true);
}

// The operands of a && b && c, or of a || b || c.
std::vector<const Expr*> Conditions::terms_of(const Binary& form) const {
  std::vector<const Expr*> terms = {form.rhs};
  for (const Expr* left = form.lhs;;) {
    const auto* chain = std::get_if<Binary>(&left->form);
    if (chain == nullptr || chain->op != form.op || info(*left).constant) {
      terms.push_back(left);
      break;
    }
    terms.push_back(chain->rhs);
    left = chain->lhs;
  }
  std::reverse(terms.begin(), terms.end());
  return terms;
}

// A chain jumps to one common block as soon as the result is decided. If the code joined after each term, LLVM would
// reduce it to the same form, but in time quadratic in the length of the chain.
V Conditions::logical(const Binary& form) {
  if (form.op == BinaryOp::LogicalXor) {
    V lhs = expressions_.condition(*form.lhs);
    return b_.ir.CreateXor(lhs, expressions_.condition(*form.rhs));
  }
  bool is_and = form.op == BinaryOp::LogicalAnd;
  std::vector<const Expr*> terms = terms_of(form);
  auto* decided = b_.block("decided");
  auto* after = b_.block("after");
  V value = expressions_.condition(*terms.front());
  core_.conditionally([&] {
    for (size_t i = 1; i < terms.size(); ++i) {
      auto* next = b_.block("next");
      b_.ir.CreateCondBr(value, is_and ? next : decided, is_and ? decided : next);
      b_.start(next);
      value = expressions_.condition(*terms[i]);
    }
  });
  auto* last = b_.ir.GetInsertBlock();
  b_.ir.CreateBr(after);
  b_.start(decided);
  b_.ir.CreateBr(after);
  b_.start(after);
  auto* result = b_.ir.CreatePHI(b_.i1, 2);
  result->addIncoming(is_and ? b_.ir.getFalse() : b_.ir.getTrue(), decided);
  result->addIncoming(value, last);
  return result;
}

}  // namespace dscope
