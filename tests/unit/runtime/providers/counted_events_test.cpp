// Names of counted perf events, including those that a device describes in sysfs.
#include "runtime/providers/counted_events.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace dscope {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream{path} << text << '\n';
}

TEST(CountedEvents, FindsSoftwareAndGenericEvents) {
  auto faults = find_counted_event("page_faults");
  ASSERT_TRUE(faults);
  EXPECT_EQ(faults->type, uint32_t{PERF_TYPE_SOFTWARE});
  EXPECT_EQ(faults->min_period, 1U);
  EXPECT_GT(find_counted_event("cpu_clock")->min_period, 1000U);
  EXPECT_EQ(find_counted_event("instructions")->type, uint32_t{PERF_TYPE_HARDWARE});
  EXPECT_EQ(find_counted_event("PAPI_tot_ins")->config, find_counted_event("instructions")->config);
  EXPECT_EQ(find_counted_event("ref_cpu_cycles")->config, uint64_t{PERF_COUNT_HW_REF_CPU_CYCLES});
  for (const auto& names : {software_event_names(), hardware_event_names()})
    for (const std::string& name : names) EXPECT_TRUE(find_counted_event(name)) << name;
}

TEST(CountedEvents, FindsCacheEvents) {
  auto misses = find_counted_event("dtlb_store_misses");
  ASSERT_TRUE(misses);
  EXPECT_EQ(misses->type, uint32_t{PERF_TYPE_HW_CACHE});
  EXPECT_EQ(misses->config, uint64_t{PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_WRITE << 8 |
                                     PERF_COUNT_HW_CACHE_RESULT_MISS << 16});
  EXPECT_EQ(find_counted_event("l1d_loads")->config, 0U);
  EXPECT_FALSE(find_counted_event("l9d_loads"));
  EXPECT_FALSE(find_counted_event("l1d_eats"));
  EXPECT_FALSE(find_counted_event("l1d"));
}

TEST(CountedEvents, ParsesRawEvents) {
  EXPECT_EQ(find_counted_event("r1a2b")->config, 0x1a2bU);
  EXPECT_EQ(find_counted_event("r1a2b")->type, uint32_t{PERF_TYPE_RAW});
  EXPECT_FALSE(find_counted_event("r"));
  EXPECT_FALSE(find_counted_event("rxyz"));
}

TEST(CountedEvents, FindsDeviceEvents) {
  std::filesystem::path devices =
      std::filesystem::path{testing::TempDir()} / ("event_devices_" + std::to_string(::getpid()));
  write(devices / "power-unit.0/type", "17");
  write(devices / "power-unit.0/format/event", "config:0-7,32-35");
  write(devices / "power-unit.0/format/umask", "config:8-15");
  write(devices / "power-unit.0/format/inv", "config:23");
  write(devices / "power-unit.0/format/other", "config1:0-7");
  write(devices / "power-unit.0/events/energy.all-cores", "event=0x3c2,umask=1,inv");
  write(devices / "power-unit.0/events/strange", "other=1");
  write(devices / "power-unit.0/events/broken", "event=zz");
  auto energy = find_counted_event("power_unit_0_energy_all_cores", devices);
  ASSERT_TRUE(energy);
  EXPECT_EQ(energy->type, 17U);
  EXPECT_EQ(energy->config, 0x3'0080'01c2U);
  EXPECT_FALSE(find_counted_event("power_unit_0_strange", devices));
  EXPECT_FALSE(find_counted_event("power_unit_0_broken", devices));
  EXPECT_FALSE(find_counted_event("power_unit_0_missing", devices));
  std::filesystem::remove_all(devices);
}

TEST(CountedEvents, ParsesCounts) {
  EXPECT_EQ(read_event_count("5000"), 5000U);
  for (const char* text : {"", "0", "-1", "1x", "99999999999999999999", "9223372036854775808"})
    EXPECT_FALSE(read_event_count(text)) << text;
}

}  // namespace
}  // namespace dscope
