// Bundles: reading gives what was written, and input from strangers is refused with a sentence.
#include "archive/bundle.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

Bundle bundle_of(ProgramPlan plan) {
  return {.notices = {"a notice"}, .plan = std::move(plan), .object = {.bytes = {'\x7f', 'E', 'L', 'F', '\0', '\1'}}};
}

ProgramPlan golden_plan(const char* name) {
  CompiledText compiled(fs::path(DSCOPE_GOLDEN_DIR) / "plan" / name);
  EXPECT_FALSE(compiled.failed()) << compiled.problem();
  return compiled.plan();
}

std::string message_of(const Result<Bundle>& result) { return result ? "no error" : result.error().message(); }

class GoldenPlan : public ::testing::TestWithParam<fs::path> {};

TEST_P(GoldenPlan, IsReadAsItWasWritten) {
  CompiledText compiled(GetParam());
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  Bundle bundle = bundle_of(compiled.plan());
  std::string bytes = pack_bundle(bundle);
  auto read = unpack_bundle(bytes);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(dump_plan(read->plan), dump_plan(bundle.plan));
  EXPECT_EQ(read->object.bytes, bundle.object.bytes);
  EXPECT_EQ(read->notices, bundle.notices);
  // Contains what dump_plan() does not print.
  EXPECT_EQ(pack_bundle(*read), bytes);
  EXPECT_EQ(plan_as_json(read->plan), plan_as_json(bundle.plan));
}

TEST_P(GoldenPlan, IsValidJson) {
  CompiledText compiled(GetParam());
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  ProgramPlan plan = compiled.plan();
  nlohmann::json json = nlohmann::json::parse(plan_as_json(plan)).at("plan");
  EXPECT_EQ(json.at("clauses").size(), plan.clauses.size());
  EXPECT_EQ(json.at("probes").size(), plan.probes.size());
  ASSERT_FALSE(plan.maps.empty());
  EXPECT_EQ(json.at("maps").at(0).at("name"), plan.maps[0].name);
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenPlan, ::testing::ValuesIn(golden_inputs("plan")), golden_test_name);

TEST(BundleTest, OptionsSurvive) {
  ProgramPlan plan = golden_plan("aggregations.d");
  ASSERT_TRUE(plan.options.set("strsize", "1k", true, OptionOrigin::CommandLine));
  ASSERT_TRUE(plan.options.set("bufpolicy", "ring", true, OptionOrigin::CommandLine));
  ASSERT_TRUE(plan.options.set("quiet", "", false, OptionOrigin::CommandLine));
  plan.options.set_data_model(DataModel::Ilp32);
  auto read = unpack_bundle(pack_bundle(bundle_of(plan)));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->plan.options.number(OptionId::Strsize), 1024);
  EXPECT_EQ(read->plan.options.text(OptionId::Bufpolicy), "ring");
  EXPECT_TRUE(read->plan.options.is_on(OptionId::Quiet));
  EXPECT_EQ(read->plan.options.data_model(), DataModel::Ilp32);
}

TEST(BundleTest, CutFilesAreRefused) {
  std::string bytes = pack_bundle(bundle_of(golden_plan("aggregations.d")));
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(unpack_bundle(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_EQ(message_of(unpack_bundle("")), "not a bundle");
  EXPECT_EQ(message_of(unpack_bundle("dscope bundle\n0000")), "the bundle is damaged: it is cut off");
}

TEST(BundleTest, ChangedBytesAreRefused) {
  std::string bytes = pack_bundle(bundle_of(golden_plan("aggregations.d")));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    ASSERT_FALSE(unpack_bundle(changed)) << i;
  }
  EXPECT_EQ(message_of(unpack_bundle(bytes + "x")), "the bundle is damaged: its checksum is wrong");
}

TEST(BundleTest, LaterFormatsAreRefused) {
  std::string bytes = pack_bundle(bundle_of(golden_plan("aggregations.d")));
  bytes.replace(std::string("dscope bundle\n").size(), 8, "00000063");
  EXPECT_EQ(message_of(unpack_bundle(bytes)),
            "a later release of dscope wrote the bundle: its format is 99, this release reads up to 4");
}

struct Mistake {
  const char* name;
  void (*make)(ProgramPlan& plan);
  const char* message;
};

class FalsePlan : public ::testing::TestWithParam<Mistake> {};

// The plan has two keyed aggregations, a printf() and an object that print() shows.
TEST_P(FalsePlan, IsRefused) {
  ProgramPlan plan = golden_plan("bundle.d");
  ASSERT_EQ(inconsistency(plan), "");
  GetParam().make(plan);
  EXPECT_EQ(message_of(unpack_bundle(pack_bundle(bundle_of(plan)))),
            std::string("the bundle is damaged: ") + GetParam().message);
}

ActionPlan& printf_of(ProgramPlan& plan) {
  for (ClausePlan& clause : plan.clauses)
    for (ActionPlan& action : clause.actions)
      if (action.action == Action::Printf) return action;
  ADD_FAILURE() << "no printf()";
  return plan.clauses[0].actions[0];
}

const Mistake mistakes[] = {
    {"Format", [](ProgramPlan& plan) { printf_of(plan).format = 9; }, "clause 0 refers to format 9 of 1"},
    {"NegativeFormat", [](ProgramPlan& plan) { printf_of(plan).format = -2; }, "clause 0 refers to format -2 of 1"},
    {"Value", [](ProgramPlan& plan) { plan.formats[0].pieces[0].field = 7; }, "clause 0 prints value 7 of 2"},
    {"Width", [](ProgramPlan& plan) { plan.formats[0].pieces[0].width = 1 << 20; }, "clause 0 prints 1048576 columns"},
    {"Field", [](ProgramPlan& plan) { printf_of(plan).fields[0].offset = 0xfffffff8; },
     "clause 0 has a field of 4 bytes at 4294967288 of 40"},
    {"Number", [](ProgramPlan& plan) { printf_of(plan).fields[0].size = 16; }, "clause 0 has a number of 16 bytes"},
    {"Record", [](ProgramPlan& plan) { plan.clauses[0].record_size = 0xffffffff; },
     "clause 0 has a record of 4294967295 bytes"},
    {"ClauseNumber", [](ProgramPlan& plan) { plan.clauses[0].number = 5; }, "clause 0 has the number 5"},
    {"KeySize", [](ProgramPlan& plan) { plan.aggregations[0].keys[0].size = 4096; },
     "aggregation reads has a field of 4096 bytes at 0 of 16"},
    {"ValueSize", [](ProgramPlan& plan) { plan.aggregations[0].data_words = 1 << 20; },
     "aggregation reads has values of 8 bytes for 1048576 words"},
    {"Map", [](ProgramPlan& plan) { plan.aggregations[0].map = "ds_none"; },
     "aggregation reads is in the map ds_none, which does not exist"},
    {"Levels", [](ProgramPlan& plan) { plan.aggregations[1].parameters[1] = 1 << 20; },
     "aggregation sizes has 1048576 levels in 12 words"},
    {"NoState",
     [](ProgramPlan& plan) { std::erase_if(plan.maps, [](const MapPlan& map) { return map.name == "ds_state"; }); },
     "it has no usable map ds_state"},
};

INSTANTIATE_TEST_SUITE_P(Bundle, FalsePlan, ::testing::ValuesIn(mistakes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace dscope
