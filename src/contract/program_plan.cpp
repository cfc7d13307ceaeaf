// dump_plan(): the plan as text for --dump=plan and goldens, one line per program, attachment, clause, action, map and
// so on. enumerator(): names of the plan's enumerations.
#include "contract/program_plan.h"

#include <algorithm>

#include "support/check.h"
#include "support/descriptor_path.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string_view kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::Integer: return "integer";
    case FieldKind::String: return "string";
    case FieldKind::Bytes: return "bytes";
    case FieldKind::Stack: return "stack";
    case FieldKind::UserStack: return "ustack";
    case FieldKind::KernelAddr: return "kernel-address";
    case FieldKind::UserAddr: return "user-address";
    case FieldKind::ProbeName: return "probe-name";
    case FieldKind::Container: return "container";
  }
  DS_UNREACHABLE();
}

std::string_view kind_name(MapKind kind) {
  switch (kind) {
    case MapKind::Array: return "array";
    case MapKind::PerCpuArray: return "percpu-array";
    case MapKind::Hash: return "hash";
    case MapKind::PerCpuHash: return "percpu-hash";
    case MapKind::RingBuffer: return "ring";
    case MapKind::TaskStorage: return "task-storage";
    case MapKind::RingTable: return "ring-table";
    case MapKind::ChunkTable: return "chunk-table";
  }
  DS_UNREACHABLE();
}

std::string field_text(const Field& field) {
  std::string kinds;
  for (const Field& variant : field.variants) kinds += (kinds.empty() ? "" : " | ") + field_text(variant);
  return fmt::format("{}@{}+{}{}{}", kind_name(field.kind), field.offset, field.size,
                     field.kind == FieldKind::Integer && field.is_signed ? " signed" : "",
                     kinds.empty() ? "" : fmt::format(" of ({})", kinds));
}

std::string fields_text(const std::vector<Field>& fields) {
  std::string text;
  for (const Field& field : fields) text += (text.empty() ? "" : ", ") + field_text(field);
  return text;
}

std::string_view mechanism_name(const HookFunction& hook) {
  switch (hook.mechanism) {
    case FunctionMechanism::Trampoline: return hook.is_return ? "fexit" : "fentry";
    case FunctionMechanism::Multi: return hook.is_return ? "kretprobe.multi" : "kprobe.multi";
    case FunctionMechanism::Kprobe: return hook.is_return ? "kretprobe" : "kprobe";
    case FunctionMechanism::Security: return "security hook";
  }
  DS_UNREACHABLE();
}

std::string hook_text(const Hook& hook) {
  return std::visit(
      Overloaded{
          [](const HookTestRun& h) -> std::string {
            return h.role == HookTestRun::Role::Begin ? "test-run BEGIN"
                   : h.role == HookTestRun::Role::End ? "test-run END"
                                                      : "ERROR";
          },
          [](const HookTimer& h) { return fmt::format("timer every {} ns", h.period_ns); },
          [](const HookPerfClock& h) { return fmt::format("perf clock every {} ns on every cpu", h.period_ns); },
          [](const HookPerfEvent& h) {
            return fmt::format("perf event {}/0x{:x} every {}{}{}", h.type, h.config, h.period,
                               h.in_user ? " user" : "", h.in_kernel ? " kernel" : "");
          },
          [](const HookSyscall& h) {
            bool is_32bit = h.number >= HookSyscall::first_compat_number;
            return fmt::format("system call {} {}{}", is_32bit ? h.number - HookSyscall::first_compat_number : h.number,
                               is_32bit ? "of 32-bit programs " : "", h.is_return ? "return" : "entry");
          },
          [](const HookRawTracepoint& h) { return "raw tracepoint " + h.name; },
          [](const HookTracepoint& h) { return fmt::format("tracepoint {}:{}", h.category, h.name); },
          [](const HookFunction& h) {
            return fmt::format("{} {}:{}{}", mechanism_name(h), h.module, h.function,
                               h.offset != 0 ? fmt::format("+0x{:x}", h.offset) : "");
          },
          [](const HookIterator& h) { return "iterator " + h.target; },
          [](const HookWatch& h) {
            std::string owner = h.pid == 0 ? "the kernel" : fmt::format("process {}", h.pid);
            return fmt::format("watch {} bytes at 0x{:x} of {} for accesses {}", h.length, h.address, owner,
                               h.accesses);
          },
          [](const HookUprobe& h) {
            std::string owner = h.pid == 0 ? "every process" : fmt::format("process {}", h.pid);
            return fmt::format("{} {}+0x{:x} of {}", h.position == UprobePosition::Returned ? "uretprobe" : "uprobe",
                               resolve_descriptor_path(h.path), h.offset, owner);
          },
      },
      hook);
}

bool is_user_address(const Field& field) {
  return field.kind == FieldKind::UserStack || field.kind == FieldKind::UserAddr ||
         std::ranges::any_of(field.variants, is_user_address);
}

}  // namespace

