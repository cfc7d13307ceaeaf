#include "contract/buffers/ring_groups.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

std::optional<RingGroups> groups_of(uint32_t cpus, int64_t ringcpus = -1) {
  OptionValues options;
  options.set_number(OptionId::Ringcpus, ringcpus);
  return ring_groups(options, MachineFacts{.cpu_count = cpus, .online_cpu_count = cpus});
}

TEST(RingGroups, SmallMachinesHaveOneRing) {
  for (uint32_t cpus : {1U, 2U, 8U}) EXPECT_FALSE(groups_of(cpus).has_value()) << cpus;
}

TEST(RingGroups, LargeMachinesHaveARingForEightCpus) {
  for (auto [cpus, rings] : {std::pair{9U, 2U}, {16U, 2U}, {64U, 8U}, {96U, 16U}, {1024U, 128U}}) {
    auto groups = groups_of(cpus);
    ASSERT_TRUE(groups.has_value()) << cpus;
    EXPECT_EQ(groups->rings, rings) << cpus;
    EXPECT_EQ(groups->cpus_per_ring, 8U) << cpus;
  }
}

TEST(RingGroups, LimitTheNumberOfRings) {
  auto groups = groups_of(4096);
  ASSERT_TRUE(groups.has_value());
  EXPECT_EQ(groups->rings, max_rings);
  EXPECT_EQ(groups->cpus_per_ring, 32U);
}

TEST(RingGroups, FollowTheOption) {
  EXPECT_FALSE(groups_of(1024, 0).has_value());
  EXPECT_EQ(groups_of(2, 1)->rings, 2U);
  EXPECT_EQ(groups_of(2, 8)->rings, 1U);
  EXPECT_EQ(groups_of(16, 3)->cpus_per_ring, 4U);
  EXPECT_EQ(groups_of(1, 65536)->rings, 1U);
}

TEST(RingGroups, EachCpuHasARing) {
  RingGroups groups{.rings = 4, .cpus_per_ring = 8};
  EXPECT_EQ(ring_of_cpu(groups, 7), 0U);
  EXPECT_EQ(ring_of_cpu(groups, 8), 1U);
  EXPECT_EQ(ring_of_cpu(groups, 31), 3U);
  EXPECT_EQ(ring_of_cpu(groups, 32), 0U);  // came online later
}

}  // namespace
}  // namespace dscope
