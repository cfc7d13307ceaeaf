// The columns of -S (consumer-and-actions.md 9.6).
#include "codegen/core/disassembly.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/format.h"

namespace dscope {
namespace {

std::string listing(const std::vector<uint64_t>& words, const std::vector<std::string>& notes = {}) {
  auto text = disassemble(std::as_bytes(std::span(words)), notes);
  return text ? *text : text.error().message();
}

// The expected output of disassemble(): `lines` below the heading.
std::string expected(std::string_view lines) {
  return fmt::format("INS  OFF    OPCODE                  INSTRUCTION\n{}", lines);
}

TEST(Disassembly, PrintsOneLinePerSlot) {
  EXPECT_EQ(listing({0x00000001000000b7, 0x0000000000000095}), expected("0000 00000: b7 0 0 0000 00000001    r0 = 1\n"
                                                                        "0001 00008: 95 0 0 0000 00000000    exit\n"));
  EXPECT_EQ(listing({}), expected(""));
}

TEST(Disassembly, FieldsAreSigned) {
  EXPECT_EQ(listing({0xffffffb8fff0217b}), expected("0000 00000: 7b 1 2 fff0 ffffffb8    *(u64 *)(r1 - 16) = r2\n"));
}

TEST(Disassembly, WideLoadsHaveTwoLinesAndNotesAreShown) {
  EXPECT_EQ(listing({0x0000000000000218, 0x0000000000000000, 0x0000000000000095}, {"ds_ring"}),
            expected("0000 00000: 18 2 0 0000 00000000    r2 = 0 ll  ! ds_ring\n"
                     "0001 00008: 00 0 0 0000 00000000\n"
                     "0002 00016: 95 0 0 0000 00000000    exit\n"));
}

TEST(Disassembly, InvalidCodeIsMarked) {
  EXPECT_EQ(listing({0x00000000000000ff}), expected("0000 00000: ff 0 0 0000 00000000    (unknown)\n"));
}

}  // namespace
}  // namespace dscope
