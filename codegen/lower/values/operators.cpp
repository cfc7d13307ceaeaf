// Operators on numbers and comparisons of strings. Results are narrowed to their D type after each operation
// (d-language.md 3.6); shift counts are taken modulo 64 (4.6).
#include <algorithm>
#include <cstring>
#include <iterator>

#include "codegen/lower/emitter.h"
#include "frontend/semantics/complexity.h"
#include "support/check.h"

namespace dscope {

namespace {

// Of long expressions, LLVM would compute the sums behind the last call or test, with all operands on the stack.
bool has_calls_or_tests(const llvm::Instruction& behind, const llvm::BasicBlock& here) {
  if (behind.getParent() != &here) return true;
  return std::any_of(std::next(behind.getIterator()), here.end(), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && !call->isInlineAsm();
  });
}

}  // namespace

// Rank: bits, one more if unsigned; the higher rank is the type of the result, equal ranks keep the left.
TypeId Emitter::promoted(TypeId lhs, TypeId rhs) const {
  const TypeTable& types = *meaning_.types;
  auto rank = [&](TypeId type) { return types.size_of(type) * 8 + (types.is_signed_integer(type) ? 0 : 1); };
  return rank(rhs) > rank(lhs) ? rhs : lhs;
}

V Emitter::scalar_of(const Expr& expr, const Binary& form) {
  if (gives_truth(form.op)) return merged(b_.flag(truth(form)));
  const TypeTable& types = *meaning_.types;
  TypeId type = type_of(expr), left = type_of(*form.lhs), right = type_of(*form.rhs);
  if (types.is_integer(left) && types.is_integer(right)) {
    bool is_shift = form.op == BinaryOp::ShiftLeft || form.op == BinaryOp::ShiftRight;
    V lhs = convert(scalar(*form.lhs), left, type);
    llvm::BasicBlock* before = b_.ir.GetInsertBlock();
    llvm::Instruction* last = before->empty() ? nullptr : &before->back();
    V rhs = scalar(*form.rhs);
    if (last != nullptr && std::holds_alternative<Binary>(form.lhs->form) &&
        has_calls_or_tests(*last, *b_.ir.GetInsertBlock()))
      lhs = b_.guarded_behind(last, lhs);
    return arithmetic(form.op, lhs, is_shift ? rhs : convert(rhs, right, type), type, expr);
  }
  // Pointers: arrays stand for the address of their first element.
  V lhs = number_or_address(*form.lhs), rhs = number_or_address(*form.rhs);
  bool is_left_integer = types.is_integer(left), is_right_integer = types.is_integer(right);
  if (!is_left_integer && !is_right_integer) {
    V size = pointer_step(b_.number(1), left);
    return divide(b_.ir.CreateSub(lhs, rhs), size, true, false, expr);
  }
  if (is_left_integer) return b_.ir.CreateAdd(pointer_step(lhs, right), rhs);
  V by = pointer_step(rhs, left);
  return form.op == BinaryOp::Subtract ? b_.ir.CreateSub(lhs, by) : b_.ir.CreateAdd(lhs, by);
}

V Emitter::truth(const Binary& form) {
  bool is_logical =
      form.op == BinaryOp::LogicalAnd || form.op == BinaryOp::LogicalOr || form.op == BinaryOp::LogicalXor;
  return is_logical ? logical(form) : comparison(form);
}

V Emitter::pointer_step(V count, TypeId pointer) {
  const TypeTable& types = *meaning_.types;
  const Type& type = types.resolved(pointer);
  uint64_t size = type.kind == TypeKind::Pointer || type.kind == TypeKind::Array ? types.size_of(type.base) : 1;
  return b_.ir.CreateMul(count, b_.number(std::max<uint64_t>(1, size)));
}

