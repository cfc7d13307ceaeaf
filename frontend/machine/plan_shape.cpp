#include "frontend/machine/plan_shape.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "contract/buffers/buffer_policy.h"
#include "contract/process_provider.h"
#include "contract/stacks/stack_copy.h"
#include "frontend/machine/expression_shape.h"
#include "frontend/machine/machine_tables.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string field_text(const Field& field) {
  std::string text =
      fmt::format("{}@{}+{}{}{}{} {} {}", static_cast<int>(field.kind), field.offset, field.size,
                  field.is_signed ? "s" : "", field.is_char_array ? "c" : "", field.has_copy ? " copied" : "",
                  field.frames, field.kind == FieldKind::ProbeName ? static_cast<int>(field.probe_part) : 0);
  if (field.kind == FieldKind::Container) text += fmt::format(" part {}", static_cast<int>(field.container_part));
  for (const Field& variant : field.variants) text += fmt::format(" or ({})", field_text(variant));
  return text;
}

std::string fields_text(const std::vector<Field>& fields) {
  std::string text;
  for (const Field& field : fields) text += (text.empty() ? "" : ", ") + field_text(field);
  return text;
}

class PlanShape {
 public:
  PlanShape(const CompiledPlan& compiled, ValueSink& out)
      : compiled_(compiled), plan_(compiled.plan), layout_(compiled.layout), out_(out) {}

  void describe() {
    for (const ClausePlan& clause : plan_.clauses) describe(clause);
    for (const AggregationPlan& aggregation : plan_.aggregations) describe(aggregation);
    for (const MapPlan& map : plan_.maps) describe(map);
    for (const VariableLocation& variable : layout_.variables) describe(variable);
    describe_layout();
    for (size_t i = 0; i < layout_.programs.size(); ++i) describe(i);
    out_.value(&plan_.probes, "number of probes", plan_.probes.size());
    if (!layout_.error_clauses.empty()) describe_error_row();
    describe_members();
  }

 private:
  void describe(const ClausePlan& clause) {
    out_.line(fmt::format("clause {} {}: {}record of {} bytes{}", clause.number, clause.function,
                          clause.has_record ? "row, " : "", clause.record_size,
                          clause.is_error_clause ? ", of ERROR" : ""));
    for (const ActionPlan& action : clause.actions)
      out_.line(fmt::format("{}(): {}; runs at {}, ends at {}", row(action.action).name, fields_text(action.fields),
                            action.ran_offset, action.counted_end));
    for (const UpdatePlan& update : clause.updates)
      out_.line(fmt::format("update of {}: {}; {}; runs at {}", update.aggregation, fields_text(update.fields),
                            fmt::join(update.variants, " "), update.ran_offset));
  }

  void describe(const MapPlan& map) {
    out_.line(fmt::format("map {}: kind {}, keys of {} bytes, values of {} bytes", map.name, static_cast<int>(map.kind),
                          map.key_size, map.value_size));
    if (map.kind != MapKind::RingTable) return;
    out_.value(&map.rings, "mask of ring numbers", map.rings - 1);
    out_.value(&map.cpus_per_ring, "shift from CPUs to rings", std::bit_width(map.cpus_per_ring) - 1);
  }

  void describe(const AggregationPlan& plan) {
    out_.line(fmt::format("aggregation @{} {} in {} {}: keys {}; {} {} {} {} {} {} {} {} {} {} {} {} {} {}", plan.name,
                          row(plan.function).name, plan.map, plan.short_map, fields_text(plan.keys), plan.key_size,
                          plan.is_cpu_in_key, plan.data_words, plan.has_state_word, plan.value_size, plan.is_recorded,
                          plan.short_key_size, plan.map_key_size, plan.map_value_size, plan.shares_map, plan.number,
                          plan.generation_offset, plan.has_generation, fmt::join(plan.parameters, " ")));
  }

  void describe(const VariableLocation& variable) {
    out_.line(fmt::format("variable in {}{} at {}+{}: keys {}, {} bytes, values of {} bytes, number {}",
                          static_cast<int>(variable.kind), variable.map, variable.offset, variable.size,
                          fields_text(variable.keys), variable.key_size, variable.map_value_size,
                          variable.number ? static_cast<int64_t>(*variable.number) : -1));
  }

