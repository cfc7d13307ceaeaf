// Links and loads objects: subprograms, callbacks, constant tables, rejected programs.
#include "runtime/load/loader.h"

#include <bpf/bpf.h>

#include "runtime/attach/attach.h"
#include "tests/unit/runtime/session/session_fixture.h"

namespace dscope::testing {
namespace {

class LoaderTest : public SessionTest {
 protected:
  // Loads one program of an object and fires it with `cookie` as first context word. Returns ds_globals.
  Result<std::vector<uint64_t>> fire_once(const std::string& symbol, uint64_t cookie, bool is_copied = false) {
    ProgramPlan plan = make_plan();
    add_program(plan, symbol, begin_hook(), cookie).cookie_by_copy = is_copied;
    DS_TRY(LoadedObject loaded, load_object(plan, read_object("linking")));
    DS_TRY_VOID(fire({.program_fd = loaded.programs[0].fd.get(), .cookie = cookie, .name = symbol}));
    auto memory = loaded.maps.at("ds_globals").memory();
    std::vector<uint64_t> words(memory.size() / 8);
    std::memcpy(words.data(), memory.data(), memory.size());
    return words;
  }
};

TEST_F(LoaderTest, LinksSubprogramsCallbacksAndTables) {
  auto words = fire_once("sums", 1);
  ASSERT_TRUE(words) << words.error().message() << "\n" << words.error().hint_text();
  EXPECT_EQ((*words)[2], 38u);
  EXPECT_EQ((*words)[3], 2 * 1 + 5u);
  EXPECT_EQ((*words)[4], 200u);
}

TEST_F(LoaderTest, CookieIsPatchedIntoTheProgram) {
  auto words = fire_once("cookie", 0x1234567890abcdef, true);
  ASSERT_TRUE(words) << words.error().message();
  EXPECT_EQ((*words)[5], 0x1234567890abcdefu);
}

TEST_F(LoaderTest, UnknownNamesAreErrors) {
  auto function = fire_once("unknown_function", 0);
  ASSERT_FALSE(function);
  EXPECT_EQ(function.error().message(), "kernel function no_such_kernel_function not found");
  auto map = fire_once("unknown_map", 0);
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().message(), "the BPF object refers to ds_no_such_map, which is not a map of the plan");
  auto program = fire_once("no_such_program", 0);
  ASSERT_FALSE(program);
}

TEST_F(LoaderTest, KernelFunctionsAreFoundByBtf) {
  auto words = fire_once("kernel_function", 0);
  if (!words && words.error().message().find("not found") != std::string::npos) GTEST_SKIP() << words.error().message();
  ASSERT_TRUE(words) << words.error().message() << "\n" << words.error().hint_text();
  EXPECT_EQ((*words)[6], 66u);
}

TEST_F(LoaderTest, RejectionNamesProbeAndLine) {
  ProgramPlan plan = make_plan();
  add_program(plan, "refused", begin_hook());
  auto loaded = load_object(plan, read_object("refused"));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().hint_text().find("refused.bpf.c:11: "), std::string::npos);
  EXPECT_EQ(loaded.error().message(), "the kernel refused the program of test:::refused: Permission denied");
  EXPECT_EQ(loaded.error().error_number(), EACCES);
  EXPECT_NE(loaded.error().hint_text().find("ds_globals[0] = *address; /* the rejected line */"), std::string::npos)
      << loaded.error().hint_text();
  EXPECT_NE(loaded.error().hint_text().find("invalid mem access"), std::string::npos) << loaded.error().hint_text();
}

TEST_F(LoaderTest, AllTestProgramsLoad) {
  ProgramPlan plan = make_plan();
  for (const char* symbol : {"begin", "begin_exits", "end", "tick", "burst", "burst_tick", "discards", "enter"})
    add_program(plan, symbol, begin_hook());
  auto loaded = load_object(plan, read_object("session"));
  ASSERT_TRUE(loaded) << loaded.error().message() << "\n" << loaded.error().hint_text();
  EXPECT_EQ(loaded->programs.size(), 8u);
}

TEST_F(LoaderTest, CreatesEveryKindOfMap) {
  const MapPlan plans[] = {
      {.name = "array",
       .kind = MapKind::Array,
       .key_size = 4,
       .value_size = 16,
       .max_entries = 1,
       .is_mmapable = true,
       .initial = {1, 2, 3}},
      {.name = "percpu",
       .kind = MapKind::PerCpuArray,
       .key_size = 4,
       .value_size = 12,
       .max_entries = 1,
       .initial = {7}},
      {.name = "hash", .kind = MapKind::Hash, .key_size = 24, .value_size = 8, .max_entries = 10, .no_prealloc = true},
      {.name = "a_percpu_hash_with_a_long_name",
       .kind = MapKind::PerCpuHash,
       .key_size = 8,
       .value_size = 8,
       .max_entries = 10},
      {.name = "ring", .kind = MapKind::RingBuffer, .max_entries = 5000},
      {.name = "task", .kind = MapKind::TaskStorage, .key_size = 4, .value_size = 40},
  };
  for (const MapPlan& plan : plans) {
    auto map = BpfMap::create(plan);
    ASSERT_TRUE(map) << plan.name << ": " << map.error().message();
    if (plan.name == "ring") {
      EXPECT_EQ(map->max_entries(), 8192u);
    }
    if (plan.name == "array") {
      EXPECT_EQ(static_cast<int>(map->memory()[2]), 3);
    }
    if (plan.name == "percpu") {
      std::vector<uint8_t> values(16 * *possible_cpu_count());
      uint32_t key = 0;
      ASSERT_EQ(bpf_map_lookup_elem(map->fd(), &key, values.data()), 0);
      for (size_t i = 0; i < values.size(); i += 16) EXPECT_EQ(values[i], 7);
    }
  }
}

}  // namespace
}  // namespace dscope::testing
