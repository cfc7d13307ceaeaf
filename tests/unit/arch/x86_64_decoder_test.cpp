// Sizes of single x86 instructions, and those of real code, which objdump decodes, too.
#include "arch/x86_64_decoder.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "support/text/format_join.h"

namespace dscope::test {
namespace {

using Bytes = std::vector<uint8_t>;

X86Instruction decode(const Bytes& code, WordSize word_size = WordSize::Bits64) {
  return decode_x86_instruction(code, word_size);
}

// The first instruction must be all of `code`, and nothing if the last byte is missing.
void expect_whole(const Bytes& code, WordSize word_size = WordSize::Bits64) {
  std::string text;
  for (uint8_t byte : code) text += fmt::format("{:02x} ", byte);
  EXPECT_EQ(decode(code, word_size).size, code.size()) << text;
  Bytes longer = code;
  longer.resize(16, 0xc3);
  EXPECT_EQ(decode(longer, word_size).size, code.size()) << text;
  EXPECT_EQ(decode(Bytes(code.begin(), code.end() - 1), word_size).size, 0) << text;
}

TEST(X86Decoder, SizesOfLegacyInstructions) {
  for (const Bytes& code :
       std::vector<Bytes>{{0x90},
                          {0x48, 0x89, 0xe5},                    // mov %rsp, %rbp
                          {0x8b, 0x05, 1, 2, 3, 4},              // mov 0x4030201(%rip), %eax
                          {0x8b, 0x44, 0x24, 0x10},              // mov 0x10(%rsp), %eax
                          {0x8b, 0x04, 0x25, 1, 2, 3, 4},        // mov 0x4030201, %eax
                          {0x42, 0x8b, 0x84, 0xa0, 1, 2, 3, 4},  // mov 0x4030201(%rax, %r12, 4), %eax
                          {0xb8, 1, 2, 3, 4},
                          {0x66, 0xb8, 1, 2},                    // mov of an immediate to %eax, %ax
                          {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8},  // movabs
                          {0x48, 0xa1, 1, 2, 3, 4, 5, 6, 7, 8},
                          {0x67, 0xa1, 1, 2, 3, 4},  // mov of an absolute address
                          {0x81, 0xc3, 1, 2, 3, 4},
                          {0x66, 0x81, 0xc3, 1, 2},
                          {0x83, 0xc3, 1},
                          {0xf6, 0xc1, 1},
                          {0xf7, 0xc1, 1, 2, 3, 4},
                          {0xf7, 0xd9},  // test, test, neg
                          {0xc8, 1, 2, 3},
                          {0xc2, 1, 2},
                          {0xe8, 1, 2, 3, 4},                    // enter, ret, call
                          {0x66, 0x66, 0x48, 0xe8, 1, 2, 3, 4},  // the call of thread-local storage
                          {0xf0, 0x0f, 0xb1, 0x0a},
                          {0xf3, 0xa4},  // lock cmpxchg, rep movsb
                          {0x0f, 0x84, 1, 2, 3, 4},
                          {0x0f, 0x05},
                          {0x0f, 0x1f, 0x44, 0, 0},
                          {0x66, 0x0f, 0x70, 0xc1, 1},
                          {0x66, 0x0f, 0x38, 0, 0xc1},
                          {0x66, 0x0f, 0x3a, 0x0f, 0xc1, 1},
                          {0xc7, 0xf8, 1, 2, 3, 4},         // xbegin
                          {0x66, 0x0f, 0x78, 0xc1, 1, 2}})  // extrq
    expect_whole(code);
}

TEST(X86Decoder, SizesOfVectorInstructions) {
  for (const Bytes& code :
       std::vector<Bytes>{{0xc5, 0xf8, 0x77},                             // vzeroupper
                          {0xc5, 0xf9, 0x6e, 0xc6},                       // vmovd %esi, %xmm0
                          {0xc5, 0xf9, 0x70, 0xc1, 1},                    // vpshufd
                          {0xc4, 0xe2, 0x79, 0x18, 0x05, 1, 2, 3, 4},     // vbroadcastss 0x4030201(%rip), %xmm0
                          {0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1},              // vextracti128
                          {0xc4, 0xe2, 0xf0, 0xf2, 0xc2},                 // andn
                          {0x62, 0xe2, 0x7d, 0x08, 0x7c, 0xc7},           // vpbroadcastd %edi, %xmm16
                          {0x62, 0xf1, 0x7c, 0x48, 0x10, 0x44, 0x24, 1},  // vmovups 0x40(%rsp), %zmm0
                          {0x62, 0xf3, 0x75, 0x48, 0x25, 0xc2, 1},        // vpternlogd
                          {0x62, 0xf5, 0x7d, 0x08, 0x6e, 0xc7},           // vmovw
                          {0x8f, 0xe9, 0x78, 0x01, 0xc8},
                          {0x8f, 0xea, 0x78, 0x10, 0xc1, 1, 2, 3, 4}})  // blcfill, bextr of XOP
    expect_whole(code);
}

TEST(X86Decoder, SizesOf32BitInstructions) {
  for (const Bytes& code : std::vector<Bytes>{{0x40},  // inc %eax
                                              {0xa1, 1, 2, 3, 4},
                                              {0x67, 0xa1, 1, 2},  // mov of an absolute address
                                              {0x8b, 0x05, 1, 2, 3, 4},
                                              {0x67, 0x8b, 0x46, 1},
                                              {0x67, 0x8b, 0x06, 1, 2},  // (%bp), an address
                                              {0x9a, 1, 2, 3, 4, 5, 6},  // lcall
                                              {0xc5, 0x06},
                                              {0x62, 0x06},  // lds, bound
                                              {0xc5, 0xf8, 0x57, 0xc0},
                                              {0x66, 0xe9, 1, 2}})
    expect_whole(code, WordSize::Bits32);
}

TEST(X86Decoder, RejectsInvalidInstructions) {
  for (const Bytes& code : std::vector<Bytes>{{0x06},                          // push %es
                                              {0x48},                          // a prefix alone
                                              {0x0f, 0x04},                    //
                                              {0xff, 0xf8},                    // group 5, /7
                                              {0x8d, 0xc0},                    // lea of a register
                                              {0x66, 0xc5, 0xf8, 0x57, 0xc0},  // a prefix before VEX
                                              {0x66, 0xe9, 1, 2, 3, 4}})       // its size depends on the processor
    EXPECT_EQ(decode(code).size, 0);
  EXPECT_EQ(decode(Bytes(16, 0x66)).size, 0);
}

TEST(X86Decoder, ReadsOperands) {
  X86Instruction jump = decode({0xe9, 0xfb, 0xff, 0xff, 0xff});
  EXPECT_EQ(jump.immediate, -5);
  X86Instruction load = decode({0x4a, 0x63, 0x04, 0xa2});  // movslq (%rdx, %r12, 4), %rax
  EXPECT_TRUE(load.is_wide && load.has_sib && load.is_memory());
  EXPECT_EQ(load.reg, 0);
  EXPECT_EQ(load.base, 2);
  EXPECT_EQ(load.index, 12);
  EXPECT_EQ(load.scale, 4);
  EXPECT_EQ(decode({0x41, 0xff, 0xe3}).rm, 11);                   // jmp *%r11
  EXPECT_EQ(decode({0x62, 0xe1, 0x7d, 0x08, 0x7e, 0xc7}).rm, 7);  // vmovd %xmm16, %edi
}

std::optional<std::string> output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  char buffer[65536];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  if (pclose(pipe) != 0) return std::nullopt;
  return text;
}

// The bytes of instructions in the listing of objdump, "  4005d0:\t55 48 ...\n".
std::vector<Bytes> listed_instructions(const std::string& listing) {
  std::vector<Bytes> result;
  for (size_t line = 0, end = 0; line < listing.size(); line = end + 1) {
    end = std::min(listing.find('\n', line), listing.size());
    size_t tab = listing.find(":\t", line);
    if (tab >= end) continue;
    Bytes bytes;
    for (size_t at = tab + 2; at + 1 < end && listing[at] != ' '; at += 3)
      bytes.push_back(static_cast<uint8_t>(std::strtoul(listing.substr(at, 2).c_str(), nullptr, 16)));
    result.push_back(bytes);
  }
  return result;
}

TEST(X86Decoder, AgreesWithObjdumpOnTheCLibrary) {
  // It contains assembler code with instructions that compilers do not emit.
  auto library = output_of("ldconfig -p | sed -n 's,.*libc\\.so\\.6.*x86-64.*=> ,,p' | head -1");
  if (!library || library->empty()) GTEST_SKIP() << "no x86-64 C library";
  library->pop_back();
  auto listing = output_of("objdump -d -z -w -j .text " + *library + " 2>/dev/null | grep -v '(bad)' | cut -f 1,2");
  if (!listing) GTEST_SKIP() << "objdump failed";
  size_t count = 0, differences = 0;
  for (const Bytes& instruction : listed_instructions(*listing)) {
    ++count;
    // objdump lists `fwait` with the instruction behind it.
    if (instruction.front() == 0x9b || decode(instruction).size == instruction.size()) continue;
    if (++differences < 10) ADD_FAILURE() << fmt::format("{:02x}", fmt::join(instruction, " "));
  }
  EXPECT_GT(count, 100000U);
  EXPECT_EQ(differences, 0U);
}

}  // namespace
}  // namespace dscope::test
