#include "frontend/machine/expression_shape.h"

#include "frontend/machine/machine_values.h"
#include "frontend/semantics/string_bound.h"
#include "frontend/syntax/operators.h"
#include "support/format.h"

namespace dscope {

namespace {

bool is_imported(const TypeTable& types, TypeId type) {
  const Type& resolved = types.resolved(type);
  return resolved.origin != 0 || !resolved.is_complete;
}

// Whether the code multiplies by the size of what the value points to.
bool computes_address(const Expr& expr) {
  if (const auto* assignment = std::get_if<Assign>(&expr.form)) return assignment->op.has_value();
  if (const auto* binary = std::get_if<Binary>(&expr.form))
    return binary->op == BinaryOp::Add || binary->op == BinaryOp::Subtract;
  const auto* unary = std::get_if<Unary>(&expr.form);
  return unary != nullptr && is_step(unary->op);
}

}  // namespace

std::string source_shape(const ArgSource& source, const std::string& owner, ValueSink& out) {
  auto number = [&](const auto& field, std::string_view word, uint64_t value) {
    out.value(&field, fmt::format("{} of {}", word, owner), value);
  };
  bool has_index = true, has_offset = false;
  switch (source.kind) {
    case ArgSourceKind::CtxSlot:
      number(source.index, "offset", uint64_t{source.index} * 8);
      has_index = false;
      break;
    case ArgSourceKind::RecordField:
    case ArgSourceKind::RecordAddress:
    case ArgSourceKind::RecordDataLoc:
    case ArgSourceKind::RecordRelLoc:
    case ArgSourceKind::Constant:
    case ArgSourceKind::Register:
    case ArgSourceKind::StackWord: has_offset = true; break;
    case ArgSourceKind::UserMemory:
      has_offset = true;
      number(source.base, "base register", source.base);
      if (source.scale != 0) number(source.index, "index register", source.index);
      has_index = false;
      break;
    case ArgSourceKind::RegisterPair:
      has_offset = true;
      number(source.base, "second register", source.base);
      break;
    default: break;
  }
  if (has_offset) number(source.offset, "offset", static_cast<uint64_t>(source.offset));
  return fmt::format("{} comes from source {}.{} of {}{} bytes, scale {}", owner, static_cast<int>(source.kind),
                     has_index ? source.index : 0, source.is_signed ? "signed " : "", source.size, source.scale);
}

void ExpressionShape::add_child(const Expr& expr, const ClauseInstance& clause) {
  auto add = [&](const Expr& operand) {
    const Expr* current = &operand;
    sizeless_.insert(current);
    while (const Expr* next = meaning_.info(clause, *current).stands_for) sizeless_.insert(current = next);
  };
  if (const auto* member = std::get_if<Member>(&expr.form)) add(*member->base);
  if (const auto* unary = std::get_if<Unary>(&expr.form); unary != nullptr && unary->op == UnaryOp::AddressOf)
    add(*unary->operand);
  if (sizeless_.contains(&expr)) {
    if (const auto* cast = std::get_if<Cast>(&expr.form)) add(*cast->operand);
    if (const auto* comma = std::get_if<Comma>(&expr.form)) add(*comma->rhs);
  }
}

std::string ExpressionShape::type_text(TypeId type) const {
  const Type& resolved = meaning_.types->resolved(type);
  std::string text = fmt::format("kind {}{}{}{}", static_cast<int>(resolved.kind), resolved.is_signed ? " signed" : "",
                                 resolved.is_userland ? " of the process" : "", resolved.is_bool ? " bool" : "");
  if (resolved.kind == TypeKind::Array) text += fmt::format(" of {}", resolved.count);
  return text;
}

std::string ExpressionShape::member_text(const Expr& expr, const ExprInfo& info, const ResolvedMember& member,
                                         const ClauseInstance& clause) {
  const auto* form = std::get_if<Member>(&expr.form);
  std::string type = form == nullptr ? "" : meaning_.types->spell(meaning_.info(clause, *form->base).type);
  while (type.ends_with('*') || type.ends_with(' ')) type.pop_back();
  std::string name = form == nullptr ? "a member" : fmt::format("{}.{}", type, form->member);
  out_.value(&info, fmt::format("offset of {}", name), member.bit_offset / 8);
  // The names are not part of the shape: kernels rename members, and D libraries read them as `new ?? old`.
  if (member.bit_size == 0) return "a member";
  return fmt::format("a member that has bits {} to {} of a byte", member.bit_offset % 8,
                     member.bit_offset % 8 + member.bit_size);
}

std::string ExpressionShape::argument_text(const Probe& probe, uint32_t index) {
  if (index >= probe.args.size()) return "an absent argument";
  const ArgSource& source = probe.args[index].source;
  return source_shape(source, fmt::format("args[{}]", index), out_);
}

std::string ExpressionShape::binding_text(const Expr& expr, const ExprInfo& info, const ClauseInstance& clause) {
  return std::visit(
      Overloaded{
          [](const std::monostate&) -> std::string { return "nothing"; },
          [](const BuiltinVariable& variable) { return fmt::format("built-in {}", static_cast<int>(variable)); },
          [](const RawArgument& argument) { return fmt::format("arg{}", argument.index); },
          [](const ArgsArray&) -> std::string { return "args"; },
          [&](const TypedArgument& argument) {
            if (clause.probes.empty()) return fmt::format("args[{}]", argument.index);
            return argument_text(*clause.probes.front(), argument.index);
          },
          [](const TracedName& name) { return fmt::format("traced variable {}", name.index); },
          [](const UserRegister& user) { return fmt::format("uregs[{}]", user.index); },
          [](const VariableId& id) { return fmt::format("variable {}", id.index); },
          [](const AggregationId& id) { return fmt::format("aggregation {}", id.index); },
          [](const InlineId&) -> std::string { return "an inline"; },
          [](const DefinitionParameter& parameter) { return fmt::format("parameter {}", parameter.index); },
          [](const Subroutine& id) -> std::string { return std::string(row(id).name) + "()"; },
          [](const Action& id) -> std::string { return std::string(row(id).name) + "()"; },
          [](const AggregationFunction& id) -> std::string { return std::string(row(id).name) + "()"; },
          [&](const SymbolAddress& symbol) -> std::string {
            const auto* form = std::get_if<SymbolRef>(&expr.form);
            out_.value(&info, fmt::format("address of `{}", form != nullptr ? form->name : "symbol"), symbol.address);
            return "a kernel symbol";
          },
          [&](const ResolvedMember& member) { return member_text(expr, info, member, clause); },
      },
      info.binding);
}

// Whether the value of a constant expression depends on the machine or on the command line: it names an enumerator, a
// size or an offset of a kernel type, or a macro variable.
bool ExpressionShape::depends_on_machine(const Expr& expr, const ClauseInstance& clause) const {
  auto below = [&](const Expr* child) { return child != nullptr && depends_on_machine(*child, clause); };
  const ExprInfo& info = meaning_.info(clause, expr);
  if (info.stands_for != nullptr && below(info.stands_for)) return true;
  return std::visit(Overloaded{
                        [](const IntLiteral& form) { return form.is_macro; },
                        [&](const Name&) {
                          if (const auto* id = std::get_if<InlineId>(&info.binding)) {
                            const Inline& definition = meaning_.inlines[id->index];
                            return below(definition.value) || definition.name.starts_with("__machine_");
                          }
                          return std::holds_alternative<std::monostate>(info.binding) &&
                                 info.stands_for == nullptr;  // an enumerator
                        },
                        [&](const SizeofExpr& form) {
                          return is_imported(*meaning_.types, meaning_.info(clause, *form.operand).type);
                        },
                        [](const SizeofType&) { return true; },
                        [](const Offsetof&) { return true; },
                        [&](const Unary& form) { return below(form.operand); },
                        [&](const Cast& form) { return below(form.operand); },
                        [&](const Binary& form) { return below(form.lhs) || below(form.rhs); },
                        [&](const Ternary& form) {
                          return below(form.condition) || below(form.then_value) || below(form.else_value);
                        },
                        [&](const Comma& form) { return below(form.rhs); },
                        [](const auto&) { return false; },
                    },
                    expr.form);
}

std::string ExpressionShape::constant_text(const Expr& expr, const ExprInfo& info, const ClauseInstance& clause) {
  if (!depends_on_machine(expr, clause)) return fmt::format("constant {}", *info.constant);
  const auto* name = std::get_if<Name>(&expr.form);
  out_.value(&info, name != nullptr ? name->name : "a constant of the machine or of the command line", *info.constant);
  return "constant of the machine";
}

// The text of a macro is late. Any other one is in the code.
std::string ExpressionShape::literal_text(const StringLiteral& literal) {
  std::string text = literal.bytes.substr(0, literal.bytes.find('\0'));
  if (!literal.is_macro) return fmt::format(", \"{}\"", text);
  text.resize(std::min<size_t>(text.size(), meaning_.types->strsize()));
  text.resize(macro_text_room(static_cast<uint32_t>(text.size()) + 1));
  std::string shape = fmt::format(", a text in {} bytes", text.size());
  out_.text(&literal, std::move(text));
  return shape;
}

void ExpressionShape::describe(const Expr& expr, const ClauseInstance& clause) {
  const ExprInfo& info = meaning_.info(clause, expr);
  const TypeTable& types = *meaning_.types;
  std::string text =
      fmt::format("clause {}: form {} of {}, space {}{}{}", clause.number, expr.form.index(), type_text(info.type),
                  static_cast<int>(info.space), info.is_lvalue ? ", lvalue" : "", info.is_writable ? ", writable" : "");
  bool is_object = types.is_struct_or_union(info.type) || types.resolved(info.type).kind == TypeKind::Array;
  if (types.is_scalar(info.type) || (is_object && !sizeless_.contains(&expr)))
    text += fmt::format(", {} bytes", types.size_of(info.type));
  if (info.constant) {
    text += ", " + constant_text(expr, info, clause);
  } else if (info.stands_for != nullptr) {
    text += ", stands for the next";
  } else if (info.translated != nullptr) {
    text += fmt::format(", translated with {} members", info.translated->members.size());
    for (const TranslatedMember& member : info.translated->members) text += member.condition != nullptr ? "?" : ".";
  } else {
    text += ", " + binding_text(expr, info, clause);
    if (types.is_string(info.type)) text += fmt::format(", at most {} bytes", string_bound(meaning_, clause, expr));
    const Type& type = types.resolved(info.type);
    if (computes_address(expr) && (type.kind == TypeKind::Pointer || type.kind == TypeKind::Array))
      text += fmt::format(", elements of {} bytes", types.size_of(type.base));
    if (const auto* index = std::get_if<Index>(&expr.form)) {
      const Type& base = types.resolved(meaning_.info(clause, *index->base).type);
      if (base.kind == TypeKind::Pointer || base.kind == TypeKind::Array)
        text += fmt::format(", elements of {} bytes", types.size_of(base.base));
    }
    if (const auto* literal = std::get_if<StringLiteral>(&expr.form)) text += literal_text(*literal);
    if (const auto* binary = std::get_if<Binary>(&expr.form))
      text += fmt::format(", operator {}", static_cast<int>(binary->op));
    if (const auto* unary = std::get_if<Unary>(&expr.form))
      text += fmt::format(", operator {}", static_cast<int>(unary->op));
  }
  text += fmt::format("{}{}", shape_remark, types.spell(info.type));
  if (const auto* member = std::get_if<Member>(&expr.form)) text += " " + member->member;
  out_.line(std::move(text));
}

}  // namespace dscope
