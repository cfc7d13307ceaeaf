#include "codegen/lower/values/operators.h"

#include <algorithm>
#include <iterator>

#include "codegen/lower/programs/faults.h"
#include "codegen/lower/values/assignments.h"
#include "codegen/lower/values/atomic_updates.h"
#include "codegen/lower/values/conditions.h"
#include "codegen/lower/values/expressions.h"
#include "frontend/semantics/compatibility.h"
#include "frontend/semantics/complexity.h"
#include "support/check.h"

namespace dscope {

namespace {

// In a long expression, LLVM would sink the sums behind the last call or test and spill all operands to the stack.
bool has_calls_or_tests(const llvm::Instruction& behind, const llvm::BasicBlock& here) {
  if (behind.getParent() != &here) return true;
  return std::any_of(std::next(behind.getIterator()), here.end(), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && !call->isInlineAsm();
  });
}

}  // namespace

TypeId Operators::as_operand(const Expr& expr) const {
  return operand_type(*meaning_.types, type_of(expr), info(expr).bit_size);
}

TypeId Operators::promoted(const Expr& lhs, const Expr& rhs) const {
  return arithmetic_type(*meaning_.types, as_operand(lhs), as_operand(rhs));
}

V Operators::binary(const Expr& expr, const Binary& form) {
  if (is_boolean_operator(form.op)) return core_.as_unknown(b_.flag(conditions_.truth(form)));
  const TypeTable& types = *meaning_.types;
  TypeId left = type_of(*form.lhs), right = type_of(*form.rhs);
  if (types.is_integer(left) && types.is_integer(right)) {
    V lhs = expressions_.scalar(*form.lhs);
    llvm::BasicBlock* before = b_.ir.GetInsertBlock();
    llvm::Instruction* last = before->empty() ? nullptr : &before->back();
    V rhs = expressions_.scalar(*form.rhs);
    if (last != nullptr && std::holds_alternative<Binary>(form.lhs->form) &&
        has_calls_or_tests(*last, *b_.ir.GetInsertBlock()))
      lhs = b_.pin_after(last, lhs);
    return arithmetic(form.op, lhs, rhs, type_of(expr), expr);
  }
  // The operands are pointers. Arrays decay to the address of their first element.
  V lhs = expressions_.number_or_address(*form.lhs), rhs = expressions_.number_or_address(*form.rhs);
  bool is_left_integer = types.is_integer(left), is_right_integer = types.is_integer(right);
  if (!is_left_integer && !is_right_integer) {
    V size = pointer_step(b_.number(1), left);
    return divide(b_.ir.CreateSub(lhs, rhs), size, true, false, expr);
  }
  if (is_left_integer) return b_.ir.CreateAdd(pointer_step(lhs, right), rhs);
  V by = pointer_step(rhs, left);
  return form.op == BinaryOp::Subtract ? b_.ir.CreateSub(lhs, by) : b_.ir.CreateAdd(lhs, by);
}

V Operators::pointer_step(V count, TypeId pointer) {
  const TypeTable& types = *meaning_.types;
  const Type& type = types.resolved(pointer);
  uint64_t size = type.kind == TypeKind::Pointer || type.kind == TypeKind::Array ? types.size_of(type.base) : 1;
  return b_.ir.CreateMul(count, b_.number(std::max<uint64_t>(1, size)));
}

