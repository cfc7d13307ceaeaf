#include "codegen/lower/probe/traced_variables.h"

#include <algorithm>
#include <bit>

#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "support/check.h"

namespace dscope {

const PlacedVariable* TracedVariables::find(TracedName name) const {
  if (frame_.is_error || frame_.program == nullptr) return nullptr;
  auto found = std::ranges::find(frame_.program->variables, name.index, &PlacedVariable::name);
  return found == frame_.program->variables.end() ? nullptr : &*found;
}

// Faults if the variable cannot be read at this hook, although it can at another hook of the probe.
const VariablePlace& TracedVariables::readable_place(TracedName name, const Expr& at) {
  static const VariablePlace absent{.parts = {{.kind = LocationPart::Kind::Value, .steps = {LocationStep{}}}},
                                    .problem = {}};
  const PlacedVariable* variable = find(name);
  if (variable != nullptr && variable->place.is_readable()) return variable->place;
  faults_.fault_if(b_.ir.getTrue(), DS_FAULT_BADADDR, b_.number(0), at);
  return absent;
}

V TracedVariables::read(TracedName name, const Expr& at) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.size_of(type_of(at)));
  bool is_signed = types.is_signed_integer(type_of(at));
  const VariablePlace& place = readable_place(name, at);
  if (place.parts.size() > 1) return b_.load(copy_parts(place, size, at), size, is_signed);
  V result = evaluate(place.parts[0].steps, at);
  if (place.is_memory()) return memory_.read_checked({Space::User, result}, size, is_signed, at);
  return b_.narrow(result, size, is_signed);
}

V TracedVariables::goroutine(const Expr& at) {
  bool is_go = meaning_.goroutine_name && find({*meaning_.goroutine_name}) != nullptr;
  if (!is_go) return b_.number(0);
  return core_.once(CachedValue::Goroutine, [&] {
    V address = evaluate(readable_place({*meaning_.goroutine_name}, at).parts[0].steps, at);
    return memory_.read_checked({Space::User, address}, 8, false, at);
  });
}

Place TracedVariables::place_of(TracedName name, const Expr& at) {
  auto size = static_cast<uint32_t>(meaning_.types->size_of(type_of(at)));
  const PlacedVariable* variable = find(name);
  const VariablePlace& place = readable_place(name, at);
  bool is_in_memory = variable != nullptr && variable->is_in_memory;
  if (is_in_memory) return {Space::User, evaluate(place.parts[0].steps, at)};
  return {Space::Storage, copy_parts(place, size, at)};
}

// The bytes of the variable in scratch memory.
V TracedVariables::copy_parts(const VariablePlace& place, uint32_t size, const Expr& at) {
  V copy = scratch_.temporary(round_up8(std::max(size, 8U)));
  uint32_t offset = 0;
  for (const LocationPart& part : place.parts) {
    uint32_t left = size - std::min(offset, size), bytes = part.size == 0 ? left : std::min(part.size, left);
    V result = evaluate(part.steps, at);
    if (part.kind == LocationPart::Kind::Memory && bytes != 0)
      memory_.copy_object(b_.at(copy, offset), {Space::User, result}, bytes, at);
    // A value of three bytes is stored as two and one.
    for (uint32_t stored = 0; part.kind == LocationPart::Kind::Value && stored < std::min(bytes, 8U);) {
      uint32_t chunk = std::bit_floor(std::min(bytes, 8U) - stored);
      b_.store(b_.at(copy, offset + stored), b_.ir.CreateLShr(result, b_.number(uint64_t{stored} * 8)), chunk);
      stored += chunk;
    }
    offset += bytes;
  }
  return copy;
}

V TracedVariables::evaluate(const std::vector<LocationStep>& steps, const Expr& at) {
  std::vector<V> stack;
  for (const LocationStep& step : steps) apply(step, stack, at);
  DS_CHECK(!stack.empty());
  return stack.back();
}

