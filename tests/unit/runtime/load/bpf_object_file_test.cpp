// Reads BPF objects, above all damaged objects: any byte may be wrong.
#include "runtime/load/bpf_object_file.h"

#include <gtest/gtest.h>

#include <random>

#include "runtime/load/program_linker.h"
#include "tests/unit/runtime/session/session_fixture.h"

namespace dscope::testing {
namespace {

class NoResolver : public SymbolResolver {
 public:
  Result<MapReference> map(std::string_view) override { return MapReference{.fd = 3}; }
  Result<int> data_section(uint32_t) override { return 4; }
  Result<int32_t> kernel_function(std::string_view) override { return 5; }
};

TEST(BpfObjectFile, FindsSectionsAndFunctions) {
  BpfObject object = read_object("linking");
  auto file = BpfObjectFile::parse(object.bytes);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_NE(file->find_section("prog/sums"), nullptr);
  EXPECT_TRUE(file->find_section("prog/sums")->is_code);
  EXPECT_NE(file->find_function("twice"), nullptr);
  EXPECT_EQ(file->find_function("no such function"), nullptr);
}

TEST(BpfObjectFile, LinksReachableFunctionsOnly) {
  BpfObject object = read_object("linking");
  auto file = BpfObjectFile::parse(object.bytes);
  ASSERT_TRUE(file);
  NoResolver resolver;
  auto program = link_program(*file, "sums", resolver, 0);
  ASSERT_TRUE(program) << program.error().message();
  EXPECT_EQ(program->parts.size(), 4u);  // sums, add_up, plus_table, twice
  auto cookie = link_program(*file, "cookie", resolver, 0x100000002);
  ASSERT_TRUE(cookie);
  EXPECT_EQ(cookie->parts.size(), 1u);
}

// The linker inserts a store to the lowest stack slot as the first instruction, so that the verifier sees the full
// stack from the start. Functions without a stack get no such store.
TEST(BpfObjectFile, FunctionsClaimTheirStackFirst) {
  BpfObject object = read_object("linking");
  auto file = BpfObjectFile::parse(object.bytes);
  ASSERT_TRUE(file);
  NoResolver resolver;
  auto program = link_program(*file, "sums", resolver, 0);
  ASSERT_TRUE(program) << program.error().message();
  const LinkedPart& sums = program->parts.front();
  EXPECT_TRUE(sums.claims_stack);  // the callback gets the address of the sum
  const bpf_insn& first = program->instructions.front();
  EXPECT_EQ(first.code, BPF_ST | BPF_MEM | BPF_DW);
  EXPECT_EQ(first.dst_reg, BPF_REG_10);
  EXPECT_LT(first.off, 0);
  EXPECT_EQ(first.off % 8, 0);
  EXPECT_EQ(sums.instruction_at(sums.offset), 0u);
  EXPECT_EQ(sums.instruction_at(sums.offset + 8), 2u);
  for (const LinkedPart& part : program->parts) EXPECT_EQ(part.claims_stack, &part == &sums) << part.offset;
}

TEST(BpfObjectFile, RejectsOtherElfFiles) {
  std::string text = "no ELF file at all, but long enough to hold a header of the size that such files have";
  EXPECT_FALSE(BpfObjectFile::parse(text));
  EXPECT_FALSE(BpfObjectFile::parse({}));
}

// Whatever the result, the reader must stay within the image (checked by the sanitizer build).
TEST(BpfObjectFile, DamagedObjectsGiveErrors) {
  BpfObject object = read_object("linking");
  std::mt19937 random{1};
  NoResolver resolver;
  for (int round = 0; round < 5000; ++round) {
    std::vector<char> bytes = object.bytes;
    int changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    auto file = BpfObjectFile::parse(bytes);
    if (!file) continue;
    for (const char* symbol : {"sums", "cookie", "unknown_map", "kernel_function"})
      (void)link_program(*file, symbol, resolver, 0).has_value();
  }
}

}  // namespace
}  // namespace dscope::testing