V Emitter::arithmetic(BinaryOp op, V lhs, V rhs, TypeId type, const Expr& at) {
  bool is_signed = meaning_.types->is_signed_integer(type);
  auto shift_count = [&] { return b_.ir.CreateAnd(rhs, b_.number(63)); };
  switch (op) {
    case BinaryOp::Add: return canonical(b_.ir.CreateAdd(lhs, rhs), type);
    case BinaryOp::Subtract: return canonical(b_.ir.CreateSub(lhs, rhs), type);
    case BinaryOp::Multiply: return canonical(b_.ir.CreateMul(lhs, rhs), type);
    case BinaryOp::Divide: return canonical(divide(lhs, rhs, is_signed, false, at), type);
    case BinaryOp::Modulo: return canonical(divide(lhs, rhs, is_signed, true, at), type);
    case BinaryOp::ShiftLeft: return canonical(b_.ir.CreateShl(lhs, shift_count()), type);
    case BinaryOp::ShiftRight:
      return canonical(is_signed ? b_.ir.CreateAShr(lhs, shift_count()) : b_.ir.CreateLShr(lhs, shift_count()), type);
    case BinaryOp::BitAnd: return canonical(b_.ir.CreateAnd(lhs, rhs), type);
    case BinaryOp::BitXor: return canonical(b_.ir.CreateXor(lhs, rhs), type);
    case BinaryOp::BitOr: return canonical(b_.ir.CreateOr(lhs, rhs), type);
    default: DS_UNREACHABLE();
  }
}

V Emitter::divide(V lhs, V rhs, bool is_signed, bool wants_rest, const Expr& at) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(rhs);
  if (constant != nullptr && !constant->isZero()) return quotient(lhs, rhs, is_signed, wants_rest);
  fault_if(b_.ir.CreateICmpEQ(rhs, b_.number(0)), DS_FAULT_DIVZERO, b_.number(0), at);
  // LLVM would divide behind the last test of a long expression, with the operands of all divisions on the stack.
  return b_.guarded(quotient(lhs, rhs, is_signed, wants_rest));
}

// BPF before v4 divides unsigned only, and LLVM knows no INT64_MIN / -1: so signed division works on magnitudes.
// Without tests: the verifier would follow each way through them, in each of many divisions.
V Emitter::quotient(V lhs, V rhs, bool is_signed, bool wants_rest) {
  auto unsigned_result = [&](V a, V b) { return wants_rest ? b_.ir.CreateURem(a, b) : b_.ir.CreateUDiv(a, b); };
  if (!is_signed) return unsigned_result(lhs, rhs);
  auto sign_of = [&](V value) {  // 0 or -1
    V sign = b_.ir.CreateAShr(value, b_.number(63));
    return llvm::isa<llvm::Constant>(sign) ? sign : b_.opaque(sign);
  };
  auto negated_by = [&](V sign, V value) { return b_.ir.CreateSub(b_.ir.CreateXor(value, sign), sign); };
  V result = unsigned_result(negated_by(sign_of(lhs), lhs), negated_by(sign_of(rhs), rhs));
  return negated_by(sign_of(wants_rest ? lhs : b_.ir.CreateXor(lhs, rhs)), result);
}

V Emitter::compare_numbers(BinaryOp op, V lhs, V rhs, bool is_signed) {
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

V Emitter::comparison(const Binary& form) {
  const TypeTable& types = *meaning_.types;
  TypeId left = type_of(*form.lhs), right = type_of(*form.rhs);
  if (types.is_string(left) || types.is_string(right)) return compare_strings(form);
  if (types.is_integer(left) && types.is_integer(right)) {
    TypeId common = promoted(left, right);
    V lhs = convert(scalar(*form.lhs), left, common);
    V rhs = convert(scalar(*form.rhs), right, common);
    return compare_numbers(form.op, lhs, rhs, types.is_signed_integer(common));
  }
  V lhs = number_or_address(*form.lhs);
  return compare_numbers(form.op, lhs, number_or_address(*form.rhs), false);
}

// execname for comparisons at constant offsets can be on the stack: the program needs no scratch slot for it.
StringValue Emitter::comparable_string(const Expr& expr) {
  const auto* builtin = std::get_if<BuiltinVariable>(&info(expr).binding);
  if (builtin == nullptr || *builtin != BuiltinVariable::Execname || cache_.contains("execname")) return string(expr);
  V data = once_per_firing("stacked execname", [&] {
    V buffer = b_.shared_slot(16, "comm");
    read_execname(buffer, 16);
    return buffer;
  });
  return {data, 16, nullptr};
}

// execname == "bash": a few word comparisons instead of a loop. Both are zero-padded, so the literal's bytes and its
// terminator are all that counts; of a literal that no string could hold, as much as fits.
std::optional<V> Emitter::compare_with_literal(const Expr& string_expr, const Expr& literal_expr, bool wants_equal) {
  const auto* literal = std::get_if<StringLiteral>(&literal_expr.form);
  if (literal == nullptr || literal->bytes.size() > 63) return std::nullopt;
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
    bool is_null_equal = bytes.front() == '\0' && is_solaris_mode();
    is_equal = is_null_equal ? b_.ir.CreateOr(is_equal, value.is_null)
                             : b_.ir.CreateAnd(is_equal, b_.ir.CreateNot(value.is_null));
  }
  return wants_equal ? is_equal : b_.ir.CreateNot(is_equal);
}

