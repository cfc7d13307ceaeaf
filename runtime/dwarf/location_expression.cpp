#include "runtime/dwarf/location_expression.h"

#include <dwarf.h>

#include <algorithm>
#include <cstring>

#include "arch/architecture.h"
#include "runtime/dwarf/constant_operation.h"

namespace dscope {

void append_address(LocationSteps& steps, uint64_t address, uint64_t instruction) {
  steps.push_back({LocationOperation::Register, native_architecture().instruction_pointer});
  steps.push_back({LocationOperation::Constant, static_cast<int64_t>(address - instruction)});
  steps.push_back({LocationOperation::Add});
}

namespace {

constexpr size_t max_location_steps = 500, max_parts = 64, max_stack_depth = 32;
constexpr std::string_view in_vector_register = "it is in a vector register, which the kernel does not pass to probes";
constexpr std::string_view unsupported = "its location uses an operation that dscope does not support";
constexpr std::string_view unknown_entry_value = "its value is only known to the caller here";

// Translates one expression. Counts the depth of the stack, so that no step can pop from an empty one.
class Translator {
 public:
  Translator(const LibDw& dw, Dwarf_Attribute* attribute, const ExpressionContext& context)
      : dw_(dw), attribute_(attribute), context_(context) {}

  VariablePlace run(std::span<const Dwarf_Op> operations) {
    if (operations.empty()) return {.parts = {}, .problem = std::string{optimized_out}};
    for (const Dwarf_Op& operation : operations) {
      if (!apply(operation)) return {.parts = {}, .problem = std::string{problem_}};
      if (steps_.size() > max_location_steps || parts_.size() > max_parts || depth_ > max_stack_depth)
        return {.parts = {}, .problem = std::string{unsupported}};
    }
    if (parts_.empty() && !finish_part(0)) return {.parts = {}, .problem = std::string{problem_}};
    return {.parts = std::move(parts_), .problem = {}};
  }

 private:
  enum class Result : uint8_t { Address, Register, Value };

  bool fail(std::string_view problem) {
    problem_ = problem;
    return false;
  }
  bool step(LocationOperation operation, int64_t number = 0) {
    steps_.push_back({operation, number});
    return true;
  }
  bool push(LocationOperation operation, uint64_t number) {
    ++depth_;
    last_address_.reset();
    return step(operation, static_cast<int64_t>(number));
  }
  bool push_all(const std::optional<LocationSteps>& steps, std::string_view problem) {
    if (!steps) return fail(problem);
    steps_.insert(steps_.end(), steps->begin(), steps->end());
    ++depth_;
    return true;
  }
  bool add(uint64_t number) {
    if (depth_ == 0) return fail(unsupported);
    if (number == 0) return true;
    step(LocationOperation::Constant, static_cast<int64_t>(number));
    return step(LocationOperation::Add);
  }
  bool push_register(unsigned number, uint64_t offset) {
    if (context_.register_value != nullptr)
      return push_all(context_.register_value(number), unknown_entry_value) && add(offset);
    std::span<const uint16_t> offsets = native_architecture().unwinding.offsets;
    if (number >= offsets.size()) return fail(in_vector_register);
    push(LocationOperation::Register, offsets[number]);
    return add(offset);
  }
  bool unary(LocationOperation operation, uint64_t number = 0) {
    if (depth_ < 1) return fail(unsupported);
    return step(operation, static_cast<int64_t>(number));
  }
  bool binary(LocationOperation operation) {
    if (depth_ < 2) return fail(unsupported);
    --depth_;
    return step(operation);
  }

  bool apply(const Dwarf_Op& operation) {
    unsigned atom = operation.atom;
    if (auto constant = pushed_constant(operation)) return push(LocationOperation::Constant, *constant);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) return push_register(atom - DW_OP_breg0, operation.number);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) return is_in_register(atom - DW_OP_reg0);
    switch (atom) {
      case DW_OP_regx: return is_in_register(static_cast<unsigned>(operation.number));
      case DW_OP_bregx: return push_register(static_cast<unsigned>(operation.number), operation.number2);
      case DW_OP_fbreg: return push_all(context_.frame_base, unsupported) && add(operation.number);
      case DW_OP_call_frame_cfa: return push_all(context_.frame_address, unsupported);
      case DW_OP_addr: return push_address(operation.number);
      case DW_OP_addrx:
      case DW_OP_constx:
      case DW_OP_GNU_addr_index:
      case DW_OP_GNU_const_index: return push_indexed(operation);
      case DW_OP_form_tls_address:
      case DW_OP_GNU_push_tls_address: return make_thread_local();
      case DW_OP_entry_value:
      case DW_OP_GNU_entry_value: return push_entry_value(operation);
      case DW_OP_implicit_value: return is_implicit_value(operation);
      case DW_OP_stack_value: result_ = Result::Value; return depth_ > 0 || fail(unsupported);
      case DW_OP_piece: return finish_part(operation.number);
      case DW_OP_bit_piece:
        return operation.number % 8 == 0 && operation.number2 == 0 ? finish_part(operation.number / 8)
                                                                   : fail(unsupported);
      case DW_OP_convert:
      case DW_OP_GNU_convert:
      case DW_OP_reinterpret:
      case DW_OP_GNU_reinterpret: return convert(operation);
      case DW_OP_regval_type:
      case DW_OP_GNU_regval_type:
        return push_register(static_cast<unsigned>(operation.number), 0) && convert_to(operation);
      case DW_OP_implicit_pointer:
      case DW_OP_GNU_implicit_pointer: return fail("the object that it points to is optimized out");
      default: return compute(operation);
    }
  }

