#include "frontend/check/expressions/conversion_typer.h"

#include "contract/types/member.h"
#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/held_values.h"
#include "frontend/check/expressions/member_typer.h"
#include "frontend/check/pending_mistakes.h"

namespace dscope {

ExprInfo ConversionTyper::check(const Expr& expr, const Cast& form) {
  std::optional<TypeId> type = form.type != nullptr ? type_builder_.type_of(*form.type) : form.known_type;
  if (!type) return {};
  ExprInfo operand = expressions_.check(*form.operand);
  if (failed() || is_error(operand)) return {};
  if (!can_cast(*type, operand))
    return fail(Tag::D_CAST_INVAL, expr.at, "invalid cast expression: {} to {}", types_.spell(operand.type),
                types_.spell(*type));
  return check_cast(*type, operand);
}

bool ConversionTyper::can_cast(TypeId type, const ExprInfo& operand) const {
  TypeKind from = types_.resolved(operand.type).kind;
  if (from == TypeKind::Dynamic) return false;
  if (is_void(types_, type)) return true;
  if (types_.is_string(type))
    return types_.is_scalar(operand.type) || types_.is_string_compatible(operand.type) || from == TypeKind::Array;
  bool is_address = from == TypeKind::Function || from == TypeKind::Array;
  if (types_.is_scalar(type) && (types_.is_scalar(operand.type) || from == TypeKind::Function)) return true;
  if (types_.is_pointer(type) && (is_address || from == TypeKind::String)) return true;
  return is_compatible_value(type, operand);
}

ExprInfo ConversionTyper::check_cast(TypeId type, const ExprInfo& operand) {
  ExprInfo result = value(type);
  if (types_.is_integer(type)) {
    if (operand.constant) return constant(type, narrow(types_, type, *operand.constant));
    return result;
  }
  if (!types_.is_pointer(type)) {
    if (!types_.is_string(type)) result.space = operand.space;
    return result;
  }
  if (types_.resolved(type).is_userland) {
    result.space = Space::User;
  } else if (types_.is_integer(operand.type)) {
    // A null pointer fits every space; any other number counts as a kernel address.
    result.space = is_zero(operand) ? Space::None : Space::Kernel;
  } else {
    result.space = untrusted(operand.space);
  }
  return result;
}

ExprInfo ConversionTyper::check(const Expr& expr, const Stringof& form) {
  ExprInfo operand = expressions_.check(*form.operand);
  if (failed() || is_error(operand)) return {};
  bool is_possible = types_.is_scalar(operand.type) || types_.is_string_compatible(operand.type) ||
                     is_pointer_or_array(types_, operand.type);
  if (const Expr* text = held_values_.text_of(*form.operand))
    return expansions_.replacement_info(*text, types_.string_type());
  if (failed()) return {};
  if (!is_possible)
    return fail(Tag::D_STRINGOF_TYPE, expr.at, "cannot convert expression of type {} to string",
                types_.spell(operand.type));
  return value(types_.string_type());
}

// ---------------------------------------------------------------- sizeof
ExprInfo ConversionTyper::size_constant(const Expr& expr, TypeId type) {
  uint64_t size = types_.is_string(type) ? types_.strsize() : type_finder_.size_of(type);
  if (size == 0) {
    fail(Tag::D_SIZEOF_TYPE, expr.at, "cannot apply sizeof to an operand of type {}: its size is not known",
         types_.spell(type));
    type_finder_.suggest_type(type);
  }
  return constant(*types_.find("size_t"), size);
}

ExprInfo ConversionTyper::check(const Expr& expr, const SizeofExpr& form) {
  // sizeof needs only the type, so features that dscope does not implement are fine in its operand.
  std::optional<Diagnostic> unavailable = pending_.unavailable();
  ExprInfo operand = expressions_.check(*form.operand);
  pending_.set_unavailable(std::move(unavailable));
  if (failed() || is_error(operand)) return {};
  if (operand.bit_size != 0) return fail(Tag::D_SIZEOF_BITFIELD, expr.at, "cannot apply sizeof to a bit-field");
  if (const auto* literal = std::get_if<StringLiteral>(&form.operand->form))
    return constant(*types_.find("size_t"), literal->bytes.size() + 1);
  return size_constant(expr, operand.type);
}

ExprInfo ConversionTyper::check(const Expr& expr, const SizeofType& form) {
  auto type = type_builder_.type_of(*form.type);
  return type ? size_constant(expr, *type) : ExprInfo{};
}

// DTrace reports this while it parses.
ExprInfo ConversionTyper::check(const Expr& expr, const Offsetof& form) {
  DiagnosticPhase before = diagnostics_.phase();
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  ExprInfo result;
  if (auto type = type_builder_.type_of(*form.type)) {
    TypeId object = type_finder_.complete(*type);
    if (!types_.is_struct_or_union(object)) {
      fail(Tag::D_OFFSETOF_TYPE, expr.at, "offsetof can only be applied to struct and union types, not {}",
           types_.spell(*type));
    } else if (auto member = find_member(host_, types_, object, form.member); !member) {
      members_.report_unknown_member(Tag::D_UNKNOWN, expr, object, form.member);
    } else if (member->bit_size != 0) {
      fail(Tag::D_OFFSETOF_BITFIELD, expr.at, "cannot take the offset of a bit-field: {}", form.member);
    } else {
      result = constant(types_.int_type(), member->bit_offset / 8);
    }
  }
  diagnostics_.set_phase(before);
  return result;
}

}  // namespace dscope