  void describe_layout() {
    const SavedStack& saved = layout_.saved_stack;
    out_.line(
        fmt::format("storage: scratch {}, thread {}, globals {}, strtok {}, {} {}, stacks {} {} {}, errors {}, {}",
                    layout_.scratch_reserved, layout_.task_size, layout_.globals_size, layout_.strtok_offset,
                    layout_.dynamic_limit, layout_.dynamic_count, saved.frames, saved.has_copy, saved.kernel_frames,
                    fmt::join(layout_.error_clauses, " "), layout_.outlines_clauses ? "functions" : "one function"));
    out_.line(fmt::format("processor {}", layout_.architecture->name));
    out_.line(fmt::format("instructions of version {}", plan_.is_cpu_v4 ? 4 : 3));
    out_.value(&layout_.scratch_groups, "mask of CPUs that have scratch slots of their own",
               layout_.scratch_groups - 1);
    out_.line(layout_.pid_namespace != 0 ? "a namespace of processes" : "the first namespace of processes");
    if (layout_.pid_namespace == 0) return;
    out_.value(&layout_.pid_namespace_device, "device of the process namespace", layout_.pid_namespace_device);
    out_.value(&layout_.pid_namespace, "process namespace", layout_.pid_namespace);
  }

  void describe(size_t index) {
    const BpfProgramPlan& program = plan_.programs[index];
    const ProgramLayout& layout = layout_.programs[index];
    const Hook& hook = program.attachments.front().hook;
    out_.line(fmt::format("program {}: context {}, rows by {}{}{}{}{}{}{}{}, activity {}, position {}, stacks {} {} {}",
                          program.symbol, static_cast<int>(program.context), static_cast<int>(program.row_source),
                          program.cookie_by_copy ? ", copied" : "", program.has_typed_context ? ", typed" : "",
                          layout.is_syscall ? ", system calls" : "", layout.is_return ? ", returns" : "",
                          layout.outlines_clauses ? ", functions" : "", layout.tracer_code.empty() ? "" : ", stacks",
                          layout.family != 0 ? ", a family" : "", layout.expected_activity,
                          static_cast<int>(layout.position), layout.saved_stack.frames, layout.saved_stack.has_copy,
                          layout.saved_stack.kernel_frames));
    describe(hook);
    if (layout.only_process != 0) out_.value(&layout.only_process, "process of a probe", layout.only_process);
    if (layout.family != 0) out_.value(&layout.family, "process of a probe", layout.family);
    out_.line(layout.only_process != 0 ? "one process" : "all processes");
    if (!layout.tracer_code.empty())
      out_.line(fmt::format("{} ranges of tracer code", tracer_range_count(layout, TableSize::Portable)));
    for (size_t i = 0; i < layout.raw_args.size(); ++i)
      out_.line(source_shape(layout.raw_args[i], fmt::format("arg{} of {}", i, program.symbol), out_));
    for (const PlacedVariable& variable : layout.variables)
      out_.line(fmt::format("traced variable{}", place_text(variable)));
    if (layout.derived != nullptr) describe(*layout.derived);
    describe_rows(index);
  }

  void describe_error_row() {
    auto is_error = [](const Probe* probe) { return has_role(*probe, HookTestRun::Role::Error); };
    auto found = std::ranges::find_if(layout_.row_probes, is_error);
    if (found == layout_.row_probes.end()) return;
    auto row = static_cast<size_t>(found - layout_.row_probes.begin());
    out_.value(&layout_.row_probes, "number of a probe", row);
    out_.value(&plan_.probes[row].id, "id of a probe", plan_.probes[row].id);
  }

  void describe(const Hook& hook) {
    if (const auto* function = std::get_if<HookFunction>(&hook))
      out_.line(fmt::format("a function's {}{}", function->is_return ? "return" : "entry",
                            function->mechanism == FunctionMechanism::Security ? ", a security hook" : ""));
    if (const auto* iterator = std::get_if<HookIterator>(&hook))
      out_.line(fmt::format("iterator over {}: {}; {}", iterator->target, fmt::join(iterator->objects, " "),
                            iterator->subject ? static_cast<int>(*iterator->subject) : -1));
  }

  void describe(const DerivedProbe& derived) {
    out_.line(fmt::format("derived, order {}, thread {}, {} and {} arguments", derived.derivation->order,
                          derived.derivation->subject ? static_cast<int>(*derived.derivation->subject) : -1,
                          derived.arguments.size(), derived.raw_arguments.size()));
  }

