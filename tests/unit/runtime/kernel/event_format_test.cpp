// Parses the format files of tracefs.
#include "runtime/kernel/event_format.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

constexpr std::string_view format =
    "name: sample\nID: 7\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
    "\n"
    "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"
    "\tfield:__rel_loc u64[] list;\toffset:28;\tsize:4;\tsigned:0;\n"
    "\tfield:const char * reason;\toffset:32;\tsize:8;\tsigned:0;\n"
    "\tfield:long state;\toffset:40;\tsize:8;\tsigned:1;\n"
    "\n"
    "print fmt: \"field:%d;\toffset:1;\tsize:1;\", REC->state\n";

TEST(EventFormat, ReadsAllButTheCommonFields) {
  auto fields = read_event_format(format);
  ASSERT_EQ(fields.size(), 5U);
  EXPECT_EQ(fields[0].declaration.type, "char");
  EXPECT_EQ(fields[0].declaration.name, "comm");
  EXPECT_EQ(fields[0].declaration.array_suffix, "[16]");
  EXPECT_EQ(fields[0].offset, 8U);
  EXPECT_TRUE(fields[1].declaration.is_data_loc);
  EXPECT_EQ(fields[1].declaration.name, "name");
  EXPECT_TRUE(fields[2].declaration.is_rel_loc);
  EXPECT_EQ(fields[3].declaration.type, "const char *");
  EXPECT_TRUE(fields[4].is_signed);
  EXPECT_EQ(fields[4].size, 8U);
}

TEST(EventFormat, SkipsMalformedLines) {
  EXPECT_TRUE(read_event_format("").empty());
  EXPECT_TRUE(read_event_format("\tfield:int x\n\tfield:;\t\n;\tfield:\n").empty());
}

}  // namespace
}  // namespace dscope
