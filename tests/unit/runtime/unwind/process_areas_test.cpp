#include "runtime/unwind/process_areas.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace dscope::test {
namespace {

TEST(ProcessAreas, ReadsTheStartOfTheStack) {
  std::string numbers = "(name) with) 17) S";
  for (int field = 4; field < 28; ++field) numbers += " 1";
  EXPECT_EQ(stack_start_of("17 " + numbers + " 140737488347136 0 0"), 140737488347136U);
  EXPECT_EQ(stack_start_of("17 " + numbers), std::nullopt);
  EXPECT_EQ(stack_start_of("17 " + numbers + " 0 0"), std::nullopt) << "hidden without the privilege to read it";
  EXPECT_EQ(stack_start_of("gone"), std::nullopt);
  EXPECT_EQ(stack_start_of(""), std::nullopt);
}

TEST(ProcessAreas, HaveTablesOfTheirFiles) {
  std::vector<std::vector<uint32_t>> chunks;
  chunks.reserve(DS_UNWIND_MAX_CHUNKS);
  TableMemory memory{[&](uint32_t) { return std::span{chunks.emplace_back(DS_UNWIND_CHUNK_WORDS)}; }};
  ObjectTables tables{memory};
  auto pid = static_cast<uint32_t>(::getpid());
  std::optional<ProcessMaps> maps = ProcessMaps::read(pid);
  ASSERT_TRUE(maps);
  std::vector<ds_unwind_area> areas = areas_of(pid, *maps, tables);
  auto here = reinterpret_cast<uint64_t>(&stack_start_of);
  auto found =
      std::ranges::find_if(areas, [&](const ds_unwind_area& area) { return area.start <= here && here < area.end; });
  ASSERT_NE(found, areas.end());
  EXPECT_GT(found->page_count, 0U);
  EXPECT_LT((here - found->bias) >> DS_UNWIND_PAGE_BITS, found->page_count);
  uint64_t used = memory.used_bytes();
  areas_of(pid, *maps, tables);
  EXPECT_EQ(memory.used_bytes(), used) << "known files are not read again";
  EXPECT_EQ(is_64_bit(pid), true);
}

}  // namespace
}  // namespace dscope::test
