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

TEST(ProbePairs, LeaveOutTheProviderIo) {
  ProbePairs pairs;
  pairs.add({{"io", "", "", "start"}, {"io", "", "", "done"}});
  EXPECT_EQ(pairs.at(0).role, Role::None);
  EXPECT_EQ(pairs.at(7).role, Role::None);
}

}  // namespace
}  // namespace dscope