void TracedVariables::apply(const LocationStep& step, std::vector<V>& stack, const Expr& at) {
  auto number = static_cast<uint64_t>(step.number);
  auto pop = [&] {
    DS_CHECK(!stack.empty());
    V top = stack.back();
    stack.pop_back();
    return top;
  };
  switch (step.operation) {
    case LocationOperation::Constant: return stack.push_back(b_.number(number));
    case LocationOperation::Register:
      return stack.push_back(core_.load_context(static_cast<uint32_t>(number), 8, false));
    case LocationOperation::ThreadPointer: return stack.push_back(task_.task_member(architecture_.thread_pointer, at));
    case LocationOperation::Load: {
      V address = pop();
      return stack.push_back(memory_.read_checked({Space::User, address}, static_cast<uint32_t>(number), false, at));
    }
    case LocationOperation::Pick:
      DS_CHECK(number < stack.size());
      return stack.push_back(stack[stack.size() - 1 - number]);
    case LocationOperation::Drop: pop(); return;
    case LocationOperation::Swap:
      DS_CHECK(stack.size() >= 2);
      std::swap(stack[stack.size() - 1], stack[stack.size() - 2]);
      return;
    case LocationOperation::Rotate:
      DS_CHECK(stack.size() >= 3);
      std::rotate(stack.end() - 3, stack.end() - 1, stack.end());
      return;
    case LocationOperation::ZeroExtend:
    case LocationOperation::SignExtend: {
      bool is_signed = step.operation == LocationOperation::SignExtend;
      return stack.push_back(b_.narrow(pop(), static_cast<uint32_t>(number), is_signed));
    }
    case LocationOperation::Negate: return stack.push_back(b_.ir.CreateNeg(pop()));
    case LocationOperation::Not: return stack.push_back(b_.ir.CreateNot(pop()));
    case LocationOperation::Require:
      return faults_.fault_if(b_.ir.CreateICmpEQ(pop(), b_.number(0)), DS_FAULT_BADADDR, b_.number(0), at);
    default: {
      V right = pop(), left = pop();
      return stack.push_back(combine(step.operation, left, right));
    }
  }
}

// BPF divides unsigned numbers only. Division by 0 gives 0.
V TracedVariables::divide(V left, V right) {
  auto magnitude = [&](V number) {
    return b_.ir.CreateSelect(b_.ir.CreateICmpSLT(number, b_.number(0)), b_.ir.CreateNeg(number), number);
  };
  V is_zero = b_.ir.CreateICmpEQ(right, b_.number(0));
  V divisor = b_.ir.CreateSelect(is_zero, b_.number(1), magnitude(right));
  V quotient = b_.ir.CreateUDiv(magnitude(left), divisor);
  V is_negative = b_.ir.CreateICmpSLT(b_.ir.CreateXor(left, right), b_.number(0));
  return b_.ir.CreateSelect(is_zero, b_.number(0),
                            b_.ir.CreateSelect(is_negative, b_.ir.CreateNeg(quotient), quotient));
}

V TracedVariables::combine(LocationOperation operation, V left, V right) {
  auto as_number = [&](V condition) { return b_.ir.CreateZExt(condition, b_.i64); };
  auto shift = [&](V shifted, V beyond) {
    return b_.ir.CreateSelect(b_.ir.CreateICmpULT(right, b_.number(64)), shifted, beyond);
  };
  V count = b_.ir.CreateAnd(right, b_.number(63));
  switch (operation) {
    case LocationOperation::Add: return b_.ir.CreateAdd(left, right);
    case LocationOperation::Subtract: return b_.ir.CreateSub(left, right);
    case LocationOperation::Multiply: return b_.ir.CreateMul(left, right);
    case LocationOperation::Divide: return divide(left, right);
    case LocationOperation::And: return b_.ir.CreateAnd(left, right);
    case LocationOperation::Or: return b_.ir.CreateOr(left, right);
    case LocationOperation::Xor: return b_.ir.CreateXor(left, right);
    case LocationOperation::ShiftLeft: return shift(b_.ir.CreateShl(left, count), b_.number(0));
    case LocationOperation::ShiftRight: return shift(b_.ir.CreateLShr(left, count), b_.number(0));
    case LocationOperation::ShiftRightSigned:
      return shift(b_.ir.CreateAShr(left, count), b_.ir.CreateAShr(left, b_.number(63)));
    case LocationOperation::Equal: return as_number(b_.ir.CreateICmpEQ(left, right));
    case LocationOperation::NotEqual: return as_number(b_.ir.CreateICmpNE(left, right));
    case LocationOperation::Less: return as_number(b_.ir.CreateICmpSLT(left, right));
    case LocationOperation::LessEqual: return as_number(b_.ir.CreateICmpSLE(left, right));
    case LocationOperation::Greater: return as_number(b_.ir.CreateICmpSGT(left, right));
    case LocationOperation::GreaterEqual: return as_number(b_.ir.CreateICmpSGE(left, right));
    default: DS_UNREACHABLE();
  }
}

}  // namespace dscope
