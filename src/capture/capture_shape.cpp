// The only file of captures that catches exceptions of cereal.
#include "capture/capture_shape.h"

#include <algorithm>
#include <utility>

#include "archive/binary_archive.h"
#include "archive/plan_fields.h"
#include "support/format.h"

namespace dscope {

namespace {

// Enumerators as bytes; a later one is an error.
template <typename Enum>
struct Numbered {
  Enum& value;
  Enum last;
};

template <class Archive, typename Enum>
void transfer(Archive& archive, Numbered<Enum> numbered) {
  auto number = static_cast<uint8_t>(numbered.value);
  archive(number);
  if (Archive::is_loading::value && number > static_cast<uint8_t>(numbered.last))
    throw cereal::Exception("it has an unknown enumerator, " + std::to_string(number));
  numbered.value = static_cast<Enum>(number);
}

template <class Archive, typename Enum>
void transfer_list(Archive& archive, std::vector<Enum>& values, Enum last) {
  cereal::size_type size = values.size();
  archive(cereal::make_size_tag(size));
  if (Archive::is_loading::value) values.clear();
  for (cereal::size_type i = 0; i < size; ++i) {
    if (Archive::is_loading::value) values.emplace_back();
    transfer(archive, Numbered<Enum>{values[i], last});
  }
}

template <class Archive, typename Map>
void transfer_map(Archive& archive, Map& map) {
  cereal::size_type size = map.size();
  archive(cereal::make_size_tag(size));
  if constexpr (Archive::is_loading::value) {
    map.clear();
    for (cereal::size_type i = 0; i < size; ++i) {
      typename Map::key_type key{};
      typename Map::mapped_type value{};
      archive(key, value);
      map[key] = std::move(value);
    }
  } else {
    for (auto& [key, value] : map) {
      auto copy = key;
      archive(copy, value);
    }
  }
}

}  // namespace

template <class Archive>
void serialize(Archive& archive, TypeId& id) {
  archive(id.index);
}
template <class Archive>
void serialize(Archive& archive, TypeMember& member) {
  archive(member.name, member.type, member.bit_offset, member.bit_size);
}
template <class Archive>
void serialize(Archive& archive, Type& type) {
  transfer(archive, Numbered<TypeKind>{type.kind, TypeKind::Dynamic});
  archive(type.name, type.size, type.is_signed, type.is_char, type.is_bool, type.is_userland, type.base, type.count,
          type.members, type.enumerators, type.parameters, type.has_varargs);
}
template <class Archive>
void serialize(Archive& archive, Attributes& attributes) {
  transfer(archive, Numbered<Stability>{attributes.name, Stability::Standard});
  transfer(archive, Numbered<Stability>{attributes.data, Stability::Standard});
  transfer(archive, Numbered<DependencyClass>{attributes.dependency, DependencyClass::Common});
}
template <class Archive>
void serialize(Archive& archive, ProviderAttributes& attributes) {
  archive(attributes.provider, attributes.module, attributes.function, attributes.name, attributes.args);
}
template <class Archive>
void serialize(Archive& archive, CapturedValue& value) {
  archive(value.expression, value.type_text, value.type, value.name, value.word);
}
template <class Archive>
void serialize(Archive& archive, CapturedProbe& probe) {
  Attachment attachment{.hook = probe.hook};
  archive(probe.id, probe.provider, probe.module, probe.function, probe.name, probe.readable_function, probe.attributes,
          attachment, probe.is_system_call, probe.is_process_function, probe.has_typed_args, probe.arg_count,
          probe.args, probe.others);
  probe.hook = attachment.hook;
}
template <class Archive>
void serialize(Archive& archive, CapturedSymbol& symbol) {
  archive(symbol.symbol, symbol.text, symbol.caller, symbol.caller_text, symbol.module, symbol.start,
          symbol.module_start);
}
template <class Archive>
void serialize(Archive& archive, std::pair<std::pair<uint32_t, uint64_t>, CapturedSymbol>& entry) {
  archive(entry.first.first, entry.first.second, entry.second);
}
template <class Archive>
void serialize(Archive& archive, CapturedMount& mount) {
  archive(mount.device, mount.path, mount.type);
}
template <class Archive>
void serialize(Archive& archive, CapturedObject& object) {
  archive(object.pid, object.start, object.end, object.offset, object.path, object.build_id);
}
template <class Archive>
void serialize(Archive& archive, CapturedClocks& clocks) {
  archive(clocks.begin, clocks.end, clocks.boot_to_wall_ns);
}
template <class Archive>
void serialize(Archive& archive, CpuFacts& cpu) {
  archive(cpu.package, cpu.node, cpu.megahertz);
}
template <class Archive>
void serialize(Archive& archive, MachineFacts& facts) {
  archive(facts.cpu_count, facts.max_stack_frames, facts.ticks_per_second, facts.online_cpu_count, facts.page_size,
          facts.page_count, facts.machine, facts.kernel_release, facts.kernel_banner);
}
template <class Archive>
void serialize(Archive& archive, TracerIdentity& tracer) {
  archive(tracer.pid, tracer.ppid, tracer.pgid, tracer.sid, tracer.uid, tracer.euid, tracer.gid, tracer.egid,
          tracer.execname);
}
template <class Archive>
void serialize(Archive& archive, CapturedColumn& column) {
  transfer(archive, Numbered<ColumnKind>{column.kind, ColumnKind::MemberMemory});
  archive(column.word, column.offset, column.size);
}
template <class Archive>
void serialize(Archive& archive, CapturedObjectShape& object) {
  archive(object.word, object.size);
}
template <class Archive>
void serialize(Archive& archive, CapturedShape& shape) {
  archive(shape.word_count, shape.columns, shape.objects);
}
template <class Archive>
void serialize(Archive& archive, CaptureStart& start) {
  CaptureInfo& info = start.info;
  transfer_list(archive, info.parts, CapturePart::Threads);
  archive(info.descriptions, info.strsize, info.stack_frames, info.user_stack_frames, info.target_pid,
          info.target_command, info.facts, info.cpus);
  transfer_map(archive, info.block_drivers);
  archive(info.dtrace_attributes, info.types, info.probes, info.recordings, info.mounts, start.shapes);
  // Earlier captures end here.
  if constexpr (Archive::is_loading::value) {
    if (archive.left() == 0) return;
  }
  archive(info.source, info.missing_variables);
  if constexpr (Archive::is_loading::value) {
    if (archive.left() == 0) return;
  }
  archive(info.tracer);
}
template <class Archive>
void serialize(Archive& archive, CaptureAdditions& additions) {
  archive(additions.symbols, additions.objects, additions.lost_events, additions.last_time);
}

namespace {

template <typename Content>
std::string pack(Content& content) {
  std::string bytes;
  ByteOutput archive(bytes);
  archive(content);
  return bytes;
}

template <typename Content>
Result<Content> unpack(const std::string& bytes) {
  Content content;
  try {
    ByteInput archive(bytes);
    archive(content);
    if (archive.left() != 0) return fail(Error("bytes follow the end of a table"));
  } catch (const std::exception& problem) {
    return fail(Error(problem.what()));
  }
  return content;
}

bool has_type(const CaptureInfo& info, TypeId id) { return id.index < info.types.size(); }

std::string inconsistency_of(const CaptureInfo& info, const Type& type) {
  bool are_known = has_type(info, type.base);
  for (const TypeMember& member : type.members) are_known = are_known && has_type(info, member.type);
  for (TypeId parameter : type.parameters) are_known = are_known && has_type(info, parameter);
  return are_known ? "" : fmt::format("type `{}` refers to an unknown type", type.name);
}

// Whether some type contains itself, other than behind a pointer: its size would have no end.
class ContainmentCheck {
 public:
  explicit ContainmentCheck(const std::vector<Type>& types) : types_(types), states_(types.size()) {}

