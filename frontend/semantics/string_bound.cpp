#include "frontend/semantics/string_bound.h"

#include <algorithm>

#include "contract/probe_part.h"
#include "contract/process_provider.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t decimal_bytes = 21;        // "-9223372036854775808" and its terminator
constexpr uint32_t based_decimal_bytes = 72;  // 64 binary digits, or fewer digits after 0x or 0
constexpr uint32_t unknown_probe_bytes = 128;

class Bounds {
 public:
  Bounds(const Semantics& meaning, const ClauseInstance& clause) : meaning_(meaning), clause_(clause) {}

  uint32_t of(const Expr& expr) const { return std::min(raw(expr), capacity()); }

 private:
  uint32_t capacity() const { return meaning_.types->strsize() + 1; }

  uint32_t raw(const Expr& expr) const {
    const ExprInfo& info = meaning_.info(clause_, expr);
    if (const auto* builtin = std::get_if<BuiltinVariable>(&info.binding)) {
      const StringBound& bound = row(*builtin).bound;
      if (bound.rule == StringBound::Rule::Fixed) return bound.bytes;
      auto part = probe_part(*builtin);
      return part ? of_probe_text(*part) : capacity();
    }
    const Type& type = meaning_.types->resolved(info.type);
    bool is_sized = type.kind == TypeKind::Array && type.count != 0;
    if (info.stands_for != nullptr) {
      // A string that initializes a char array of a translated object is truncated as in C.
      bool is_truncated = is_sized && meaning_.types->is_string(meaning_.info(clause_, *info.stands_for).type);
      return is_truncated ? std::min(of(*info.stands_for), type.count) : of(*info.stands_for);
    }
    if (is_sized) return type.count + 1;
    return std::visit([&](const auto& form) { return of_form(expr, form); }, expr.form);
  }

  // Returns the bytes of the longest name among the clause's probes.
  uint32_t of_probe_text(ProbePart part) const {
    if (clause_.probes.empty()) return unknown_probe_bytes;
    size_t longest = clause_.gains_probes ? unknown_probe_bytes : 1;
    for (const Probe* probe : clause_.probes) {
      bool is_numbered = part == ProbePart::Provider && is_of_all_processes(probe->provider);
      longest = std::max(longest, member_of(*probe, part).size() + (is_numbered ? process_digits : 1));
    }
    return static_cast<uint32_t>(longest);
  }

  bool is_null(const Expr& expr) const { return meaning_.info(clause_, expr).constant == uint64_t{0}; }

  uint32_t of_call(const Call& call, const StringBound& bound) const {
    auto argument = [&](size_t i) { return of(*call.arguments[i]); };
    switch (bound.rule) {
      case StringBound::Rule::NoString:
      case StringBound::Rule::Strsize: return capacity();
      case StringBound::Rule::Fixed: return bound.bytes;
      case StringBound::Rule::Argument: return argument(0);
      case StringBound::Rule::PathArgument: return std::max(argument(0), 2U);
      case StringBound::Rule::Joined: return argument(0) + argument(1) - 1;
      case StringBound::Rule::Number: return call.arguments.size() > 1 ? based_decimal_bytes : decimal_bytes;
      case StringBound::Rule::Token: return is_null(*call.arguments[0]) ? capacity() : argument(0);
      case StringBound::Rule::SizedBytes: return of_bytes(*call.arguments[2]);
      case StringBound::Rule::SizedText:
        return call.arguments.size() > 1 ? of_characters(*call.arguments[1]) : capacity();
      case StringBound::Rule::ProbeText: break;
    }
    DS_UNREACHABLE();
  }

  uint32_t of_bytes(const Expr& size) const {
    const std::optional<uint64_t>& bytes = meaning_.info(clause_, size).constant;
    return bytes ? static_cast<uint32_t>(std::clamp<uint64_t>(*bytes, 1, capacity())) : capacity();
  }

  uint32_t of_characters(const Expr& size) const {
    const std::optional<uint64_t>& count = meaning_.info(clause_, size).constant;
    if (!count || *count == 0) return capacity();
    uint64_t terminator = meaning_.dialect.has_copyinstr_size_without_terminator() ? 1 : 0;
    uint64_t bytes = std::min<uint64_t>(*count, capacity()) + terminator;
    return static_cast<uint32_t>(std::min<uint64_t>(bytes, capacity()));
  }

  template <typename Form>
  uint32_t of_form(const Expr&, const Form&) const {
    return capacity();
  }
  uint32_t of_form(const Expr&, const StringLiteral& form) const {
    auto bytes = static_cast<uint32_t>(std::min(form.bytes.find('\0'), form.bytes.size())) + 1;
    return form.is_macro ? macro_text_room(bytes) : bytes;
  }
  uint32_t of_form(const Expr& expr, const Call& form) const {
    const auto* subroutine = std::get_if<Subroutine>(&meaning_.info(clause_, expr).binding);
    return subroutine != nullptr ? of_call(form, row(*subroutine).bound) : capacity();
  }
  uint32_t of_form(const Expr&, const Ternary& form) const {
    if (auto taken = meaning_.info(clause_, *form.condition).constant)
      return of(*taken != 0 ? *form.then_value : *form.else_value);
    return std::max(of(*form.then_value), of(*form.else_value));
  }
  uint32_t of_form(const Expr&, const Alternative&) const { DS_UNREACHABLE(); }  // its stands_for is set
  uint32_t of_form(const Expr&, const Comma& form) const { return of(*form.rhs); }
  uint32_t of_form(const Expr&, const Stringof& form) const { return of(*form.operand); }
  uint32_t of_form(const Expr& expr, const Cast& form) const {
    return meaning_.types->is_string(meaning_.info(clause_, expr).type) ? of(*form.operand) : capacity();
  }

  const Semantics& meaning_;
  const ClauseInstance& clause_;
};

}  // namespace

uint32_t string_bound(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr) {
  return Bounds(meaning, clause).of(expr);
}

}  // namespace dscope
