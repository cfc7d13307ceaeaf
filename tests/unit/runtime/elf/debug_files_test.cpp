// The references from an ELF file to its debug file: build id and debug link.
#include "runtime/elf/debug_files.h"

#include <gtest/gtest.h>

#include "tests/unit/runtime/elf/elf_file.h"

namespace dscope::test {
namespace {

DebugReference reference_of(const ElfFile& file) {
  Fd fd = file.open();
  FileBudget budget(fd.get());
  ElfHandle elf = open_elf(fd.get(), budget);
  return elf ? read_debug_reference(elf.get(), budget) : DebugReference{};
}

// Linkers write 8, 16 or 20 bytes. `ld --build-id=0x...` accepts any length. A truncated id would lead to the debug
// file of another program.
TEST(DebugFiles, BuildIdsOfAnyLengthAreReadInFull) {
  for (size_t length : {8U, 16U, 20U, 32U, 64U, 300U}) {
    ElfFile file;
    file.add(".note.gnu.build-id", SHT_NOTE, ElfFile::note("GNU", NT_GNU_BUILD_ID, std::string(length, '\xab')));
    std::string expected;
    for (size_t i = 0; i < length; ++i) expected += "ab";
    EXPECT_EQ(reference_of(file).build_id, expected);
  }
}

TEST(DebugFiles, DebugLinksNameFilesNotPaths) {
  ElfFile file;
  file.add(".gnu_debuglink", SHT_PROGBITS, std::string{"prog.debug\0\0", 12} + "\x01\x02\x03\x04");
  EXPECT_EQ(reference_of(file).link, "prog.debug");
  EXPECT_EQ(reference_of(file).link_crc, 0x04030201U);
  ElfFile hostile;
  hostile.add(".gnu_debuglink", SHT_PROGBITS, std::string{"../../x\0", 8} + "\x01\x02\x03\x04");
  EXPECT_EQ(reference_of(hostile).link, "");
}

}  // namespace
}  // namespace dscope::test
