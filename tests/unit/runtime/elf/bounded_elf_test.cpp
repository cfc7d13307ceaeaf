// ELF files whose headers claim more than the budget allows.
#include "runtime/elf/bounded_elf.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/elf/debug_files.h"
#include "tests/unit/runtime/elf/elf_file.h"

namespace dscope::test {
namespace {

constexpr uint64_t mib = uint64_t{1} << 20;

template <typename Value>
void overwrite(const Fd& file, uint64_t offset, Value value) {
  ASSERT_EQ(::pwrite(file.get(), &value, sizeof value, static_cast<off_t>(offset)), ssize_t{sizeof value});
}

Elf64_Ehdr header_of(const Fd& file) {
  Elf64_Ehdr header{};
  EXPECT_EQ(::pread(file.get(), &header, sizeof header, 0), ssize_t{sizeof header});
  return header;
}

// The offset in the file of a member of a section's header.
uint64_t at_section(const Fd& file, uint64_t section, uint64_t member) {
  return header_of(file).e_shoff + section * sizeof(Elf64_Shdr) + member;
}

TEST(BoundedElf, SectionsAreReadWithinTheBudget) {
  ElfFile elf;
  elf.add(".data", SHT_PROGBITS, std::string(10'000, 'x'));
  Fd file = elf.open();
  FileBudget small(file.get(), {.bytes = 9'000}), large(file.get(), {.bytes = 20'000});
  ElfHandle opened = open_elf(file.get(), large);
  ASSERT_TRUE(opened);
  Elf_Scn* section = find_section(opened.get(), ".data");
  EXPECT_EQ(section_data(section, small), nullptr);
  EXPECT_TRUE(small.is_used_up());
  Elf_Data* data = section_data(section, large);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->d_size, 10'000U);
  EXPECT_EQ(section_data(nullptr, large), nullptr);
}

TEST(BoundedElf, MillionsOfSectionsAreNotAllocated) {
  Fd file = ElfFile{}.open();
  uint64_t tables = header_of(file).e_shoff;
  overwrite(file, tables + offsetof(Elf64_Shdr, sh_size), uint64_t{400'000'000});
  overwrite(file, offsetof(Elf64_Ehdr, e_shnum), uint16_t{0});
  ASSERT_EQ(::ftruncate(file.get(), int64_t{64} << 30), 0);
  FileBudget budget(file.get());
  EXPECT_FALSE(open_elf(file.get(), budget));
  EXPECT_TRUE(budget.is_used_up());
}

TEST(BoundedElf, TablesOfSectionNamesMustBePlainAndTerminated) {
  for (bool is_compressed : {true, false}) {
    Fd file = ElfFile{}.open();
    if (is_compressed) overwrite(file, at_section(file, 1, offsetof(Elf64_Shdr, sh_flags)), uint64_t{SHF_COMPRESSED});
    else overwrite(file, at_section(file, 1, offsetof(Elf64_Shdr, sh_size)), uint64_t{4});
    FileBudget budget(file.get(), {.bytes = mib});
    EXPECT_FALSE(open_elf(file.get(), budget)) << is_compressed;
    EXPECT_FALSE(budget.is_used_up());
  }
}

TEST(BoundedElf, OtherFilesAreNotOpened) {
  Fd file = ElfFile{}.open();
  overwrite(file, 0, '!');
  FileBudget budget(file.get());
  EXPECT_FALSE(open_elf(file.get(), budget));
  EXPECT_FALSE(open_elf(-1, budget));
}

TEST(BoundedElf, TextsEndWithTheirTable) {
  char bytes[] = {'a', 'b', '\0', 'c'};
  Elf_Data strings{};
  strings.d_buf = bytes;
  strings.d_size = sizeof bytes;
  EXPECT_EQ(text_at(&strings, 0), "ab");
  EXPECT_EQ(text_at(&strings, 3), "c");
  EXPECT_EQ(text_at(&strings, 4), "");
  EXPECT_EQ(text_at(nullptr, 0), "");
}

}  // namespace
}  // namespace dscope::test
