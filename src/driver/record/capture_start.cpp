#include "driver/record/capture_start.h"

#include <algorithm>
#include <map>

#include "capture/type_export.h"
#include "support/check.h"

namespace dscope {

namespace {

class Describer {
 public:
  Describer(const Compilation& compilation, const RecordPlan& plan, Host& host)
      : compilation_(compilation), plan_(plan), host_(host), types_(*compilation.meaning.types) {}

  RecordedProgram run() {
    describe_machine();
    for (const ClauseInstance& clause : compilation_.meaning.clauses) {
      size_t group = plan_.group_of(clause.bound_to());
      if (group < plan_.groups.size() && !clause.never_runs) add_clause(plan_.groups[group], clause.number);
    }
    find_rows();
    find_snapshots();
    return std::move(result_);
  }

 private:
  CaptureInfo& info() { return result_.start.info; }

  void describe_machine() {
    info().descriptions = plan_.descriptions;
    info().strsize = types_.strsize();
    info().facts = host_.facts();
    info().cpus = host_.cpus();
    info().block_drivers = host_.block_drivers();
    info().dtrace_attributes = host_.provider_attributes("dtrace");
  }

  // The fields of the clause's record, and the shape that its probes share.
  void add_clause(const RecordedGroup& group, uint32_t number) {
    const ClausePlan& clause = compilation_.compiled.plan.clauses[number];
    DS_CHECK(clause.actions.size() == group.values.size());
    RecordedClause& layout = result_.layout.clauses.emplace_back();
    layout.clause = number;
    CapturedShape shape{.word_count = group.word_count, .columns = {}, .objects = {}};
    for (size_t i = 0; i < group.values.size(); ++i) {
      DS_CHECK(clause.actions[i].fields.size() == 1);
      place(group, group.values[i], clause.actions[i].fields.front(), layout, shape);
    }
    for (const Probe* probe : group.probes) add_probe(*probe, group, shape);
  }

  void place(const RecordedGroup& group, const RecordedValue& value, const Field& field, RecordedClause& layout,
             CapturedShape& shape) {
    switch (value.kind) {
      case RecordedKind::Time: layout.time = field; break;
      case RecordedKind::Pid: layout.pid = field; break;
      case RecordedKind::Tid: layout.tid = field; break;
      case RecordedKind::Ppid: layout.ppid = field; break;
      case RecordedKind::Uid: layout.uid = field; break;
      case RecordedKind::Gid: layout.gid = field; break;
      case RecordedKind::Execname: layout.execname = field; break;
      case RecordedKind::Errno: layout.error = field; break;
      case RecordedKind::KernelStack: layout.kernel_stack = field; break;
      case RecordedKind::UserStack: layout.user_stack = field; break;
      case RecordedKind::Word: add_column(layout, shape, field, {ColumnKind::Word, value.word}); break;
      case RecordedKind::UserText: add_column(layout, shape, field, {ColumnKind::Memory, value.word}); break;
      case RecordedKind::ObjectText:
        shape.objects.push_back({value.word, field.size});
        add_column(layout, shape, field, {ColumnKind::MemberMemory, value.word, 0, field.size});
        break;
      case RecordedKind::Member: add_member(group, value, field, layout, shape); break;
    }
  }

  static void add_column(RecordedClause& layout, CapturedShape& shape, const Field& field, CapturedColumn column) {
    layout.columns.push_back(field);
    shape.columns.push_back(column);
  }

  void add_member(const RecordedGroup& group, const RecordedValue& value, const Field& field, RecordedClause& layout,
                  CapturedShape& shape) {
    const std::vector<RecordedArg>& args = is_thread_object(value.word) ? group.thread_objects : group.args;
    auto arg = std::ranges::find(args, value.word, &RecordedArg::word);
    DS_CHECK(arg != args.end());
    auto object = types_.find(arg->object_type);
    auto found = object ? find_member_place(types_, *object, value.member) : std::nullopt;
    if (!found) return;
    if (std::ranges::find(shape.objects, value.word, &CapturedObjectShape::word) == shape.objects.end())
      shape.objects.push_back({value.word, static_cast<uint32_t>(types_.size_of(*object))});
    bool is_number = field.kind == FieldKind::Integer;
    auto size = static_cast<uint32_t>(types_.size_of(found->type));
    add_column(layout, shape, field,
               {is_number ? ColumnKind::MemberNumber : ColumnKind::MemberMemory, value.word, found->offset, size});
  }

