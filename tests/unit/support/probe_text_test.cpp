#include "support/probe_text.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(ProbeText, DescriptionsEndBeforePredicatesAndActions) {
  EXPECT_EQ(descriptions_of("BEGIN"), "BEGIN");
  EXPECT_EQ(descriptions_of("syscall::read:entry, tick-1s { }"), "syscall::read:entry, tick-1s ");
  EXPECT_EQ(descriptions_of("syscall::read:entry/pid == 1/{ }"), "syscall::read:entry");
  EXPECT_EQ(descriptions_of("BEGIN;"), "BEGIN");
}

TEST(ProbeText, ModulesCanBePaths) {
  EXPECT_EQ(descriptions_of("pid1:/lib/libc.so.6:malloc:entry/arg0/{ }"), "pid1:/lib/libc.so.6:malloc:entry");
  EXPECT_EQ(descriptions_of("BEGIN,uprobe:./a.out:main:entry{ }"), "BEGIN,uprobe:./a.out:main:entry");
  EXPECT_EQ(path_in_description("pid1:/lib/x:", 5), 6U);
  EXPECT_EQ(path_in_description(":f:/lib/x:", 3), 6U);
}

TEST(ProbeText, PredicatesAreNotPaths) {
  EXPECT_EQ(path_in_description("a:b/x ? c:d/", 3), 0U);
  EXPECT_EQ(path_in_description("a:b:c:/d/e:f", 6), 0U);
  EXPECT_EQ(path_in_description("a:// x:", 2), 0U);
  EXPECT_EQ(path_in_description("a:/x", 2), 0U);
  EXPECT_EQ(path_in_description(":/x:", 1), 0U);
}

}  // namespace
}  // namespace dscope
