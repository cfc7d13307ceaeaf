#include "frontend/plan/plan_fields.h"

#include <algorithm>

#include "contract/buffers/buffer_policy.h"
#include "contract/host.h"
#include "contract/process_provider.h"
#include "contract/record_format.h"
#include "contract/stacks/stack_copy.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/plan/stack_unwinding.h"
#include "frontend/semantics/number_group.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t max_probe_name_length = 127;  // d-language.md 2.3

// Names are longer than the small strsize of a script may allow, but the consumer prints them whole.
Field container_field(ContainerPart part) {
  return {.kind = FieldKind::Container, .size = 8, .container_part = part, .type = "string"};
}

}  // namespace

std::optional<ProbePart> probe_part(const ClauseInstance& clause, BuiltinVariable variable) {
  auto is_of_all = [](const Probe* probe) { return is_of_all_processes(probe->provider); };
  if (variable == BuiltinVariable::Probeprov && std::ranges::any_of(clause.probes, is_of_all)) return std::nullopt;
  return probe_part(variable);
}

FieldPlanner::FieldPlanner(const Semantics& meaning, const OptionValues& options, Host& host, ProgramPlan& plan)
    : meaning_(meaning), types_(*meaning.types), options_(options), host_(host), plan_(plan) {}

Field FieldPlanner::value(TypeId type, uint32_t string_bytes) const {
  Field field{.type = types_.spell(type)};
  const Type& resolved = types_.resolved(type);
  if (resolved.kind == TypeKind::String) {
    field.kind = FieldKind::String;
    field.size = string_bytes;
  } else if (types_.is_scalar(type)) {
    field.size = static_cast<uint32_t>(resolved.kind == TypeKind::Pointer ? 8 : types_.size_of(type));
    field.is_signed = types_.is_signed_integer(type);
  } else {
    field.kind = FieldKind::Bytes;
    field.size = size_within_bounds(types_.size_of(type));
    field.is_char_array = types_.is_string_compatible(type);
  }
  return field;
}

uint32_t FieldPlanner::frames_of(const ClauseInstance& clause, const Call& call, OptionId default_frames) const {
  int64_t frames = options_.number(default_frames);
  if (frames <= 0) frames = row(default_frames).default_value;
  if (!call.arguments.empty()) {
    const ExprInfo& requested = meaning_.info(clause, *call.arguments[0]);
    DS_CHECK(requested.constant.has_value());
    frames = static_cast<int64_t>(std::min<uint64_t>(*requested.constant, 1024));
  }
  int64_t max_frames = host_.facts().max_stack_frames;
  if (options_.is_set(OptionId::Maxframes))
    max_frames = std::min(max_frames, std::max<int64_t>(1, options_.number(OptionId::Maxframes)));
  return static_cast<uint32_t>(std::clamp<int64_t>(frames, 1, max_frames));
}

Field FieldPlanner::of_action(const ClauseInstance& clause, const Call& call, Action action) const {
  switch (row(action).value) {
    case ActionValue::KernelStack: {
      uint32_t frames = frames_of(clause, call, OptionId::Stackframes);
      uint32_t recorded = std::min(frames + extra_frames, host_.facts().max_stack_frames);
      return {.kind = FieldKind::Stack, .size = recorded * 8, .frames = frames, .type = "stack"};
    }
    case ActionValue::UserStack: {
      uint32_t frames = frames_of(clause, call, OptionId::Ustackframes);
      return {.kind = FieldKind::UserStack, .size = 8 + frames * 8, .frames = frames, .type = "stack"};
    }
    case ActionValue::KernelSymbol:
      return {.kind = FieldKind::KernelAddr, .size = 8, .symbol = action, .type = "_symaddr"};
    case ActionValue::UserSymbol:
      return {.kind = FieldKind::UserAddr, .size = 16, .symbol = action, .type = "_usymaddr"};
    case ActionValue::NoValue:
    case ActionValue::Argument:
    case ActionValue::Text: break;
  }
  DS_UNREACHABLE();
}

// With ustackunwind=auto on machines without tables, stacks are copied where that costs at most twice as much as
// following frame pointers: in samples and in functions of processes (docs/decisions/0028). A script that sets a small
// buffer relies on small records.
bool FieldPlanner::copies_user_stacks(const ClauseInstance& clause) const {
  std::string_view unwinding = options_.text(OptionId::Ustackunwind);
  if (unwinding != "auto") return unwinding == "dwarf";
  if (unwinds_by_tables(options_, architecture_of(host_.facts()))) return false;
  auto is_below_default = [&](OptionId id) { return options_.number(id) < row(id).default_value; };
  if (is_below_default(OptionId::Bufsize) || is_below_default(OptionId::Aggsize)) return false;
  if (buffer_policy(options_) != BufferPolicy::Switch) return false;
  return !clause.probes.empty() && std::ranges::all_of(clause.probes, [](const Probe* probe) {
    return probe->is_process_function || std::holds_alternative<HookPerfClock>(probe->hook);
  });
}

// The consumer unwinds the copy. Keys cannot contain a copy, because two copies are never equal.
Field FieldPlanner::with_copy(const ClauseInstance& clause, Field field) const {
  if (field.kind != FieldKind::UserStack || !copies_user_stacks(clause)) return field;
  field.has_copy = true;
  field.size += DS_STACK_COPY_SIZE(architecture_of(host_.facts()).register_words, stack_copy_bytes(options_));
  return field;
}