  bool compute(const Dwarf_Op& operation) {
    switch (operation.atom) {
      case DW_OP_nop: return true;
      case DW_OP_dup: return pick(0);
      case DW_OP_over: return pick(1);
      case DW_OP_pick: return pick(operation.number);
      case DW_OP_drop:
        if (depth_ == 0) return fail(unsupported);
        --depth_;
        return step(LocationOperation::Drop);
      case DW_OP_swap: return depth_ >= 2 ? step(LocationOperation::Swap) : fail(unsupported);
      case DW_OP_rot: return depth_ >= 3 ? step(LocationOperation::Rotate) : fail(unsupported);
      case DW_OP_deref: return unary(LocationOperation::Load, 8);
      case DW_OP_deref_size:
        return operation.number == 1 || operation.number == 2 || operation.number == 4 || operation.number == 8
                   ? unary(LocationOperation::Load, operation.number)
                   : fail(unsupported);
      case DW_OP_plus_uconst: return add(operation.number);
      case DW_OP_neg: return unary(LocationOperation::Negate);
      case DW_OP_not: return unary(LocationOperation::Not);
      case DW_OP_plus: return binary(LocationOperation::Add);
      case DW_OP_minus: return binary(LocationOperation::Subtract);
      case DW_OP_div: return binary(LocationOperation::Divide);
      case DW_OP_mul: return binary(LocationOperation::Multiply);
      case DW_OP_and: return binary(LocationOperation::And);
      case DW_OP_or: return binary(LocationOperation::Or);
      case DW_OP_xor: return binary(LocationOperation::Xor);
      case DW_OP_shl: return binary(LocationOperation::ShiftLeft);
      case DW_OP_shr: return binary(LocationOperation::ShiftRight);
      case DW_OP_shra: return binary(LocationOperation::ShiftRightSigned);
      case DW_OP_eq: return binary(LocationOperation::Equal);
      case DW_OP_ne: return binary(LocationOperation::NotEqual);
      case DW_OP_lt: return binary(LocationOperation::Less);
      case DW_OP_le: return binary(LocationOperation::LessEqual);
      case DW_OP_gt: return binary(LocationOperation::Greater);
      case DW_OP_ge: return binary(LocationOperation::GreaterEqual);
      default: return fail(unsupported);
    }
  }

  bool pick(uint64_t index) { return index < depth_ ? push(LocationOperation::Pick, index) : fail(unsupported); }

  bool is_in_register(unsigned number) {
    result_ = Result::Register;
    return push_register(number, 0);
  }

  bool push_address(uint64_t address) {
    append_address(steps_, address, context_.address);
    ++depth_;
    last_address_ = address;
    return true;
  }

  // The operand is an index into .debug_addr. An address of a thread-local variable is an offset.
  bool push_indexed(const Dwarf_Op& operation) {
    Dwarf_Attribute found;
    Dwarf_Word number = 0;
    bool is_known = attribute_ != nullptr && dw_.dwarf_getlocation_attr(attribute_, &operation, &found) == 0 &&
                    (dw_.dwarf_formaddr(&found, &number) == 0 || dw_.dwarf_formudata(&found, &number) == 0);
    if (!is_known) return fail(unsupported);
    bool is_address = operation.atom == DW_OP_addrx || operation.atom == DW_OP_GNU_addr_index;
    return is_address ? push_address(number) : push(LocationOperation::Constant, number);
  }