V Operators::arithmetic(BinaryOp op, V lhs, V rhs, TypeId type, const Expr& at) {
  bool is_signed = meaning_.types->is_signed_integer(type);
  auto shift_count = [&] { return b_.ir.CreateAnd(rhs, b_.number(63)); };
  switch (op) {
    case BinaryOp::Add: return b_.ir.CreateAdd(lhs, rhs);
    case BinaryOp::Subtract: return b_.ir.CreateSub(lhs, rhs);
    case BinaryOp::Multiply: return b_.ir.CreateMul(lhs, rhs);
    case BinaryOp::Divide: return divide(lhs, rhs, is_signed, false, at);
    case BinaryOp::Modulo: return divide(lhs, rhs, is_signed, true, at);
    case BinaryOp::ShiftLeft: return b_.ir.CreateShl(lhs, shift_count());
    case BinaryOp::ShiftRight:
      return is_signed ? b_.ir.CreateAShr(lhs, shift_count()) : b_.ir.CreateLShr(lhs, shift_count());
    case BinaryOp::BitAnd: return b_.ir.CreateAnd(lhs, rhs);
    case BinaryOp::BitXor: return b_.ir.CreateXor(lhs, rhs);
    case BinaryOp::BitOr: return b_.ir.CreateOr(lhs, rhs);
    default: DS_UNREACHABLE();
  }
}

V Operators::divide(V lhs, V rhs, bool is_signed, bool wants_remainder, const Expr& at) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(rhs);
  if (constant != nullptr && !constant->isZero()) return quotient(lhs, rhs, is_signed, wants_remainder);
  faults_.fault_if(b_.ir.CreateICmpEQ(rhs, b_.number(0)), DS_FAULT_DIVZERO, b_.number(0), at);
  // In a long expression, LLVM would divide behind the last test and spill the operands of all divisions to the stack.
  return b_.pin(quotient(lhs, rhs, is_signed, wants_remainder));
}

// Signed division works on magnitudes, because BPF before v4 divides unsigned numbers only, and INT64_MIN / -1 is
// undefined in LLVM. It is branch-free, because the verifier would follow each path through every division.
V Operators::quotient(V lhs, V rhs, bool is_signed, bool wants_remainder) {
  auto unsigned_result = [&](V a, V b) { return wants_remainder ? b_.ir.CreateURem(a, b) : b_.ir.CreateUDiv(a, b); };
  if (!is_signed) return unsigned_result(lhs, rhs);
  auto sign_of = [&](V value) {  // 0 or -1
    V sign = b_.ir.CreateAShr(value, b_.number(63));
    return llvm::isa<llvm::Constant>(sign) ? sign : b_.opaque(sign);
  };
  auto negated_by = [&](V sign, V value) { return b_.ir.CreateSub(b_.ir.CreateXor(value, sign), sign); };
  V result = unsigned_result(negated_by(sign_of(lhs), lhs), negated_by(sign_of(rhs), rhs));
  return negated_by(sign_of(wants_remainder ? lhs : b_.ir.CreateXor(lhs, rhs)), result);
}

V Operators::step(const Expr& expr, const Unary& form) {
  const TypeTable& types = *meaning_.types;
  TypeId type = type_of(*form.operand);
  bool is_increment = form.op == UnaryOp::PreIncrement || form.op == UnaryOp::PostIncrement;
  bool is_prefix = form.op == UnaryOp::PreIncrement || form.op == UnaryOp::PreDecrement;
  BinaryOp op = is_increment ? BinaryOp::Add : BinaryOp::Subtract;
  if (atomic_updates_.applies_to(*form.operand, op, nullptr)) {
    auto step_size = [&] { return types.is_pointer(type) ? pointer_step(b_.number(1), type) : b_.number(1); };
    auto [before, after] = atomic_updates_.update(*form.operand, op, step_size);
    return is_prefix ? after : before;
  }
  LvalueParts parts;
  V before = expressions_.with_parts(parts, [&] { return expressions_.scalar(*form.operand); });
  V by = types.is_pointer(type) ? pointer_step(b_.number(1), type) : b_.number(1);
  V after = expressions_.narrow_to(type, is_increment ? b_.ir.CreateAdd(before, by) : b_.ir.CreateSub(before, by));
  V stored = expressions_.with_parts(parts, [&] { return assignments_.assign(*form.operand, after, expr); });
  return is_prefix ? stored : before;
}

}  // namespace dscope
