// Files for pprof and speedscope. tests/pictures decodes larger ones with programs of others.
#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"
#include "pictures/profile/pprof_profile.h"
#include "pictures/profile/speedscope_profile.h"

namespace dscope::test {
namespace {

RunModel model_with_stack() {
  PictureKey stack{.kind = KeyKind::Stack, .text = {}, .frames = {{"x`f\"", false}, {"x`main", false}}};
  RunModel model{start_with({counted("_", {"execname", "ustack()"})})};
  model.add({.time_ns = second,
             .new_elements = {{.aggregation = 0, .keys = {text_key("a"), stack}}},
             .changes = {change(0, 0, 5)}});
  return model;
}

TEST(SpeedscopeProfile, HasASamplePerElement) {
  EXPECT_EQ(speedscope_profile(model_with_stack()),
            R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"dscope","name":"",)"
            R"("activeProfileIndex":0,"shared":{"frames":[{"name":"a"},{"name":"x`main","file":"x"},)"
            R"({"name":"x`f\"","file":"x"}]},"profiles":[{"type":"sampled","name":"@[execname, ustack()]: count",)"
            R"("unit":"none","startValue":0,"endValue":5,"samples":[[0,1,2]],"weights":[5]}]})"
            "\n");
}

TEST(SpeedscopeProfile, MayBeEmpty) {
  EXPECT_NE(speedscope_profile(RunModel{start_with({})}).find(R"("profiles":[])"), std::string::npos);
}

TEST(PprofProfile, IsGzipWithoutATime) {
  std::string bytes = pprof_profile(model_with_stack());
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
  EXPECT_EQ(bytes, pprof_profile(model_with_stack()));
}

}  // namespace
}  // namespace dscope::test
