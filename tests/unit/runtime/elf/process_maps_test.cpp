// Memory mappings of processes.
#include "runtime/elf/process_maps.h"

#include <gtest/gtest.h>

#include "support/format.h"

namespace dscope::test {
namespace {

TEST(ProcessMaps, Parses) {
  ProcessMaps maps = ProcessMaps::parse(
      "55d0c0a00000-55d0c0a02000 r-xp 00002000 08:01 1234                       /usr/bin/my prog (deleted)\n"
      "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n"
      "7fff00000000-7fff00002000 r-xp 00000000 00:00 0                          [vdso]\n");
  ASSERT_EQ(maps.mappings().size(), 3u);
  const Mapping* prog = maps.find(0x55d0c0a01fff);
  ASSERT_TRUE(prog);
  EXPECT_EQ(prog->object_name(), "my prog");
  EXPECT_TRUE(prog->is_deleted);
  EXPECT_EQ(prog->offset, 0x2000u);
  EXPECT_EQ(prog->device, "08:01");
  EXPECT_EQ(prog->inode, 1234u);
  EXPECT_EQ(maps.find(0x55d0c0a02000), nullptr);
  EXPECT_EQ(maps.find(0x7f0000000000)->object_name(), "");
  EXPECT_EQ(maps.find(0x7fff00000000)->object_name(), "[vdso]");
}

TEST(ProcessMaps, NewMappingsSplitOldOnes) {
  ProcessMaps maps = ProcessMaps::parse("1000-5000 r-xp 00000000 08:01 1 /old\n7000-8000 r-xp 00000000 08:01 2 /far\n");
  auto text = [&] {
    std::string result;
    for (const Mapping& mapping : maps.mappings())
      result += fmt::format("{:x}-{:x} {:x} {} ", mapping.start, mapping.end, mapping.offset, mapping.path);
    return result;
  };
  maps.add({.start = 0x2000, .end = 0x3000, .path = "/new"});
  EXPECT_EQ(text(), "1000-2000 0 /old 2000-3000 0 /new 3000-5000 2000 /old 7000-8000 0 /far ");
  maps.add({.start = 0x2800, .end = 0x7800, .path = "/wide"});
  EXPECT_EQ(text(), "1000-2000 0 /old 2000-2800 0 /new 2800-7800 0 /wide 7800-8000 800 /far ");
  maps.add({.start = 0, .end = 0x10000, .path = "/all"});
  EXPECT_EQ(text(), "0-10000 0 /all ");
}

}  // namespace
}  // namespace dscope::test