// Of strings that compare as NULL: is it one? To scripts of Solaris "" is the same.
V Emitter::is_nothing(const StringValue& value) {
  V is_null = value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
  return is_solaris_mode() ? b_.ir.CreateOr(is_null, b_.is_zero(b_.load(value.data, 1, false))) : is_null;
}

// A NULL string equals only NULL and sorts below every other (d-language.md 3.4).
V Emitter::compare_strings(const Binary& form) {
  const TypeTable& types = *meaning_.types;
  for (auto [text, other] : {std::pair{form.lhs, form.rhs}, std::pair{form.rhs, form.lhs}}) {
    if (!types.is_integer(type_of(*other))) continue;
    // Compared with NULL (the only number that checks): the string's address is 0 or not.
    StringValue value = string(*text);
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
  StringValue lhs = string(*form.lhs);
  StringValue rhs = string(*form.rhs);
  V order =
      b_.call_support("ds_strcmp", b_.i64, {lhs.data, b_.number(lhs.capacity), rhs.data, b_.number(rhs.capacity)});
  if (lhs.is_null != nullptr || rhs.is_null != nullptr) {
    V left_null = lhs.is_null != nullptr ? lhs.is_null : b_.ir.getFalse();
    V right_null = rhs.is_null != nullptr ? rhs.is_null : b_.ir.getFalse();
    V by_null = b_.ir.CreateSub(b_.flag(is_nothing(rhs)), b_.flag(is_nothing(lhs)));
    order = merged(b_.ir.CreateSelect(b_.ir.CreateOr(left_null, right_null), by_null, order));
  }
  return compare_numbers(form.op, order, b_.number(0), true);
}

// The terms of a && b && c, or of a || b || c.
std::vector<const Expr*> Emitter::terms_of(const Binary& form) const {
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

// A chain leaves for one block as soon as it is decided: of a place where ways meet behind each term, LLVM would make
// the same, in time quadratic in the length of the chain.
V Emitter::logical(const Binary& form) {
  if (form.op == BinaryOp::LogicalXor) {
    V lhs = condition(*form.lhs);
    return b_.ir.CreateXor(lhs, condition(*form.rhs));
  }
  bool is_and = form.op == BinaryOp::LogicalAnd;
  std::vector<const Expr*> terms = terms_of(form);
  auto* decided = b_.block("decided");
  auto* after = b_.block("after");
  V value = condition(*terms.front());
  conditionally([&] {
    for (size_t i = 1; i < terms.size(); ++i) {
      auto* next = b_.block("next");
      b_.ir.CreateCondBr(value, is_and ? next : decided, is_and ? decided : next);
      b_.start(next);
      value = condition(*terms[i]);
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

V Emitter::step(const Expr& expr, const Unary& form) {
  const TypeTable& types = *meaning_.types;
  TypeId type = type_of(*form.operand);
  bool is_increment = form.op == UnaryOp::PreIncrement || form.op == UnaryOp::PostIncrement;
  bool is_prefix = form.op == UnaryOp::PreIncrement || form.op == UnaryOp::PreDecrement;
  LvalueParts parts;
  V before = with_parts(parts, [&] { return scalar(*form.operand); });
  V by = types.is_pointer(type) ? pointer_step(b_.number(1), type) : b_.number(1);
  V after = canonical(is_increment ? b_.ir.CreateAdd(before, by) : b_.ir.CreateSub(before, by), type);
  V stored = with_parts(parts, [&] { return assign(*form.operand, after, expr); });
  return is_prefix ? stored : before;
}

}  // namespace dscope