  // The rows themselves are values. Whether a clause list has one row or several is part of the shape.
  void describe_rows(size_t index) {
    const ProgramLayout& layout = layout_.programs[index];
    for (size_t list = 0; list < layout.lists.size(); ++list) {
      std::vector<uint32_t> rows;
      for (size_t i = 0; i < layout.rows.size(); ++i)
        if (layout.lists.size() == 1 || layout.list_of_row[i] == list) rows.push_back(static_cast<uint32_t>(i));
      out_.line(fmt::format("clauses {} for {}", fmt::join(layout.lists[list], " "),
                            rows.size() == 1 ? "one probe" : "several probes"));
      describe_names(layout, rows);
      if (layout.is_syscall) describe_arguments(layout, rows);
      if (rows.size() != 1) continue;
      const ProbePlan& probe = plan_.probes[layout.rows[rows[0]]];
      out_.value(&layout.rows[rows[0]], "number of a probe", layout.rows[rows[0]]);
      out_.value(&probe.id, "id of a probe", probe.id);
    }
    if (plan_.programs[index].row_source != RowSource::Table) return;
    out_.line(fmt::format("{} system calls", syscall_key_limit(layout, TableSize::Portable)));
    for (size_t i = 0; i < layout.calls.size(); ++i)
      for (const SyscallCondition& condition : layout.calls[i].conditions)
        out_.line(fmt::format("system call {} in row {} if argument {} {} {} {}", layout.calls[i].number, i,
                              condition.argument, condition.is_in_memory, condition.bits, condition.has_some));
  }

  void describe_names(const ProgramLayout& layout, const std::vector<uint32_t>& rows) {
    bool is_numbered = !rows.empty() && is_of_all_processes(plan_.probes[layout.rows[rows[0]]].provider);
    std::string text = is_numbered ? "names with a process:" : "names:";
    for (ProbePart part : {ProbePart::Provider, ProbePart::Module, ProbePart::Function, ProbePart::Name})
      text += fmt::format(" {} bytes", probe_text_width(plan_, part, TableSize::Portable));
    out_.line(text);
  }

  // The positions in which the system calls of a list have each argument.
  void describe_arguments(const ProgramLayout& layout, const std::vector<uint32_t>& rows) {
    constexpr uint32_t positions = 6;
    if (layout.calls.empty()) return;
    for (uint32_t position = 0; position < positions; ++position) {
      std::set<uint32_t> used;
      for (uint32_t i : rows) {
        const std::vector<uint8_t>& order = layout.calls[i].order;
        used.insert(order.empty() ? position : position < order.size() ? order[position] : HookSyscall::no_argument);
      }
      if (used.size() != 1 || *used.begin() != position)
        out_.line(fmt::format("argument {} at {}", position, fmt::join(used, " ")));
    }
  }

  void describe_members() {
    for (const TaskMember& member : compiled_.task_members) {
      out_.line(fmt::format("struct task_struct.{}: {} bytes{}", member.path, member.size,
                            member.is_pointer ? ", pointer" : ""));
      out_.value(&member, "offset of struct task_struct." + member.path, member.offset);
    }
    for (const ObjectMember& member : compiled_.object_members) {
      out_.line(member.path);
      out_.value(&member, "offset of " + member.path, member.offset);
    }
    auto presence = [&](bool is_present, std::string_view what) {
      out_.line(fmt::format("{} {}", is_present ? "has" : "lacks", what));
    };
    presence(compiled_.route_layout.has_value(), "local routes");
    presence(compiled_.path_layout.has_value(), "paths");
    presence(compiled_.memory_layout.has_value(), "page tables");
    if (compiled_.path_layout) {
      out_.value(&compiled_.path_layout->path_mount, "offset of struct path.mnt", compiled_.path_layout->path_mount);
      out_.value(&compiled_.path_layout->path_dentry, "offset of struct path.dentry",
                 compiled_.path_layout->path_dentry);
    }
    if (compiled_.cpu_table_row == 0) return;
    out_.line(fmt::format("rows of {} bytes for each CPU", compiled_.cpu_table_row));
    out_.value(&compiled_.cpu_table, "number of CPUs", compiled_.cpu_table.size() / compiled_.cpu_table_row);
  }

  const CompiledPlan& compiled_;
  const ProgramPlan& plan_;
  const Layout& layout_;
  ValueSink& out_;
};

}  // namespace

void describe_options(const Semantics& meaning, const OptionValues& options, ValueSink& out) {
  for (OptionId id : {OptionId::Scratchsize, OptionId::Cpu, OptionId::Maxframes, OptionId::Nspec, OptionId::Specsize,
                      OptionId::Strsize})
    out.line(fmt::format("option {}={}{}", row(id).name, options.number(id), options.is_set(id) ? ", set" : ""));
  bool is_fill = buffer_policy(options) == BufferPolicy::Fill;
  out.line(fmt::format("buffer policy fill: {}", is_fill ? buffer_size(options) : 0));
  out.line(fmt::format("stack copies of {} and {} bytes", stack_copy_bytes(options), saved_copy_bytes(options)));
  out.line(fmt::format("dialect {}", meaning.dialect.emulates_solaris_names() ? "solaris" : "linux"));
}

void describe_plan(const CompiledPlan& compiled, ValueSink& out) { PlanShape(compiled, out).describe(); }

}  // namespace dscope
