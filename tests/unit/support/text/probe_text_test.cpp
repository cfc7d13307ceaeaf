#include "support/text/probe_text.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(ProbeText, DescriptionsEndBeforePredicatesAndActions) {
  EXPECT_EQ(leading_descriptions("BEGIN"), "BEGIN");
  EXPECT_EQ(leading_descriptions("syscall::read:entry, tick-1s { }"), "syscall::read:entry, tick-1s ");
  EXPECT_EQ(leading_descriptions("syscall::read:entry/pid == 1/{ }"), "syscall::read:entry");
  EXPECT_EQ(leading_descriptions("BEGIN;"), "BEGIN");
}

TEST(ProbeText, ModulesCanBePaths) {
  EXPECT_EQ(leading_descriptions("pid1:/lib/libc.so.6:malloc:entry/arg0/{ }"), "pid1:/lib/libc.so.6:malloc:entry");
  EXPECT_EQ(leading_descriptions("BEGIN,uprobe:./a.out:main:entry{ }"), "BEGIN,uprobe:./a.out:main:entry");
  EXPECT_EQ(path_length_at("pid1:/lib/x:", 5), 6U);
  EXPECT_EQ(path_length_at(":f:/lib/x:", 3), 6U);
}

TEST(ProbeText, PredicatesAreNotPaths) {
  EXPECT_EQ(path_length_at("a:b/x ? c:d/", 3), 0U);
  EXPECT_EQ(path_length_at("a:b:c:/d/e:f", 6), 0U);
  EXPECT_EQ(path_length_at("a:// x:", 2), 0U);
  EXPECT_EQ(path_length_at("a:/x", 2), 0U);
  EXPECT_EQ(path_length_at(":/x:", 1), 0U);
}

}  // namespace
}  // namespace dscope