// Records contain row numbers for the names of probes, unless a small strsize truncates the names.
bool FieldPlanner::fits_every_name() const { return types_.strsize() >= max_probe_name_length; }

// Keys compare strings and char arrays by their text, char pointers by their value.
bool FieldPlanner::is_text(TypeId type) const { return types_.is_string_compatible(type) && !types_.is_pointer(type); }

// Returns the field of a value that %s may print. %s prints enumerators and numbers of a group by their names.
Field FieldPlanner::named_value(TypeId type, std::optional<NumberGroup> numbers) {
  Field field = value(type, 0);
  if (types_.resolved(type).kind == TypeKind::Enum) field.printed_type = printed_type(type);
  else if (numbers) field.printed_type = printed_numbers(*numbers, field);
  return field;
}

Field FieldPlanner::key(const KeyUse& use, const AggregationKey& key) {
  if (!is_text(key.type)) return named_value(key.type, key.numbers);
  if (use.probe_part && !use.is_mixed && fits_every_name())
    return {.kind = FieldKind::ProbeName, .size = 4, .probe_part = *use.probe_part, .type = "string"};
  if (use.container_part && !use.is_mixed) return container_field(*use.container_part);
  return value(types_.string_type(), use.string_bytes);
}

// Returns the field of an action's argument: strings with their size limit, names of the probe as a row number.
Field FieldPlanner::argument(const ClauseInstance& clause, const Expr& expr, bool as_string) {
  const ExprInfo& info = meaning_.info(clause, expr);
  if (const Call* call = action_call(meaning_, clause, expr))
    return with_copy(clause, of_action(clause, *call, std::get<Action>(info.binding)));
  if (const auto* builtin = std::get_if<BuiltinVariable>(&info.binding)) {
    if (auto part = probe_part(clause, *builtin); part && fits_every_name())
      return {.kind = FieldKind::ProbeName, .size = 4, .probe_part = *part, .type = "string"};
    if (auto part = container_part(*builtin)) return container_field(*part);
  }
  if (types_.is_string(info.type) || (as_string && types_.is_string_compatible(info.type)))
    return value(types_.string_type(), string_bound(meaning_, clause, expr));
  if (!as_string) return value(info.type, 0);
  return named_value(info.type, types_.is_integer(info.type) ? number_group(meaning_, clause, expr) : std::nullopt);
}

std::vector<Field> FieldPlanner::of_call(const ClauseInstance& clause, const Expr& node, const Call& call,
                                         Action action, int32_t format) {
  std::vector<Field> fields;
  switch (row(action).record) {
    case ActionRecord::Nothing: break;
    case ActionRecord::Arguments:
      for (const Expr* expr : call.arguments) fields.push_back(argument(clause, *expr, true));
      break;
    case ActionRecord::Format: {
      std::vector<bool> is_string = string_conversions(format, call.arguments.size());
      for (size_t i = 1; i < call.arguments.size(); ++i)
        fields.push_back(argument(clause, *call.arguments[i], is_string[i - 1]));
      break;
    }
    case ActionRecord::Itself: fields.push_back(argument(clause, node, false)); break;
    case ActionRecord::Special: return special_fields(clause, call, action);
  }
  return fields;
}

// NOLINTNEXTLINE(readability-function-size): one row of the catalog after the other
std::vector<Field> FieldPlanner::special_fields(const ClauseInstance& clause, const Call& call, Action action) {
  switch (action) {
#define DS_ACTION(id, name, prototype, effect, record, value, context, machine, since, release)            \
  case Action::id:                                                                                         \
    if constexpr (ActionRecord::record == ActionRecord::Special) return special_fields_##id(clause, call); \
    break;
#include "catalog/actions.def"
#undef DS_ACTION
  }
  DS_UNREACHABLE();
}

std::vector<Field> FieldPlanner::special_fields_Exit(const ClauseInstance&, const Call&) {
  return {{.size = 4, .is_signed = true, .type = "int"}};
}
std::vector<Field> FieldPlanner::special_fields_Normalize(const ClauseInstance&, const Call&) {
  return {{.size = 8, .type = "uint64_t"}};
}
std::vector<Field> FieldPlanner::special_fields_Trace(const ClauseInstance& clause, const Call& call) {
  return {argument(clause, *call.arguments[0], false)};
}
std::vector<Field> FieldPlanner::special_fields_Trunc(const ClauseInstance&, const Call& call) {
  if (call.arguments.size() < 2) return {};
  return {{.size = 8, .is_signed = true, .type = "int64_t"}};
}

// Whether %s prints each of the fields: a char array is then recorded as the string that it contains.
std::vector<bool> FieldPlanner::string_conversions(int32_t format, size_t field_count) const {
  std::vector<bool> is_string(field_count);
  if (format < 0) return is_string;
  for (const FormatPiece& piece : meaning_.formats[static_cast<size_t>(format)].plan.pieces)
    if (piece.field >= 0 && static_cast<size_t>(piece.field) < field_count)
      is_string[static_cast<size_t>(piece.field)] =
          (piece.conversion == 's' || piece.conversion == 'S') && !piece.is_wide;
  return is_string;
}

}  // namespace dscope