  bool has_circle() {
    for (uint32_t i = 0; i < types_.size(); ++i)
      if (!is_finite(TypeId{i}, 0)) return true;
    return false;
  }

 private:
  enum class State : uint8_t { Unknown, Open, Finite };

  bool is_finite(TypeId id, int depth) {
    constexpr int max_depth = 100;  // structs in arrays in structs ...
    State& state = states_[id.index];
    if (state == State::Finite) return true;
    if (state == State::Open || depth > max_depth) return false;
    state = State::Open;
    const Type& type = types_[id.index];
    bool contains_base = type.kind == TypeKind::Typedef || type.kind == TypeKind::Array;
    if (contains_base && !is_finite(type.base, depth + 1)) return false;
    for (const TypeMember& member : type.members)
      if (!is_finite(member.type, depth + 1)) return false;
    states_[id.index] = State::Finite;
    return true;
  }

  const std::vector<Type>& types_;
  std::vector<State> states_;
};

std::string inconsistency_of(const CapturedShape& shape) {
  if (shape.word_count > max_captured_words || shape.columns.size() > max_captured_columns)
    return "an event has too many values";
  for (const CapturedObjectShape& object : shape.objects)
    if ((object.word >= shape.word_count && !is_thread_object(object.word)) || object.size > max_object_size)
      return "an object has no place";
  for (const CapturedColumn& column : shape.columns) {
    if (column.kind == ColumnKind::Word || column.kind == ColumnKind::Memory) {
      if (column.word >= shape.word_count) return "a value has no place";
      continue;
    }
    auto object = std::ranges::find(shape.objects, column.word, &CapturedObjectShape::word);
    bool fits = object != shape.objects.end() && column.offset <= object->size &&
                column.size <= object->size - column.offset &&
                (column.kind == ColumnKind::MemberMemory || column.size <= sizeof(uint64_t));
    if (!fits) return "a member has no place in its object";
  }
  return {};
}

// Whether events of the shape have a word for the value, or the object that it means.
bool has_place(const CapturedShape& shape, const CapturedValue& value) {
  if (!value.is_recorded() || value.word < shape.word_count) return true;
  return is_thread_object(value.word) &&
         std::ranges::find(shape.objects, value.word, &CapturedObjectShape::word) != shape.objects.end();
}

std::string inconsistency_of(const CaptureStart& start) {
  const CaptureInfo& info = start.info;
  if (info.types.empty() || info.types.front().kind != TypeKind::Error) return "it has no table of types";
  for (const Type& type : info.types)
    if (std::string problem = inconsistency_of(info, type); !problem.empty()) return problem;
  if (ContainmentCheck{info.types}.has_circle()) return "a type contains itself";
  if (start.shapes.size() != info.probes.size()) return "a probe has no values";
  for (size_t i = 0; i < info.probes.size(); ++i) {
    const CapturedProbe& probe = info.probes[i];
    if (std::string problem = inconsistency_of(start.shapes[i]); !problem.empty()) return problem;
    if (probe.arg_count > start.shapes[i].word_count) return "an argument has no place";
    for (const std::vector<CapturedValue>* values : {&probe.args, &probe.others})
      for (const CapturedValue& value : *values)
        if (!has_type(info, value.type) || !has_place(start.shapes[i], value)) return "a value has no place";
  }
  return info.recordings.size() == 1 ? "" : "it has no clocks";
}

}  // namespace

std::string pack_start(CaptureStart start) { return pack(start); }
std::string pack_additions(CaptureAdditions additions) { return pack(additions); }

Result<CaptureStart> unpack_start(const std::string& content) {
  DS_TRY(CaptureStart start, unpack<CaptureStart>(content));
  if (std::string problem = inconsistency_of(start); !problem.empty()) return fail(Error(problem));
  return start;
}
Result<CaptureAdditions> unpack_additions(const std::string& content) { return unpack<CaptureAdditions>(content); }

}  // namespace dscope
