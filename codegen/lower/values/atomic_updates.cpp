#include "codegen/lower/values/atomic_updates.h"

#include <algorithm>

#include "codegen/lower/memory/dynamic_variables.h"
#include "codegen/lower/memory/keys.h"
#include "codegen/lower/memory/variables.h"
#include "codegen/lower/values/expressions.h"
#include "frontend/semantics/walk.h"
#include "frontend/syntax/operators.h"
#include "support/check.h"

namespace dscope {

namespace {

// Subtractions are additions: BPF has no atomic subtraction.
llvm::AtomicRMWInst::BinOp instruction_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return llvm::AtomicRMWInst::Add;
    case BinaryOp::BitAnd: return llvm::AtomicRMWInst::And;
    case BinaryOp::BitOr: return llvm::AtomicRMWInst::Or;
    case BinaryOp::BitXor: return llvm::AtomicRMWInst::Xor;
    default: DS_UNREACHABLE();
  }
}

bool has_atomic_instruction(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Subtract || op == BinaryOp::BitAnd || op == BinaryOp::BitOr ||
         op == BinaryOp::BitXor;
}

}  // namespace

// The shared variable that an lvalue names; nullopt if only one thread uses the variable, or if the lvalue is a part of
// a variable.
std::optional<AtomicUpdates::Target> AtomicUpdates::shared_target(const Expr& lvalue) const {
  const Expr* index = nullptr;
  const Expr& base = variables_.target_of(lvalue, index);
  const auto* id = std::get_if<VariableId>(&info(base).binding);
  if (id == nullptr || !std::holds_alternative<Name>(base.form)) return std::nullopt;
  const Variable& variable = meaning_.variables[id->index];
  const VariableLocation& location = layout_.variables[id->index];
  bool has_storage = location.kind == VariableLocation::Kind::Globals || location.kind == VariableLocation::Kind::Map;
  if (variable.scope != VariableScope::Global || !has_storage) return std::nullopt;
  return Target{&variable, &location, index};
}

// Whether evaluating the expression may assign to the variable.
bool AtomicUpdates::may_change(const Variable& variable, const Expr& expr) const {
  bool found = false;
  walk_expr(meaning_, *state_.clause, expr, [&](const Expr& part) {
    const Expr* changed = changed_operand(part);
    if (changed == nullptr) return;
    std::optional<Target> target = shared_target(*changed);
    found |= target && target->variable == &variable;
  });
  return found;
}

// In `n += n++`, the left n is read before the right side is evaluated, so this is not one operation on n.
bool AtomicUpdates::applies_to(const Expr& lvalue, BinaryOp op, const Expr* operand) const {
  if (!has_atomic_instruction(op)) return false;
  std::optional<Target> target = shared_target(lvalue);
  if (!target) return false;
  const TypeTable& types = *meaning_.types;
  TypeId type = target->variable->type;
  bool is_number = types.is_integer(type) && !types.resolved(type).is_bool;
  if (!is_number && !types.is_pointer(type)) return false;
  return operand == nullptr || !may_change(*target->variable, *operand);
}

AtomicUpdates::Values AtomicUpdates::update(const Expr& lvalue, BinaryOp op, const std::function<V()>& emit_operand) {
  std::optional<Target> target = shared_target(lvalue);
  DS_CHECK(target.has_value());
  TypeId type = target->variable->type;
  Values values;
  if (target->index == nullptr) {
    Operation change = operation(op, emit_operand(), type);
    values.before = fetch(variables_.variable_address(*target->location), change);
    values.after = result_of(change, values.before);
  } else {
    V key = variables_.array_key(*target->variable, *target->location, *target->index);
    keys_.enter();
    Operation change = operation(op, emit_operand(), type);
    keys_.leave();
    values.before = fetch_element(*target, key, change);
    values.after = result_of(change, values.before);
  }
  core_.invalidate_known_values();
  return values;
}

AtomicUpdates::Operation AtomicUpdates::operation(BinaryOp op, V operand, TypeId type) {
  if (op == BinaryOp::Subtract) return {BinaryOp::Add, b_.ir.CreateNeg(operand), type};
  return {op, operand, type};
}