Action printed_as(Action symbol) {
  if (symbol == Action::Func) return Action::Sym;
  return symbol == Action::Ufunc ? Action::Usym : symbol;
}

bool names_user_addresses(const ProgramPlan& plan) {
  for (const FormatPlan& format : plan.formats)
    for (const FormatPiece& piece : format.pieces)
      if (piece.conversion == 'A') return true;
  for (const AggregationPlan& aggregation : plan.aggregations)
    if (std::ranges::any_of(aggregation.keys, is_user_address)) return true;
  for (const ClausePlan& clause : plan.clauses)
    for (const ActionPlan& action : clause.actions)
      if (std::ranges::any_of(action.fields, is_user_address)) return true;
  return false;
}

std::string dump_plan(const ProgramPlan& plan) {
  std::string text;
  for (const BpfProgramPlan& program : plan.programs) {
    text += fmt::format("program {} for {}\n", program.symbol, program.name);
    for (const Attachment& attachment : program.attachments)
      text += fmt::format("  attach {} cookie {}{}\n", hook_text(attachment.hook), attachment.cookie,
                          program.has_typed_context ? " typed" : "");
  }
  for (const ClausePlan& clause : plan.clauses) {
    text += fmt::format("clause {} {}{}\n", clause.number, clause.description,
                        clause.has_record ? fmt::format(" record {} bytes", clause.record_size) : "");
    for (const ActionPlan& action : clause.actions)
      text += fmt::format("  {}({})\n", row(action.action).name, fields_text(action.fields));
    for (const UpdatePlan& update : clause.updates)
      text +=
          fmt::format("  update of @{}({})\n", plan.aggregations[update.aggregation].name, fields_text(update.fields));
  }
  for (const IntervalMark& mark : plan.interval_marks)
    text +=
        fmt::format("interval {} {} with clause {}\n", mark.variable, mark.is_begin ? "begins" : "ends", mark.clause);
  for (const AggregationPlan& aggregation : plan.aggregations) {
    std::string percentiles;
    for (PercentileNumber each : aggregation.percentiles)
      percentiles += (percentiles.empty() ? "" : ", ") + percentile_text(each);
    text += fmt::format("aggregation @{} {}({})", aggregation.name, row(aggregation.function).name, percentiles);
    text += aggregation.is_recorded ? " by records\n"
            : aggregation.map.empty()
                ? " never updated\n"
                : fmt::format(
                      " keys ({}) key {} bytes value {} bytes{}\n", fields_text(aggregation.keys), aggregation.key_size,
                      aggregation.value_size,
                      aggregation.shares_map ? fmt::format(" number {} of {}", aggregation.number, aggregation.map)
                      : !aggregation.short_map.empty()
                          ? fmt::format(" short key {} bytes in {}", aggregation.short_key_size, aggregation.short_map)
                          : "");
  }
  for (const FormatPlan& format : plan.formats) text += fmt::format("format {} pieces\n", format.pieces.size());
  for (const PrintedType& type : plan.printed_types)
    text += fmt::format("printed type {} {} bytes {} members\n", type.name, type.size, type.members.size());
  for (const MapPlan& map : plan.maps)
    text += fmt::format("map {} {} key {} value {} entries {}{}\n", map.name, kind_name(map.kind), map.key_size,
                        map.value_size, map.max_entries,
                        map.rings != 0 ? fmt::format(" rings {} of {} cpus", map.rings, map.cpus_per_ring) : "");
  return text;
}

const std::string* enumerator(const PrintedType& type, int64_t value) {
  for (const TypeEnumerator& row : type.enumerators)
    if (row.value == value) return &row.name;
  // D reads all enums as signed, the kernel's unsigned enums too.
  for (const TypeEnumerator& row : type.enumerators)
    if (type.size == 4 && static_cast<uint32_t>(row.value) == static_cast<uint32_t>(value)) return &row.name;
  return nullptr;
}

std::string enumerator_text(const PrintedType& type, int64_t value) {
  const std::string* name = type.is_flag_set ? nullptr : enumerator(type, value);
  if (name != nullptr) return *name;
  std::string text;
  uint64_t rest = static_cast<uint64_t>(value) & (type.size >= 8 ? UINT64_MAX : (uint64_t{1} << type.size * 8) - 1);
  for (size_t i = 0; i < type.enumerators.size() && type.is_flag_set; ++i) {
    auto bits = static_cast<uint64_t>(type.enumerators[i].value);
    bool is_set = bits == 0 ? text.empty() : (rest & bits) == bits;
    if (is_set) text += (text.empty() ? "" : "|") + type.enumerators[i].name;
    if (is_set) rest &= ~bits;
  }
  if (!text.empty()) return rest == 0 ? text : fmt::format("{}|0x{:x}", text, rest);
  return type.is_signed || !type.is_flag_set ? fmt::format("{}", value) : fmt::format("{}", rest);
}

}  // namespace dscope
