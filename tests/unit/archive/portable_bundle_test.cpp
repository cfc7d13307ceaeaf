#include "archive/portable_bundle.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

PortableBundle small_bundle() {
  PortableBundle bundle{.builder = "dscope 1.0", .invoked_as = "dscope", .data_model = DataModel::Ilp32};
  bundle.programs.push_back({.letter = 's', .name = "a.d", .text = "BEGIN { exit($1); }"});
  bundle.libraries.push_back(
      {.path = "/usr/share/dscope/library/io.d", .text = "inline int x = 1;", .is_built_in = true});
  bundle.settings.push_back({.name = "quiet", .value = "", .has_value = false, .flag = "-q"});
  bundle.probes = {"dtrace:::BEGIN"};
  BundledCode& code = bundle.codes.emplace_back();
  code.form = 1;
  code.shape = {"clause 0", "program prog_0"};
  code.value_names = {"offset of struct task_struct.comm", "number of probes"};
  code.fixed_values = {7};
  code.results.scratch_size = 64;
  code.results.scratch_kind = MapKind::PerCpuArray;
  code.results.scratch_slots = 2;
  code.results.fault_sites.push_back({.unit = "a.d", .line = 1, .column = 2, .text = "x", .reads_kernel = true});
  code.results.sleeping_programs = {0};
  code.results.late.numbers = {{0}, {0, 1}};
  code.results.late.tables = {{.kind = MachineTable::ProbeText, .program = 1, .detail = 2}};
  code.results.late.fixed_values = {1};
  bundle.kernels.push_back({.release = "5.4.0", .types = std::string(10000, 'T')});
  code.object.bytes = {'E', 'L', 'F', '\0', '\x80'};
  return bundle;
}

TEST(PortableBundle, IsReadAsItWasWritten) {
  std::string bytes = pack_portable_bundle(small_bundle());
  auto bundle = unpack_portable_bundle(bytes);
  ASSERT_TRUE(bundle.has_value()) << bundle.error().message();
  EXPECT_EQ(bundle->programs[0].text, "BEGIN { exit($1); }");
  EXPECT_EQ(bundle->data_model, DataModel::Ilp32);
  EXPECT_TRUE(bundle->libraries[0].is_built_in);
  EXPECT_EQ(bundle->kernels[0].release, "5.4.0");
  EXPECT_EQ(bundle->kernels[0].types, std::string(10000, 'T'));
  const BundledCode& code = bundle->codes[0];
  EXPECT_EQ(code.results.scratch_kind, MapKind::PerCpuArray);
  EXPECT_EQ(code.results.late.tables[0], (MachineTableId{MachineTable::ProbeText, 1, 2}));
  EXPECT_EQ(code.results.sleeping_programs, (std::set<size_t>{0}));
  EXPECT_EQ(code.object.bytes, small_bundle().codes[0].object.bytes);
  EXPECT_EQ(pack_portable_bundle(*bundle), bytes);
}

TEST(PortableBundle, DamageIsFound) {
  std::string bytes = pack_portable_bundle(small_bundle());
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_FALSE(unpack_portable_bundle(damaged).has_value()) << "byte " << at;
    EXPECT_FALSE(unpack_portable_bundle(bytes.substr(0, at)).has_value()) << at << " bytes";
  }
  EXPECT_FALSE(unpack_portable_bundle(bytes + "x").has_value());
}

TEST(PortableBundle, LaterFormatsAreRefusedWithASentence) {
  std::string bytes = pack_portable_bundle(small_bundle());
  bytes.replace(bytes.find('\n') + 1, 8, "00000003");
  auto bundle = unpack_portable_bundle(bytes);
  ASSERT_FALSE(bundle.has_value());
  EXPECT_EQ(bundle.error().message(),
            "a later release of dscope wrote the bundle: its format is 3, this release reads up to 2");
  EXPECT_EQ(unpack_portable_bundle("text").error().message(), "not a bundle");
}

TEST(PortableBundle, IndicesAreChecked) {
  PortableBundle bundle = small_bundle();
  bundle.codes[0].results.late.numbers = {{2}};
  EXPECT_EQ(unpack_portable_bundle(pack_portable_bundle(bundle)).error().message(),
            "the bundle is damaged: a number refers to value 2 of 2");
  bundle = small_bundle();
  bundle.codes[0].fixed_values.clear();
  EXPECT_EQ(unpack_portable_bundle(pack_portable_bundle(bundle)).error().message(),
            "the bundle is damaged: a fixed value is missing");
  bundle = small_bundle();
  bundle.codes[0].results.late.tables[0].kind = static_cast<MachineTable>(200);
  EXPECT_EQ(unpack_portable_bundle(pack_portable_bundle(bundle)).error().message(),
            "the bundle is damaged: it has an unknown table, 200");
}

}  // namespace
}  // namespace dscope
