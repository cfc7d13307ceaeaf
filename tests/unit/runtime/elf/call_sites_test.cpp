// Call sites, which are searched in pieces of a segment.
#include "runtime/elf/call_sites.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/runtime/elf/elf_file.h"

namespace dscope::test {
namespace {

// A file with a segment of 3 MiB, which begins with its headers.
class Code {
 public:
  static constexpr uint64_t size = uint64_t{3} << 20;

  explicit Code(std::string_view prefix = "") : file_(ElfFile{}.open()), prefix_(prefix) {
    EXPECT_EQ(::ftruncate(file_.get(), size), 0);
    uint64_t filesz = size;
    EXPECT_EQ(::pwrite(file_.get(), &filesz, sizeof filesz, sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_filesz)),
              ssize_t{sizeof filesz});
  }

  void call(uint64_t offset, uint64_t target) {
    auto distance = static_cast<int32_t>(target - (ElfFile::segment_address + offset + 5));
    std::string code = prefix_ + '\xe8' + ElfFile::text_of(distance);
    off_t at = static_cast<off_t>(offset - prefix_.size());
    EXPECT_EQ(::pwrite(file_.get(), code.data(), code.size(), at), static_cast<ssize_t>(code.size()));
  }

  std::vector<CallSite> sites(std::vector<uint64_t> functions) const { return find_call_sites(file_.get(), functions); }

 private:
  Fd file_;
  std::string prefix_;
};

TEST(CallSites, InstructionsAcrossPiecesAreFoundOnce) {
  constexpr uint64_t target = ElfFile::segment_address + 0x500, piece = uint64_t{1} << 20;
  for (uint64_t offset : {piece - 6, piece - 5, piece - 4, piece - 1, piece, piece + 1, 2 * piece - 2}) {
    Code code;
    code.call(offset, target);
    std::vector<CallSite> sites = code.sites({target + 1, target, target - 1});
    ASSERT_EQ(sites.size(), 1U) << offset;
    EXPECT_EQ(sites[0].offset, offset);
    EXPECT_EQ(sites[0].address, ElfFile::segment_address + offset);
    EXPECT_EQ(sites[0].target, target);
  }
}

TEST(CallSites, PrefixesAreFoundAcrossPieces) {
  constexpr uint64_t target = ElfFile::segment_address + 0x500, piece = uint64_t{1} << 20;
  for (uint64_t offset : {uint64_t{0x8000}, piece, piece + 1}) {
    Code code("\x67");
    code.call(offset, target);
    std::vector<CallSite> sites = code.sites({target});
    ASSERT_EQ(sites.size(), 1U) << offset;
    EXPECT_EQ(sites[0].offset, offset - 1);
  }
}

}  // namespace
}  // namespace dscope::test