V AtomicUpdates::result_of(const Operation& operation, V before) {
  auto result = [&]() -> V {
    switch (operation.op) {
      case BinaryOp::Add: return b_.ir.CreateAdd(before, operation.operand);
      case BinaryOp::BitAnd: return b_.ir.CreateAnd(before, operation.operand);
      case BinaryOp::BitOr: return b_.ir.CreateOr(before, operation.operand);
      case BinaryOp::BitXor: return b_.ir.CreateXor(before, operation.operand);
      default: DS_UNREACHABLE();
    }
  };
  return expressions_.narrow_to(operation.type, result());
}

// Updates a number in memory and returns its value before the update. If that value is not used, LLVM selects the
// instruction that does not return it. Numbers of 8 and 16 bits use a 32-bit instruction, because each variable has 8
// bytes of its own, of which only the number's bytes are read.
V AtomicUpdates::fetch(V address, const Operation& operation) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.is_pointer(operation.type) ? 8 : types.size_of(operation.type));
  auto width = std::max(4U, size);
  // LLVM would turn an update by 0 or -1 into an atomic load or store, which its BPF back end cannot compile.
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.operand);
  bool is_add = operation.op == BinaryOp::Add;
  bool may_be_trivial = constant == nullptr || constant->isZero() || (constant->isMinusOne() && !is_add);
  V operand = may_be_trivial ? b_.opaque(operation.operand) : operation.operand;
  V before = b_.ir.CreateAtomicRMW(instruction_of(operation.op), address,
                                   b_.ir.CreateTrunc(operand, b_.ir.getIntNTy(width * 8)), llvm::MaybeAlign(width),
                                   llvm::AtomicOrdering::Monotonic);
  return b_.narrow(b_.ir.CreateZExt(before, b_.i64), size, types.is_signed_integer(operation.type));
}

// Updates an element and returns its value before the update. An absent element has the value 0, and an element whose
// new value is 0 is removed.
V AtomicUpdates::fetch_element(const Target& target, V key, const Operation& operation) {
  const VariableLocation& location = *target.location;
  auto* absent = b_.block("absent");
  auto* present = b_.block("present");
  auto* after = b_.block("after");
  llvm::SmallVector<std::pair<V, llvm::BasicBlock*>, 3> before;
  V found = b_.lookup(location.map, key);
  auto* found_end = b_.ir.GetInsertBlock();
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(found)), absent, present);

  b_.start(absent);
  V initial = result_of(operation, b_.number(0));
  if (!llvm::isa<llvm::ConstantInt>(initial)) {
    before.emplace_back(b_.number(0), b_.ir.GetInsertBlock());
    b_.branch_if(b_.is_zero(initial), after);
  }
  V is_lost = nullptr, other = nullptr;
  core_.conditionally(
      [&] { is_lost = dynamic_variables_.insert_if_new(location, key, variables_.fresh_element(location, initial)); });
  before.emplace_back(b_.number(0), b_.ir.GetInsertBlock());
  b_.branch_if(b_.ir.CreateNot(is_lost), after);
  // Either another CPU has inserted the element, or there is no room.
  core_.conditionally([&] {
    other = b_.lookup(location.map, key);
    dynamic_variables_.drop_if(b_.is_zero(b_.to_number(other)));
  });
  auto* other_end = b_.ir.GetInsertBlock();
  b_.ir.CreateBr(present);

  b_.start(present);
  V element = b_.pin(b_.phi({{found, found_end}, {other, other_end}}));
  V old = fetch(element, operation);
  core_.when(b_.is_zero(result_of(operation, old)), [&] { dynamic_variables_.remove(location, key); });
  before.emplace_back(old, b_.ir.GetInsertBlock());
  b_.ir.CreateBr(after);

  b_.start(after);
  auto* value = b_.ir.CreatePHI(b_.i64, 3);
  for (auto& [known, block] : before) value->addIncoming(known, block);
  return core_.as_unknown(value);
}

}  // namespace dscope
