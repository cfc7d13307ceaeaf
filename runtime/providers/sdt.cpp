// sdt provider: tracefs events with the fields of their records as arguments (providers.md 5.1). The fields come from
// the event's format file or, if tracefs cannot be read, from the BTF struct that is named like the event.
#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/event_format.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/kernel/tracefs.h"
#include "runtime/providers/tracepoint_provider.h"
#include "support/format.h"

namespace dscope {
namespace {

bool is_register_size(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

class SdtProvider final : public TracepointProvider {
 public:
  SdtProvider(Tracepoints& tracepoints, KernelTypes& kernel_types)
      : TracepointProvider(tracepoints), kernel_types_(kernel_types) {}

  std::string_view name() const override { return "sdt"; }

  std::string why_missing(const ProbeDescription& description) override {
    if (description.module == "syscalls") return "system calls are probes of their own provider: `syscall::NAME:entry`";
    auto events = read_tracefs("available_events");
    if (events || recorded_machine() != nullptr || description.provider != name()) return {};
    // Without tracefs, BTF names the tracepoints, but not their subsystems.
    std::string reason = events.error().message();
    return rows().empty() ? fmt::format("tracepoints are unknown: this kernel has no BTF, and {}", reason)
                          : fmt::format("the subsystems of tracepoints are unknown: {}", reason);
  }

  void load_args(Probe& probe, TypeTable& types) override {
    probe.raw_args.clear();
    auto format = read_tracefs(fmt::format("events/{}/{}/format", probe.module, probe.name));
    if (format)
      for (const EventField& field : read_event_format(*format)) add_arg(probe, types, field);
    else load_from_record_struct(probe, types);
  }

 private:
  const std::vector<Tracepoints::Row>& rows() override { return tracepoints_.events(); }
  Hook hook_of(const Probe& probe) const override { return HookTracepoint{probe.module, probe.name}; }

  void add_arg(Probe& probe, TypeTable& types, const EventField& field);
  void load_from_record_struct(Probe& probe, TypeTable& types);
  void add_member(Probe& probe, TypeTable& types, const TypeMember& member);

  KernelTypes& kernel_types_;
};

void SdtProvider::add_arg(Probe& probe, TypeTable& types, const EventField& field) {
  const DeclarationText& declaration = field.declaration;
  auto lookup = [&](const std::string& type_name) { return kernel_types_.find(types, "", type_name); };
  auto type = read_type_text(types, declaration.type, PointerSpace::Kernel, lookup);
  ArgSource source{.offset = field.offset, .size = field.size, .is_signed = field.is_signed};
  source.kind = declaration.is_data_loc             ? ArgSourceKind::RecordDataLoc
                : declaration.is_rel_loc            ? ArgSourceKind::RecordRelLoc
                : !declaration.array_suffix.empty() ? ArgSourceKind::RecordAddress
                : is_register_size(field.size)      ? ArgSourceKind::RecordField
                                                    : ArgSourceKind::RecordAddress;
  std::string text = declaration.type;
  if (source.kind != ArgSourceKind::RecordField) {
    // Arrays and strings in the record are passed by address, as an array decays in C.
    type = types.pointer_to(type.value_or(types.void_type()));
    text += text.ends_with('*') ? "*" : " *";
    if (source.kind == ArgSourceKind::RecordAddress) source.size = 8;
    source.is_signed = false;
  } else if (!type) {
    type = types.integer(field.size, field.is_signed);
  } else if (types.is_integer(*type)) {
    // The format file lists `char` and enums as unsigned; the C type is right.
    source.is_signed = types.is_signed_integer(*type);
  }
  probe.raw_args.push_back(source);
  probe.args.push_back({std::move(text), *type, declaration.name, source});
}

// struct trace_event_raw_X { struct trace_entry ent; <fields>; char __data[]; }
void SdtProvider::load_from_record_struct(Probe& probe, TypeTable& types) {
  auto record = kernel_types_.find(types, "", "struct trace_event_raw_" + probe.name);
  probe.has_typed_args = record.has_value();
  if (!record) return;
  kernel_types_.complete(types, *record);
  const std::vector<TypeMember> members = types.get(*record).members;
  for (const TypeMember& member : members)
    if (member.name != "ent" && member.name != "__data") add_member(probe, types, member);
}

void SdtProvider::add_member(Probe& probe, TypeTable& types, const TypeMember& member) {
  constexpr std::string_view data_loc = "__data_loc_", rel_loc = "__rel_loc_";
  TypeId type = types.resolve(member.type);
  ArgSource source{.offset = member.bit_offset / 8, .size = static_cast<uint32_t>(types.size_of(type))};
  TypeId arg_type = member.type;
  std::string_view name = member.name;
  bool is_data_loc = name.starts_with(data_loc), is_rel_loc = name.starts_with(rel_loc);
  if (is_data_loc || is_rel_loc) {
    source.kind = is_data_loc ? ArgSourceKind::RecordDataLoc : ArgSourceKind::RecordRelLoc;
    name.remove_prefix(is_data_loc ? data_loc.size() : rel_loc.size());
    arg_type = types.pointer_to(types.plain_char());
  } else if (types.is_scalar(type) && is_register_size(source.size)) {
    source.kind = ArgSourceKind::RecordField;
    source.is_signed = types.is_signed_integer(type);
  } else {
    source.kind = ArgSourceKind::RecordAddress;
    source.size = 8;
    arg_type = types.pointer_to(types.get(type).kind == TypeKind::Array ? types.get(type).base : member.type);
  }
  probe.raw_args.push_back(source);
  probe.args.push_back({types.spell(arg_type), arg_type, std::string{name}, source});
}

}  // namespace

std::unique_ptr<Provider> make_sdt_provider(Tracepoints& tracepoints, KernelTypes& kernel_types) {
  return std::make_unique<SdtProvider>(tracepoints, kernel_types);
}

}  // namespace dscope
