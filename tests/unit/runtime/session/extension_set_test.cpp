// Programs that are added to a running session.
#include "runtime/session/extension_set.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "session_fixture.h"

namespace dscope::testing {
namespace {

TEST_F(SessionTest, AddedProgramsHaveACost) {
  ProgramPlan plan = make_plan();
  add_program(plan, "begin", begin_hook());
  BpfObject object = read_object("session");
  auto loaded = load_object(plan, object);
  ASSERT_TRUE(loaded) << loaded.error().message();
  ProgramCost counter;
  ExtensionSet extensions{plan, loaded->maps, -1};
  Extension extension{.plan = plan, .object = object};
  extension.plan.programs.clear();
  add_program(extension.plan, "tracepoint", HookTracepoint{.category = "syscalls", .name = "sys_enter_getppid"}, 8,
              BpfContext::Tracepoint);
  auto added = extensions.add(0, std::move(extension));
  ASSERT_TRUE(added) << added.error().message();
  RunCost cost;
  extensions.add_cost(counter, cost);
  uint64_t before = cost.firings;
  constexpr uint64_t calls = 5;
  for (uint64_t i = 0; i < calls; ++i) ::syscall(SYS_getppid);
  cost = {};
  extensions.add_cost(counter, cost);
  EXPECT_GE(cost.firings - before, calls);
  EXPECT_GT(cost.program_cpu_ns, 0U);
  extensions.detach();
}

}  // namespace
}  // namespace dscope::testing