  void add_probe(const Probe& probe, const RecordedGroup& group, const CapturedShape& shape) {
    index_of_[probe.id] = static_cast<uint32_t>(info().probes.size());
    CapturedProbe& captured = info().probes.emplace_back();
    captured.id = probe.id;
    captured.provider = probe.provider;
    captured.module = probe.module;
    captured.function = probe.function;
    captured.name = probe.name;
    captured.readable_function = probe.readable_function;
    captured.attributes = host_.provider_attributes(probe.provider);
    captured.hook = probe.sites.empty() ? probe.hook : probe.sites.front().hook;
    captured.is_system_call = probe.is_system_call;
    captured.is_process_function = probe.is_process_function;
    captured.has_typed_args = probe.has_typed_args;
    captured.arg_count = group.arg_count;
    host_.load_args(probe, *compilation_.meaning.types);
    for (uint32_t i = 0; i < group.args.size() && i < probe.args.size(); ++i)
      captured.args.push_back(describe_argument(i, probe.args[i], group));
    for (const RecordedArg& object : group.thread_objects)
      captured.others.push_back({.expression = std::string(variable_of(object.word)),
                                 .type_text = object.object_type + " *",
                                 .type = object_pointer(object, group),
                                 .name = {},
                                 .word = object.word});
    result_.start.shapes.push_back(shape);
  }

  static std::string_view variable_of(uint32_t word) {
    static_assert(thread_objects[0].word == captured_process_word && thread_objects[1].word == captured_thread_word);
    return std::ranges::find(thread_objects, word, &ThreadObject::word)->variable;
  }

  CapturedValue describe_argument(uint32_t index, const ProbeArg& argument, const RecordedGroup& group) {
    const RecordedArg& recorded = group.args[index];
    CapturedValue value{.expression = fmt::format("args[{}]", index),
                        .type_text = argument.translated_text.empty() ? argument.type_text : argument.translated_text,
                        .type = {},
                        .name = argument.name,
                        .word = recorded.word};
    if (recorded.word >= group.word_count) value.word = 0;  // not recorded: its type stays the error type
    else if (!recorded.object_type.empty()) value.type = object_pointer(recorded, group);
    else value.type = exported_.add(argument.type);
    return value;
  }

  TypeId object_pointer(const RecordedArg& arg, const RecordedGroup& group) {
    auto [known, is_new] = objects_.try_emplace(arg.object_type);
    auto object = types_.find(arg.object_type);
    if (!is_new || !object) return known->second;
    std::vector<std::string> members;
    for (const RecordedValue& value : group.values)
      if (value.kind == RecordedKind::Member && value.word == arg.word) members.push_back(value.member);
    return known->second = exported_.add_object_pointer(*object, members);
  }

  void find_rows() {
    for (const ProbePlan& row : compilation_.compiled.plan.probes) {
      auto found = index_of_.find(row.id);
      result_.layout.probe_of_row.push_back(found != index_of_.end() ? found->second : RecordingLayout::not_recorded);
    }
  }

  void find_snapshots() {
    for (const ClausePlan& clause : compilation_.compiled.plan.clauses)
      if (std::ranges::find(clause.actions, Action::Snapshot, &ActionPlan::action) != clause.actions.end())
        result_.layout.snapshot_clauses.push_back(clause.number);
  }

  const Compilation& compilation_;
  const RecordPlan& plan_;
  Host& host_;
  const TypeTable& types_;
  RecordedProgram result_;
  TypeExport exported_{types_, result_.start.info.types};
  std::map<std::string, TypeId> objects_;
  std::map<uint32_t, uint32_t> index_of_;  // id of the probe -> index in the capture
};

}  // namespace

RecordedProgram describe_recording(const Compilation& compilation, const RecordPlan& plan, Host& host) {
  return Describer{compilation, plan, host}.run();
}

}  // namespace dscope
