#include "frontend/semantics/string_bound.h"

#include <algorithm>

#include "contract/process_provider.h"
#include "frontend/semantics/machine_tables.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t comm_bytes = 16;           // TASK_COMM_LEN, terminator included
constexpr uint32_t decimal_bytes = 21;        // "-9223372036854775808" and its terminator
constexpr uint32_t based_decimal_bytes = 72;  // 64 binary digits; or 0x or 0 before fewer
constexpr uint32_t ipv4_bytes = 16, ipv6_bytes = 46, link_bytes = 60;
constexpr uint32_t psargs_bytes = 80;  // PRARGSZ, terminator included
constexpr uint32_t unknown_probe_bytes = 128;

const std::string& probe_text(const Probe& probe, BuiltinVariable variable) {
  if (variable == BuiltinVariable::Probeprov) return probe.provider;
  if (variable == BuiltinVariable::Probemod) return probe.module;
  if (variable == BuiltinVariable::Probefunc) return probe.function;
  return probe.name;
}

class Bounds {
 public:
  Bounds(const Semantics& meaning, const ClauseInstance& clause) : meaning_(meaning), clause_(clause) {}

  uint32_t of(const Expr& expr) const { return std::min(raw(expr), capacity()); }

 private:
  uint32_t capacity() const { return meaning_.types->strsize() + 1; }

  uint32_t raw(const Expr& expr) const {
    const ExprInfo& info = meaning_.info(clause_, expr);
    if (const auto* builtin = std::get_if<BuiltinVariable>(&info.binding)) return of_builtin(*builtin);
    const Type& type = meaning_.types->resolved(info.type);
    bool is_sized = type.kind == TypeKind::Array && type.count != 0;
    if (info.stands_for != nullptr) {
      // A string that initializes a char array of a translated object is truncated as in C.
      bool is_cut = is_sized && meaning_.types->is_string(meaning_.info(clause_, *info.stands_for).type);
      return is_cut ? std::min(of(*info.stands_for), type.count) : of(*info.stands_for);
    }
    if (is_sized) return type.count + 1;
    return std::visit([&](const auto& form) { return of_form(expr, form); }, expr.form);
  }

  uint32_t of_builtin(BuiltinVariable variable) const {
    if (variable == BuiltinVariable::Execname) return comm_bytes;
    if (clause_.probes.empty()) return unknown_probe_bytes;
    size_t longest = clause_.gains_probes ? unknown_probe_bytes : 1;
    for (const Probe* probe : clause_.probes) {
      bool is_numbered = variable == BuiltinVariable::Probeprov && is_of_all_processes(probe->provider);
      longest = std::max(longest, probe_text(*probe, variable).size() + (is_numbered ? process_digits : 1));
    }
    return static_cast<uint32_t>(longest);
  }

  // strtok(NULL, ...) continues with an earlier string.
  bool goes_on(const Expr& expr) const { return meaning_.info(clause_, expr).constant == uint64_t{0}; }

  uint32_t of_call(const Call& call, Subroutine subroutine) const {
    auto argument = [&](size_t i) { return of(*call.arguments[i]); };
    switch (subroutine) {
      case Subroutine::Strjoin: return argument(0) + argument(1) - 1;
      case Subroutine::Basename:
      case Subroutine::Cleanpath:
      case Subroutine::Dirname: return std::max(argument(0), 2U);
      case Subroutine::Json:
      case Subroutine::Substr:
      case Subroutine::Strstr:
      case Subroutine::Strchr:
      case Subroutine::Strrchr:
      case Subroutine::Toupper:
      case Subroutine::Tolower: return argument(0);
      case Subroutine::Lltostr: return call.arguments.size() > 1 ? based_decimal_bytes : decimal_bytes;
      case Subroutine::InetNtoa: return ipv4_bytes;
      case Subroutine::InetNtoa6:
      case Subroutine::InetNtop: return ipv6_bytes;
      case Subroutine::LinkNtop: return link_bytes;
      case Subroutine::Strtok: return goes_on(*call.arguments[0]) ? capacity() : argument(0);
      case Subroutine::PsArgs:
      case Subroutine::PsArgsOf: return psargs_bytes;
      case Subroutine::BlockDriver: return block_driver_row;
      case Subroutine::Memstr: {
        const ExprInfo& size = meaning_.info(clause_, *call.arguments[2]);
        return size.constant ? static_cast<uint32_t>(std::clamp<uint64_t>(*size.constant, 1, capacity())) : capacity();
      }
      case Subroutine::Copyinstr: {
        if (call.arguments.size() < 2) return capacity();
        const ExprInfo& size = meaning_.info(clause_, *call.arguments[1]);
        if (!size.constant || *size.constant == 0) return capacity();
        uint64_t most = std::min<uint64_t>(*size.constant, capacity()) + (meaning_.is_solaris_mode ? 1 : 0);
        return static_cast<uint32_t>(std::min<uint64_t>(most, capacity()));
      }
      default: return capacity();
    }
  }

  template <typename Form>
  uint32_t of_form(const Expr&, const Form&) const {
    return capacity();
  }
  uint32_t of_form(const Expr&, const StringLiteral& form) const {
    return static_cast<uint32_t>(form.bytes.find('\0') == std::string::npos ? form.bytes.size()
                                                                            : form.bytes.find('\0')) +
           1;
  }
  uint32_t of_form(const Expr& expr, const Call& form) const {
    const auto* subroutine = std::get_if<Subroutine>(&meaning_.info(clause_, expr).binding);
    return subroutine != nullptr ? of_call(form, *subroutine) : capacity();
  }
  uint32_t of_form(const Expr&, const Ternary& form) const {
    if (auto taken = meaning_.info(clause_, *form.condition).constant)
      return of(*taken != 0 ? *form.then_value : *form.else_value);
    return std::max(of(*form.then_value), of(*form.else_value));
  }
  uint32_t of_form(const Expr&, const Alternative&) const { DS_UNREACHABLE(); }  // stands for one of them
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
