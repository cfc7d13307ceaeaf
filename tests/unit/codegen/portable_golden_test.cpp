// Portable code: compiled for one kernel and bound to another one, it is the code that is compiled for the other one.
#include <gtest/gtest.h>

#include "codegen/core/object.h"
#include "driver/bundle/bundle_code.h"
#include "driver/bundle/portable_code.h"
#include "frontend/machine/machine_values.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> portable_inputs() {
  std::vector<fs::path> paths;
  for (const char* folder : {"check_ok", "ir", "plan"})
    for (fs::path& path : golden_inputs(folder)) paths.push_back(std::move(path));
  return paths;
}

std::string bound_bytes(const BundledCode& code, const Compilation& compilation) {
  auto object = bind_code(code, compilation);
  EXPECT_TRUE(object.has_value()) << object.error().message();
  return object ? std::string(object->bytes.begin(), object->bytes.end()) : std::string();
}

class PortableGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(PortableGolden, BoundCodeEqualsCompiledCode) {
  CompiledText here(GetParam()), there = CompiledText::on_other_kernel(GetParam());
  if (here.failed() || there.failed()) return;
  for (CodeForm form : {CodeForm::Fast, CodeForm::Checked}) {
    auto built = portable_code(here.compilation(), form), native = portable_code(there.compilation(), form);
    ASSERT_TRUE(built.has_value()) << built.error().message();
    ASSERT_TRUE(native.has_value()) << native.error().message();
    ASSERT_EQ(shape_difference(built->shape, native->shape), "");
    if (built->fixed_values != native->fixed_values) continue;  // binding refuses this
    EXPECT_TRUE(bound_bytes(*built, there.compilation()) == bound_bytes(*native, there.compilation()));
  }
}

// The names of the values are the same on every machine.
TEST_P(PortableGolden, ValuesHaveTheSameNamesEverywhere) {
  CompiledText here(GetParam()), there = CompiledText::on_other_kernel(GetParam());
  if (here.failed() || there.failed()) return;
  auto names = [](const CompiledText& text) {
    std::vector<std::string> result;
    MachineValues values = machine_values(text.compilation().meaning, text.compilation().compiled);
    for (const MachineValue& value : values.values()) result.push_back(value.name);
    return result;
  };
  EXPECT_EQ(names(here), names(there));
}

INSTANTIATE_TEST_SUITE_P(Golden, PortableGolden, ::testing::ValuesIn(portable_inputs()), golden_test_name);

}  // namespace
}  // namespace dscope