  bool make_thread_local() {
    if (!context_.thread_block)
      return fail("it is a thread-local variable of a library: only those of the program itself are at a known place");
    if (depth_ == 0) return fail(unsupported);
    // The offset may have been written as an address.
    constexpr size_t address_steps = 3;
    if (last_address_ && steps_.size() >= address_steps) {
      steps_.resize(steps_.size() - address_steps);
      step(LocationOperation::Constant, static_cast<int64_t>(*last_address_));
    }
    step(LocationOperation::ThreadPointer);
    step(LocationOperation::Add);
    return add(static_cast<uint64_t>(*context_.thread_block));
  }

  bool push_entry_value(const Dwarf_Op& operation) {
    Dwarf_Attribute inner;
    Dwarf_Op* operations = nullptr;
    size_t count = 0;
    bool is_known = attribute_ != nullptr && dw_.dwarf_getlocation_attr(attribute_, &operation, &inner) == 0 &&
                    dw_.dwarf_getlocation(&inner, &operations, &count) == 0 && count == 1;
    bool is_register = is_known && operations[0].atom >= DW_OP_reg0 && operations[0].atom <= DW_OP_reg31;
    if (!is_register || !context_.entry_value) return fail(unknown_entry_value);
    return push_all(context_.entry_value(operations[0].atom - DW_OP_reg0), unknown_entry_value);
  }

  bool is_implicit_value(const Dwarf_Op& operation) {
    Dwarf_Block block{};
    constexpr size_t max_bytes = 64, word = 8;
    if (attribute_ == nullptr || dw_.dwarf_getlocation_implicit_value(attribute_, &operation, &block) != 0 ||
        block.data == nullptr || block.length == 0 || block.length > max_bytes)
      return fail(unsupported);
    for (size_t at = 0; at < block.length; at += word) {
      size_t size = std::min(word, block.length - at);
      uint64_t value = 0;
      std::memcpy(&value, block.data + at, size);
      push(LocationOperation::Constant, value);
      result_ = Result::Value;
      bool is_last = at + size == block.length;
      if (!(is_last && parts_.empty()) && !finish_part(size)) return false;
    }
    return true;
  }

  // Typed values: only integers of up to 8 bytes.
  bool convert(const Dwarf_Op& operation) {
    if (depth_ == 0) return fail(unsupported);
    return operation.number == 0 ? true : convert_to(operation);
  }
  bool convert_to(const Dwarf_Op& operation) {
    Dwarf_Die type;
    if (attribute_ == nullptr || dw_.dwarf_getlocation_die(attribute_, &operation, &type) != 0)
      return fail(unsupported);
    uint64_t size = dw_.number(type, DW_AT_byte_size).value_or(0);
    uint64_t encoding = dw_.number(type, DW_AT_encoding).value_or(0);
    bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    bool is_integer = is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
                      encoding == DW_ATE_boolean || encoding == DW_ATE_address;
    if (!is_integer || (size != 1 && size != 2 && size != 4 && size != 8)) return fail(unsupported);
    if (size == 8) return true;
    return step(is_signed ? LocationOperation::SignExtend : LocationOperation::ZeroExtend, static_cast<int64_t>(size));
  }

  // Ends a part of `size` bytes; 0: the whole variable.
  bool finish_part(uint64_t size) {
    if (depth_ == 0 || size > UINT32_MAX) return fail(size == 0 ? optimized_out : "a part of it is optimized out here");
    parts_.push_back({.kind = result_ == Result::Address ? LocationPart::Kind::Memory : LocationPart::Kind::Value,
                      .size = static_cast<uint32_t>(size),
                      .steps = std::move(steps_)});
    if (result_ != Result::Address && size > 8) return fail(in_vector_register);
    steps_.clear();
    depth_ = 0;
    result_ = Result::Address;
    last_address_.reset();
    return true;
  }

  const LibDw& dw_;
  Dwarf_Attribute* attribute_;
  const ExpressionContext& context_;
  std::vector<LocationPart> parts_;
  LocationSteps steps_;
  size_t depth_ = 0;
  Result result_ = Result::Address;
  std::optional<uint64_t> last_address_;  // pushed by the last steps
  std::string_view problem_ = unsupported;
};

}  // namespace

VariablePlace translate_location(const LibDw& dw, Dwarf_Attribute* attribute, std::span<const Dwarf_Op> operations,
                                 const ExpressionContext& context) {
  return Translator(dw, attribute, context).run(operations);
}

std::optional<LocationSteps> translate_number(const LibDw& dw, Dwarf_Attribute* attribute,
                                              std::span<const Dwarf_Op> operations, const ExpressionContext& context) {
  VariablePlace place = translate_location(dw, attribute, operations, context);
  if (place.parts.size() != 1) return std::nullopt;
  return std::move(place.parts[0].steps);
}

}  // namespace dscope
