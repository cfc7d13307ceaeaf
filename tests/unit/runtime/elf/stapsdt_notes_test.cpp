// USDT notes, including those of hostile programs and of programs with discarded sections.
#include "runtime/elf/stapsdt_notes.h"

#include <gtest/gtest.h>

#include "tests/unit/runtime/elf/elf_file.h"

namespace dscope::test {
namespace {

constexpr uint64_t probe_site = ElfFile::segment_address + 0x10;

std::string note_addresses(uint64_t address, uint64_t semaphore = 0) {
  return ElfFile::text_of(address) + ElfFile::text_of(uint64_t{0}) + ElfFile::text_of(semaphore);
}

std::vector<StapsdtNote> notes_with(std::string_view content, uint32_t segment_flags = PF_R | PF_X) {
  ElfFile file{segment_flags};
  file.add(".note.stapsdt", SHT_NOTE, ElfFile::note("stapsdt", 3, content));
  return read_static_probes(file.open().get()).notes;
}

TEST(StapsdtNotes, AddressesBecomeFileOffsets) {
  using namespace std::string_literals;
  auto notes = notes_with(note_addresses(probe_site, probe_site + 8) + "app\0ready\0-4@%edi\0"s, PF_R | PF_W | PF_X);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].provider, "app");
  EXPECT_EQ(notes[0].name, "ready");
  EXPECT_EQ(notes[0].arguments, "-4@%edi");
  EXPECT_EQ(notes[0].address, probe_site);
  EXPECT_EQ(notes[0].offset, 0x10U);
  EXPECT_EQ(notes[0].semaphore, 0x18U);
  EXPECT_EQ(notes[0].address_size, 8U);
}

// The linker zeroes the address when --gc-sections discards the function. This must not cause a warning.
TEST(StapsdtNotes, ProbesOfDiscardedFunctionsAreSkippedSilently) {
  using namespace std::string_literals;
  testing::internal::CaptureStderr();
  EXPECT_TRUE(notes_with(note_addresses(0) + "app\0ready\0\0"s).empty());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(StapsdtNotes, DamagedNotesAreSkipped) {
  using namespace std::string_literals;
  EXPECT_TRUE(notes_with("short").empty());
  EXPECT_TRUE(notes_with(note_addresses(probe_site) + "no end").empty());
  EXPECT_TRUE(notes_with(note_addresses(probe_site) + "\0\0\0"s).empty());              // no names
  EXPECT_TRUE(notes_with(note_addresses(0xdeadbeef0000) + "app\0ready\0\0"s).empty());  // outside every segment
  EXPECT_TRUE(notes_with(std::string(16, '\0')).empty());
}

// The kernel counts in the semaphore: a note must not choose code or constants for it.
TEST(StapsdtNotes, SemaphoresAreInWritableSegments) {
  using namespace std::string_literals;
  std::string names = "app\0ready\0\0"s;
  EXPECT_TRUE(notes_with(note_addresses(probe_site, probe_site + 8) + names, PF_R | PF_X).empty());
  EXPECT_TRUE(notes_with(note_addresses(probe_site, probe_site + 7) + names, PF_R | PF_W | PF_X).empty());
  EXPECT_EQ(notes_with(note_addresses(probe_site, probe_site + 8) + names, PF_R | PF_W | PF_X).size(), 1U);
}

TEST(StapsdtNotes, ProbesAreInExecutableSegments) {
  using namespace std::string_literals;
  EXPECT_TRUE(notes_with(note_addresses(probe_site) + "app\0ready\0\0"s, PF_R | PF_W).empty());
}

}  // namespace
}  // namespace dscope::test
