#include "import/import_target.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "support/format.h"

namespace dscope {

namespace {

uint64_t extended(uint64_t number, uint32_t size, bool is_signed) {
  if (size == 0 || size >= sizeof number) return number;
  uint64_t shift = (sizeof number - size) * CHAR_BIT;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(number << shift) >> shift) : number << shift >> shift;
}

}  // namespace

ImportTarget::ImportTarget() = default;
ImportTarget::~ImportTarget() = default;

std::optional<TypeId> ImportTarget::opaque_struct(const std::string& name) {
  if (!name.starts_with("struct ") && !name.starts_with("union ")) return std::nullopt;
  auto [entry, is_new] = structs_.try_emplace(name);
  if (is_new) entry->second = types_.add({.kind = TypeKind::Forward, .name = name});
  return entry->second;
}

TypeId ImportTarget::type_of(const ImportedArgument& argument) {
  auto space = argument.is_in_process ? PointerSpace::User : PointerSpace::Kernel;
  auto type = read_type_text(types_, argument.type_text, space, [&](const auto& name) { return opaque_struct(name); });
  if (argument.kind != ImportedKind::Number)
    return type && types_.is_pointer(*type) ? *type : types_.pointer_to(types_.plain_char());
  if (type && types_.is_scalar(*type)) return *type;
  bool is_register = argument.size == 1 || argument.size == 2 || argument.size == 4 || argument.size == 8;
  return types_.integer(is_register ? argument.size : 8, argument.is_signed);
}

// A struct with these members one after the other.
TypeId ImportTarget::object_type(const ImportedArgument& argument) {
  if (auto known = types_.find(argument.object)) return *known;
  std::string name = "struct " + argument.object.substr(0, argument.object.rfind("_t"));
  Type object{.kind = TypeKind::Struct, .name = name};
  for (const ImportedMember& member : argument.members) {
    TypeId type = read_type_text(types_, member.type_text, PointerSpace::Kernel, {}).value_or(types_.int_type());
    uint64_t alignment = std::max<uint64_t>(types_.alignment_of(type), 1);
    object.size = (object.size + alignment - 1) / alignment * alignment;
    object.members.push_back(
        {.name = member.name, .type = type, .bit_offset = static_cast<uint32_t>(object.size) * uint32_t{CHAR_BIT}});
    object.size += types_.size_of(type);
  }
  TypeId structure = types_.add(std::move(object));
  TypeId named = types_.add({.kind = TypeKind::Typedef, .name = argument.object, .base = structure});
  types_.define(argument.object, named);
  return named;
}

void ImportTarget::add_members(const ImportedArgument& argument, uint32_t word, CapturedShape& shape,
                               std::vector<Column>& columns) {
  TypeId object = object_type(argument);
  shape.objects.push_back({word, static_cast<uint32_t>(types_.size_of(object))});
  for (const ImportedMember& member : argument.members) {
    auto place = find_member_place(types_, object, member.name);
    if (!place) continue;
    auto size = static_cast<uint32_t>(types_.size_of(place->type));
    bool is_number = types_.is_scalar(place->type);
    shape.columns.push_back(
        {is_number ? ColumnKind::MemberNumber : ColumnKind::MemberMemory, word, place->offset, size});
    columns.push_back({.is_number = is_number,
                       .size = is_number ? size : size - 1,
                       .is_signed = types_.is_signed_integer(place->type)});
  }
}

void ImportTarget::add_argument(const ImportedArgument& argument, uint32_t word, CapturedProbe& probe,
                                CapturedShape& shape, std::vector<Column>& columns) {
  CapturedValue value{.expression = fmt::format("args[{}]", word),
                      .type_text = argument.type_text,
                      .type = {},
                      .name = argument.name,
                      .word = word};
  if (!argument.object.empty()) {
    add_members(argument, word, shape, columns);
    auto [pointer, is_new] = object_pointers_.try_emplace(argument.object);
    std::vector<std::string> members;
    for (const ImportedMember& member : argument.members) members.push_back(member.name);
    if (is_new) pointer->second = exported_.add_object_pointer(object_type(argument), members);
    value.type = pointer->second;
  } else {
    TypeId type = type_of(argument);
    value.type = exported_.add(type);
    if (argument.kind == ImportedKind::Number) {
      shape.columns.push_back({ColumnKind::Word, word});
      columns.push_back({.is_number = true,
                         .size = static_cast<uint32_t>(types_.size_of(type)),
                         .is_signed = types_.is_signed_integer(type)});
    } else {
      // A text ends with a NUL.
      uint32_t size = std::min(argument.size, max_object_size - 1);
      shape.objects.push_back({word, size + 1});
      shape.columns.push_back({ColumnKind::MemberMemory, word, 0, size + 1});
      columns.push_back({.is_number = false, .size = size});
    }
  }
  probe.args.push_back(std::move(value));
}

uint32_t ImportTarget::add_probe(const ImportedProbe& probe) {
  constexpr uint32_t first_id = 4;  // after BEGIN, END and ERROR
  std::string name = fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  auto [entry, is_new] = probe_numbers_.try_emplace(name, static_cast<uint32_t>(info().probes.size()));
  if (!is_new) return entry->second;
  CapturedProbe captured{.id = first_id + entry->second,
                         .provider = probe.provider,
                         .module = probe.module,
                         .function = probe.function,
                         .name = probe.name};
  captured.hook = HookRawTracepoint{probe.name};
  captured.is_system_call = probe.is_system_call;
  captured.has_typed_args = true;
  CapturedShape shape;
  std::vector<Column> columns;
  for (uint32_t i = 0; i < probe.arguments.size() && i < max_captured_words; ++i)
    add_argument(probe.arguments[i], i, captured, shape, columns);
  shape.word_count = static_cast<uint32_t>(captured.args.size());
  captured.arg_count = shape.word_count;
  info().probes.push_back(std::move(captured));
  start_.shapes.push_back(std::move(shape));
  columns_.push_back(std::move(columns));
  return entry->second;
}

Result<> ImportTarget::open(Fd output, uint64_t begin, uint64_t boot_to_wall_ns) {
  info().recordings.push_back({.begin = begin, .end = 0, .boot_to_wall_ns = boot_to_wall_ns});
  DS_TRY(writer_, CaptureWriter::create(std::move(output), std::move(start_), {}));
  return {};
}

void ImportTarget::add(uint32_t probe, const ImportedFiring& firing, std::span<const ImportedValue> values) {
  const std::vector<Column>& columns = columns_[probe];
  EventBlock& block = writer_->block();
  numbers_.assign(columns.size(), 0);
  for (size_t i = 0; i < columns.size() && i < values.size(); ++i) {
    const Column& column = columns[i];
    numbers_[i] = column.is_number ? extended(values[i].number, column.size, column.is_signed)
                                   : block.intern(values[i].bytes.substr(0, column.size));
  }
  RecordedEvent event{.time = firing.time, .probe = probe, .cpu = firing.cpu, .thread = block.intern(firing.thread)};
  if (!firing.kernel_stack.empty()) event.kernel_stack = block.intern(firing.kernel_stack);
  if (!firing.user_stack.empty()) event.user_stack = block.intern(firing.user_stack);
  event.error = firing.error;
  event.values = numbers_;
  writer_->add(event);
}

Result<> ImportTarget::finish(uint64_t end) {
  writer_->finish(end);
  return writer_->status();
}

}  // namespace dscope
