#include "driver/replay/native_program.h"

#include "codegen/lower/lower.h"
#include "contract/code_results.h"
#include "contract/types/member.h"
#include "frontend/semantics/walk.h"
#include "support/deep_stack.h"

namespace dscope {

namespace {

// Reads of kernel memory become calls, which find recorded memory. Keys stay on the stack, where they are cheap.
LowerOptions native_options() { return {.trusted_loads = false, .may_sleep = false, .confirms_callers = false}; }

NativeSymbols symbols_of(NativeMachine& machine) {
  return {.machine = &machine,
          .helper = [](uint32_t number) { return NativeMachine::helper(number); },
          .map = [&machine](std::string_view name) { return machine.map_symbol(name); },
          .image = machine.image()};
}

// Whether the program uses curthread or progenyof(), which read the type's members.
bool reads_curthread(const Semantics& meaning) {
  bool found = false;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    const Binding& binding = meaning.info(clause, expr).binding;
    const auto* variable = std::get_if<BuiltinVariable>(&binding);
    const auto* subroutine = std::get_if<Subroutine>(&binding);
    found |= variable != nullptr && *variable == BuiltinVariable::Curthread;
    found |= subroutine != nullptr && *subroutine == Subroutine::Progenyof;
  });
  return found;
}

// The members that the program itself may read.
ThreadLayout layout_of_thread(const Compilation& compilation, Host& host) {
  TypeTable& types = *compilation.meaning.types;
  std::optional<TypeId> thread = host.find_type(types, "", "struct task_struct");
  auto offset = [&](const char* name) -> std::optional<uint64_t> {
    auto member = thread ? find_member(host, types, *thread, name) : std::nullopt;
    if (!member) return std::nullopt;
    return member->bit_offset / 8;
  };
  return {.process = offset("tgid"),
          .thread = offset("pid"),
          .name = offset("comm"),
          .parent = offset("real_parent"),
          .process_of_parent = offset("tgid"),
          .leader = offset("group_leader")};
}

// The members that built-in variables read.
ThreadLayout layout_of_members(const CompiledPlan& compiled) {
  auto offset = [&](std::string_view path) -> std::optional<uint64_t> {
    for (const TaskMember& member : compiled.task_members)
      if (member.path == path) return member.offset;
    return std::nullopt;
  };
  return {.process = offset(task_path::process_id),
          .thread = offset(task_path::thread_id),
          .name = offset(task_path::name),
          .parent = offset("real_parent"),
          .process_of_parent = offset("real_parent.tgid")};
}

}  // namespace

Result<std::unique_ptr<NativeProgram>> make_native_program(const Compilation& compilation, Host& host) {
  DeepStack stack;
  const CompiledPlan& compiled = compilation.compiled;
  auto program = std::make_unique<NativeProgram>();
  IrModule ir = lower(compilation.sources, compilation.meaning, compiled, native_options());
  program->plan = compiled.plan;
  complete_plan(program->plan, ir, compiled.layout.cpu_count);
  DS_TRY(program->machine, NativeMachine::create(program->plan, compiled.layout.cpu_count));
  program->machine->set_thread_layout(reads_curthread(compilation.meaning) ? layout_of_thread(compilation, host)
                                                                           : layout_of_members(compiled));
  DS_TRY(program->code, NativeCode::compile(ir, symbols_of(*program->machine)));
  for (const BpfProgramPlan& each : program->plan.programs) {
    DS_TRY(NativeCode::Program code, program->code->find(each.symbol));
    program->programs.push_back(code);
  }
  return program;
}

}  // namespace dscope
