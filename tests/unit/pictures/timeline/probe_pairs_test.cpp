// Probes that begin and end an interval.
#include "pictures/timeline/probe_pairs.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

using Role = PairedProbe::Role;

TEST(ProbePairs, AreOfOneFunction) {
  ProbePairs pairs;
  pairs.add({{"fbt", "vmlinux", "vfs_read", "entry"}, {"fbt", "vmlinux", "vfs_write", "return"}});
  EXPECT_EQ(pairs.at(0).role, Role::None);
  pairs.add({{"fbt", "vmlinux", "vfs_read", "return"}});
  EXPECT_EQ(pairs.at(0).role, Role::Begin);
  EXPECT_EQ(pairs.at(0).name, "vfs_read");
  EXPECT_EQ(pairs.at(1).role, Role::None);
  EXPECT_EQ(pairs.at(2).role, Role::End);
  EXPECT_EQ(pairs.at(2).pair, pairs.at(0).pair);
}

TEST(ProbePairs, HaveTheSameName) {
  ProbePairs pairs;
  pairs.add({{"ruby1", "ruby", "f", "gc-start"},
             {"ruby1", "ruby", "f", "load-done"},
             {"ruby1", "ruby", "f", "gc-done"},
             {"ruby1", "ruby", "f", "gc-end"},
             {"app1", "app", "", "begin"},
             {"app1", "app", "", "end"}});
  EXPECT_EQ(pairs.at(0).role, Role::Begin);
  EXPECT_EQ(pairs.at(0).name, "gc");
  EXPECT_EQ(pairs.at(1).role, Role::None);
  EXPECT_EQ(pairs.at(2).role, Role::End);
  EXPECT_EQ(pairs.at(3).role, Role::None);
  EXPECT_EQ(pairs.at(4).role, Role::Begin);
  EXPECT_EQ(pairs.at(4).name, "app1");
}

TEST(ProbePairs, ClausesPairByTheVariableTheySetAndClear) {
  ProbePairs pairs{{{.clause = 0, .name = "a", .is_begin = true},
                    {.clause = 1, .name = "b", .is_begin = true},
                    {.clause = 1, .name = "a"},
                    {.clause = 2, .name = "b"}}};
  ASSERT_EQ(pairs.of_clause(0).size(), 1U);
  EXPECT_EQ(pairs.of_clause(0)[0].role, Role::Begin);
  EXPECT_EQ(pairs.of_clause(0)[0].name, "a");
  // Ends come before beginnings.
  ASSERT_EQ(pairs.of_clause(1).size(), 2U);
  EXPECT_EQ(pairs.of_clause(1)[0].role, Role::End);
  EXPECT_EQ(pairs.of_clause(1)[0].pair, pairs.of_clause(0)[0].pair);
  EXPECT_EQ(pairs.of_clause(1)[1].role, Role::Begin);
  EXPECT_EQ(pairs.of_clause(2)[0].pair, pairs.of_clause(1)[1].pair);
  EXPECT_NE(pairs.of_clause(2)[0].pair, pairs.of_clause(0)[0].pair);
  EXPECT_TRUE(pairs.of_clause(3).empty());
}

TEST(ProbePairs, LeaveOutTheProviderIo) {
  ProbePairs pairs;
  pairs.add({{"io", "", "", "start"}, {"io", "", "", "done"}});
  EXPECT_EQ(pairs.at(0).role, Role::None);
  EXPECT_EQ(pairs.at(7).role, Role::None);
}

}  // namespace
}  // namespace dscope
