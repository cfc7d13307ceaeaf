// trace(): prints one value in the width of its static type (consumer-and-actions.md 3.2).
#include "runtime/actions/actions.h"
#include "runtime/format/append_text.h"
#include "runtime/format/raw_dump.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

// Characters of the widest value of the type.
size_t integer_width(const Field& field) {
  switch (field.size) {
    case 1: return 3;
    case 2: return 5;
    case 4: return 10;
  }
  return field.is_signed ? 19 : 20;
}

void trace_integer(std::string& out, const Field& field, const std::byte* record, bool is_quiet) {
  int64_t value = load_integer(field, record);
  size_t width = is_quiet ? 0 : integer_width(field);
  if (!is_quiet) out += ' ';
  if (field.is_signed) append_signed(out, value, width);
  else append_unsigned(out, static_cast<uint64_t>(value), width);
}

constexpr uint32_t text_width = 33;

void trace_text(std::string& out, std::string_view text, const ValuePrinter& values, bool is_quiet) {
  if (is_quiet) return values.append_text(out, text);
  out += "  ";
  values.append_text_left(out, text, text_width);
}

}  // namespace

std::optional<TextSteps> trace_steps(const ActionPlan& plan, const ValuePrinter& values, bool is_quiet) {
  if (plan.fields.empty()) return std::nullopt;
  const Field& field = plan.fields.front();
  TextSteps steps;
  switch (field.kind) {
    case FieldKind::Integer: {
      auto value = field.is_signed ? TextSteps::Value::Signed : TextSteps::Value::Unsigned;
      if (!is_quiet) steps.add_literal(" ");
      auto width = static_cast<uint32_t>(is_quiet ? 0 : integer_width(field));
      steps.add_value(value, field, {.width = width}, values);
      return steps;
    }
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container:
      if (!is_quiet) steps.add_literal("  ");
      steps.add_value(TextSteps::Value::Text, field, {.width = is_quiet ? 0 : text_width, .is_left = true}, values);
      return steps;
    case FieldKind::Bytes:
    case FieldKind::Stack:
    case FieldKind::UserStack:
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: break;
  }
  return std::nullopt;
}

void run_Trace(const RecordedAction& call, const ActionServices& services, std::string& out) {
  const Field* field = call.field(0);
  if (!field) return;
  const OptionValues& options = services.values.options();
  bool is_quiet = options.is_on(OptionId::Quiet);
  bool is_raw = options.is_on(OptionId::Rawbytes);
  switch (field->kind) {
    case FieldKind::Integer:
      if (!is_raw) return trace_integer(out, *field, call.record, is_quiet);
      break;
    case FieldKind::String:
    case FieldKind::ProbeName:
    case FieldKind::Container: {
      std::string_view text = services.values.text(*field, call.record);
      if (is_raw) return append_raw_string(out, text, options);
      return trace_text(out, text, services.values, is_quiet);
    }
    case FieldKind::Stack:
    case FieldKind::UserStack: return run_Stack(call, services, out);
    case FieldKind::KernelAddr:
    case FieldKind::UserAddr: return run_Sym(call, services, out);
    case FieldKind::Bytes: {
      auto bytes = field_bytes(*field, call.record);
      bool is_text = !is_raw && options.dialect().traces_text_in_bytes() && looks_like_text(bytes);
      if (is_text) return trace_text(out, text_of(bytes), services.values, is_quiet);
    }
  }
  append_raw_dump(out, field_bytes(*field, call.record));
}

}  // namespace dscope
