// Provider definitions as ELF notes in objects.
#include "contract/defined_provider.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

TEST(DefinedProvider, SurvivesRoundTripThroughNote) {
  DefinedProvider shop{
      .name = "shop",
      .attributes = {.args = *parse_attributes("Evolving/Stable/ISA")},
      .probes = {{.name = "sale",
                  .input = {{.type_text = "int32_t", .form = ArgumentForm::Signed, .size = 4},
                            {.type_text = "struct item *", .form = ArgumentForm::Pointer, .size = 8}},
                  .view = {{.input = 1, .type_text = "iteminfo_t *"}, {.input = 0, .type_text = "int32_t"}}},
                 {.name = "closed-early", .input = {}, .view = {}}}};
  auto read = parse_note(write_note(shop));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "shop");
  EXPECT_EQ(to_string(read->attributes.args), "Evolving/Stable/ISA");
  EXPECT_EQ(to_string(read->attributes.name), "Stable/Stable/Common");
  EXPECT_EQ(read->probes, shop.probes);
}

TEST(DefinedProvider, LinesOfLaterVersionsAreIgnored) {
  auto read = parse_note("provider p\ncolor blue\nprobe go\ninput unsigned 4 uid_t\nshape round\nview 0 uid_t\n");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->probes.size(), 1u);
  EXPECT_EQ(read->probes[0].view[0].type_text, "uid_t");
}

TEST(DefinedProvider, DamagedNotesAreRejected) {
  for (const char* text :
       {"", "probe go\n", "provider p\ninput signed 4 int\n", "provider p\nprobe go\ninput odd 4 int\n",
        "provider p\nprobe go\ninput signed x int\n", "provider p\nprobe go\nview 0 int\n",
        "provider p\nattributes args Stable/None\n", "provider p\nprobe go\ninput signed 4\n"})
    EXPECT_FALSE(parse_note(text)) << text;
}

TEST(DefinedProvider, TwoUnderscoresAreADash) {
  EXPECT_EQ(with_dashes("gc__start"), "gc-start");
  EXPECT_EQ(with_dashes("a_b__c___d"), "a_b-c-_d");
  EXPECT_EQ(without_dashes("gc-start"), "gc__start");
  EXPECT_EQ(semaphore_name("python", "gc-start"), "python_gc__start_semaphore");
}

}  // namespace
}  // namespace dscope::test
