// Tools for programs that the machine may lack: a trigger plays them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/e2e/tools/tool_runs.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

TEST(ProgramTools, NodegcFindsNodeInThePath) {
  SKIP_UNLESS_TRACING();
  const fs::path folder = testing::TempDir() + "dscope_node" + std::to_string(::getpid());
  fs::create_directories(folder);
  fs::copy_file(DSCOPE_TRIGGERS "/servers", folder / "node");
  Outcome outcome = dscope({"-s", tool_script("nodegc"), "--", folder / "node", "node", "4"},
                           {"PATH=" + folder.string() + ":" + std::getenv("PATH")});
  fs::remove_all(folder);
  EXPECT_EQ(matches(outcome.out, " node +mark-compact +[0-9]+\n"), 4) << outcome.out << outcome.err;
  EXPECT_EQ(matches(outcome.out, " node +scavenge +[0-9]+\n"), 4) << outcome.out;
}

TEST(ProgramTools, MysqlslowerKnowsTheFunctionOfMysql) {
  SKIP_UNLESS_TRACING();
  Tool tool = tool_named("mysqlslower");
  tool.command = "%T/servers mysql 3";
  Outcome outcome = run_tool(tool);
  EXPECT_EQ(matches(outcome.out, tool.expected), tool.count) << outcome.out << outcome.err;
}

// The first of the queries sleeps.
TEST(ProgramTools, PgslowerShowsSlowQueries) {
  SKIP_UNLESS_TRACING();
  Tool tool = tool_named("pgslower");
  tool.arguments = {"--min=2ms"};
  Outcome outcome = run_tool(tool);
  EXPECT_EQ(matches(outcome.out, " select 0\n"), 1) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
