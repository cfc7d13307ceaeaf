#include "driver/replay/recorded_threads.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "capture/capture_event.h"
#include "support/format.h"

namespace dscope {

namespace {

// A value of a built-in variable, which every event has.
struct BasicMember {
  std::string_view member, variable;
};
constexpr BasicMember basic_of_process[] = {
    {"pr_pid", "pid"}, {"pr_ppid", "ppid"}, {"pr_uid", "uid"}, {"pr_gid", "gid"}};
constexpr BasicMember basic_of_thread[] = {{"pr_lwpid", "tid"}, {"pr_name", "execname"}};

struct RecordedVariable {
  std::string_view variable, type;
  std::string_view name;      // of the type of the recorded object
  std::string_view spelling;  // of that type in messages
  uint32_t word = 0;
  std::span<const BasicMember> basic;
};
const RecordedVariable recorded_variables[] = {
    {"curpsinfo", "psinfo_t", "__recorded_psinfo_t", "struct recorded_process", captured_process_word,
     basic_of_process},
    {"curlwpsinfo", "lwpsinfo_t", "__recorded_lwpsinfo_t", "struct recorded_thread", captured_thread_word,
     basic_of_thread},
};

// The struct behind a pointer and typedefs; null if there is none.
const Type* struct_behind(const CaptureInfo& info, TypeId id) {
  constexpr int max_depth = 16;
  for (int depth = 0; depth < max_depth; ++depth) {
    const Type& type = info.types[id.index];
    if (type.kind == TypeKind::Struct) return &type;
    if (type.kind != TypeKind::Pointer && type.kind != TypeKind::Typedef) return nullptr;
    id = type.base;
  }
  return nullptr;
}

bool has_member(const Type& object, const TypeMember& wanted) {
  return std::ranges::any_of(object.members, [&](const TypeMember& member) {
    return member.name == wanted.name && member.bit_offset == wanted.bit_offset;
  });
}

// The recorded object, with the members that all recordings of the file hold at the same place; null: it is not
// recorded.
std::optional<Type> recorded_object(const CaptureInfo& info, const RecordedVariable& variable) {
  if (!info.has(CapturePart::Threads)) return std::nullopt;
  std::optional<Type> result;
  const Type* latest = nullptr;
  for (const CapturedProbe& probe : info.probes)
    for (const CapturedValue& value : probe.others) {
      const Type* object = value.word == variable.word ? struct_behind(info, value.type) : nullptr;
      if (object == nullptr || object == latest) continue;
      latest = object;
      if (!result) result = *object;
      else std::erase_if(result->members, [&](const TypeMember& member) { return !has_member(*object, member); });
    }
  return result;
}

std::string member_text(const CaptureInfo& info, const TypeMember& member) {
  const Type* inner = struct_behind(info, member.type);
  if (inner == nullptr) return fmt::format("\t{0} = P->{0};\n", member.name);
  bool is_time =
      inner->members.size() == 2 && inner->members[0].name == "tv_sec" && inner->members[1].name == "tv_nsec";
  if (!is_time) return {};
  return fmt::format("\t{0} = xlate <timestruc_t> ((uint64_t)(P->{0}.tv_sec * 1000000000 + P->{0}.tv_nsec));\n",
                     member.name);
}

std::string text_of(const CaptureInfo& info, const RecordedVariable& variable) {
  std::string text = fmt::format("translator {} < {} *P > {{\n", variable.type, variable.name);
  if (std::optional<Type> object = recorded_object(info, variable)) {
    for (const TypeMember& member : object->members) text += member_text(info, member);
  } else {
    for (const BasicMember& basic : variable.basic)
      if (std::ranges::count(info.missing_variables, basic.variable) == 0)
        text += fmt::format("\t{} = {};\n", basic.member, basic.variable);
  }
  return text + fmt::format("}};\ninline {0} *{1} = xlate <{0} *> (({2} *){3:#x});\n", variable.type, variable.variable,
                            variable.name, captured_object_address(variable.word));
}

}  // namespace

LibraryFile recorded_thread_library(const CaptureInfo& info) {
  LibraryFile library{.path = "current.d", .text = {}, .is_built_in = true, .dependencies = {}};
  for (const RecordedVariable& variable : recorded_variables) library.text += text_of(info, variable);
  return library;
}

std::optional<TypeId> find_recorded_thread_type(const CaptureInfo& info, std::string_view name, TypeTable& types,
                                                std::map<uint32_t, TypeId>& imported) {
  auto variable = std::ranges::find(recorded_variables, name, &RecordedVariable::name);
  if (variable == std::end(recorded_variables)) return std::nullopt;
  std::string spelling(variable->spelling);
  if (auto known = types.find(spelling)) return known;
  std::optional<Type> object = recorded_object(info, *variable);
  if (!object) object = Type{.kind = TypeKind::Struct, .size = 1};
  object->name = spelling;
  for (TypeMember& member : object->members) member.type = import_captured_type(info, member.type, types, imported);
  TypeId id = types.add(std::move(*object));
  types.define(spelling, id);
  return id;
}

void explain_missing_member(Compilation& compilation, const CaptureInfo& info) {
  const Diagnostic& mistake = compilation.diagnostics.first();
  bool is_missing = std::ranges::any_of(recorded_variables, [&](const RecordedVariable& variable) {
    return mistake.message.find(variable.spelling) != std::string::npos;
  });
  if (mistake.tag != Tag::D_XLATE_NOCONV || !is_missing || info.has(CapturePart::Threads) || !info.source.empty())
    return;
  compilation.diagnostics.hint(
      "dscope --record=FILE -x record=args,strings,threads keeps the members of curpsinfo and curlwpsinfo");
}

}  // namespace dscope
