// Rules from call frame information that is written here byte by byte.
#include "runtime/unwind/frame_rules.h"

#include <dwarf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace dscope::test {
namespace {

class Section {
 public:
  // A CIE whose functions begin as after a call. x86-64: CFA = sp + 8, the return address below it; arm64: CFA = sp,
  // the return address in x30, with the mark of signatures by the second key.
  explicit Section(const Architecture& architecture = x86_64) : architecture_(architecture) {
    if (&architecture == &x86_64)
      add_entry({0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, DW_EH_PE_absptr, 0x0c, 7, 8, 0x90, 1});
    else add_entry({0, 0, 0, 0, 1, 'z', 'R', 'B', 0, 4, 0x78, 30, 1, DW_EH_PE_absptr, 0x0c, 31, 0});
  }

  void add_function(uint64_t start, uint64_t size, std::vector<uint8_t> instructions) {
    auto back = static_cast<uint32_t>(bytes_.size() + 4);
    std::vector<uint8_t> entry(4 + 16 + 1);
    std::memcpy(entry.data(), &back, 4);
    std::memcpy(entry.data() + 4, &start, 8);
    std::memcpy(entry.data() + 12, &size, 8);
    entry.insert(entry.end(), instructions.begin(), instructions.end());
    add_entry(entry);
  }

  std::vector<RuleRow> rows() const {
    FileBudget budget(-1);
    return read_frame_rules({.bytes = bytes_, .address = 0x10000}, budget, architecture_);
  }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  void add_entry(const std::vector<uint8_t>& entry) {
    auto size = static_cast<uint32_t>(entry.size());
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(size >> i * 8));
    bytes_.insert(bytes_.end(), entry.begin(), entry.end());
  }

  const Architecture& architecture_;
  std::vector<uint8_t> bytes_;
};

std::string text(const RuleRow& row) {
  return std::to_string(row.address) + ": " + std::to_string(row.rule.kind) + " " + std::to_string(row.rule.offset) +
         ", " + std::to_string(row.rule.frame_kind) + " " + std::to_string(row.rule.frame_offset);
}

std::vector<std::string> texts(const std::vector<RuleRow>& rows) {
  std::vector<std::string> result;
  for (const RuleRow& row : rows) result.push_back(text(row));
  return result;
}

using Texts = std::vector<std::string>;

TEST(FrameRules, FollowAFrameThatIsSetUpAndLeft) {
  Section section;
  // push %rbp; mov %rsp,%rbp; ...; leave
  section.add_function(
      4096, 64,
      {0x41, DW_CFA_def_cfa_offset, 16, 0x86, 2, 0x43, DW_CFA_def_cfa_register, 6, 0x60, DW_CFA_def_cfa, 7, 8, 0xc6});
  EXPECT_EQ(texts(section.rows()),
            (Texts{"4096: 1 8, 0 0", "4097: 1 16, 1 -16", "4100: 2 16, 1 -16", "4132: 1 8, 0 0", "4160: 0 0, 0 0"}));
}

TEST(FrameRules, RegistersThatNobodyNeedsMakeNoRows) {
  Section section;
  section.add_function(4096, 64, {0x41, 0x83, 2, 0x41, 0x8c, 3});
  EXPECT_EQ(texts(section.rows()), (Texts{"4096: 1 8, 0 0", "4160: 0 0, 0 0"}));
}

TEST(FrameRules, RememberedStates) {
  Section section;
  section.add_function(4096, 64,
                       {0x41, DW_CFA_def_cfa_offset, 16, DW_CFA_remember_state, 0x41, DW_CFA_def_cfa_offset, 8, 0x41,
                        DW_CFA_restore_state});
  EXPECT_EQ(texts(section.rows()),
            (Texts{"4096: 1 8, 0 0", "4097: 1 16, 0 0", "4098: 1 8, 0 0", "4099: 1 16, 0 0", "4160: 0 0, 0 0"}));
}

TEST(FrameRules, Expressions) {
  Section section;
  // A linkage table; a realigned stack; the outermost frame; an expression of other registers.
  section.add_function(4096, 32,
                       {DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and,
                        DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus});
  section.add_function(
      4128, 32,
      {DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref, DW_CFA_expression, 6, 2, DW_OP_breg6, 0});
  section.add_function(4160, 32, {DW_CFA_undefined, 16});
  section.add_function(4192, 32, {DW_CFA_def_cfa, 10, 0});
  EXPECT_EQ(texts(section.rows()),
            (Texts{"4096: 5 11, 0 0", "4128: 4 -8, 2 0", "4160: 7 0, 0 0", "4192: 8 0, 0 0", "4224: 0 0, 0 0"}));
}

TEST(FrameRules, OfArm64) {
  Section section{aarch64};
  // paciasp; stp x29,x30,[sp,#-32]!; mov x29,sp; ...; ldp x29,x30,[sp],#32; autiasp
  section.add_function(4096, 64,
                       {0x41,
                        DW_CFA_GNU_window_save,
                        0x41,
                        DW_CFA_def_cfa_offset,
                        32,
                        0x9d,
                        4,
                        0x9e,
                        3,
                        0x41,
                        DW_CFA_def_cfa_register,
                        29,
                        0x48,
                        DW_CFA_def_cfa,
                        31,
                        0,
                        0xdd,
                        0xde,
                        0x41,
                        DW_CFA_GNU_window_save});
  // str x30,[sp,#-16]!
  section.add_function(4160, 32, {0x41, DW_CFA_def_cfa_offset, 16, 0x9e, 2});
  section.add_function(4192, 32, {DW_CFA_undefined, 30});
  // The return address far from the frame pointer; a return address that was moved to another register.
  section.add_function(4224, 32, {DW_CFA_def_cfa_offset, 64, 0x9d, 8, 0x9e, 1});
  section.add_function(4256, 32, {DW_CFA_register, 30, 9});
  EXPECT_EQ(texts(section.rows()), (Texts{"4096: 1 0, 3 0", "4104: 1 32, 4 -32", "4108: 2 32, 4 -32", "4140: 1 0, 3 0",
                                          "4164: 1 16, 5 -16", "4192: 7 0, 0 0", "4224: 8 0, 0 0", "4288: 0 0, 0 0"}));
}

TEST(FrameRules, OfAnotherProcessorAreIgnored) {
  Section section{aarch64};
  section.add_function(4096, 64, {0x41, DW_CFA_def_cfa_offset, 32});
  FileBudget budget(-1);
  EXPECT_TRUE(read_frame_rules({.bytes = section.bytes(), .address = 0x10000}, budget, x86_64).empty());
}

TEST(FrameRules, SortFunctionsAndCutOverlaps) {
  Section section;
  section.add_function(8192, 16, {DW_CFA_def_cfa_offset, 32});
  section.add_function(4096, 16, {DW_CFA_def_cfa_offset, 16});
  section.add_function(4100, 20, {DW_CFA_def_cfa_offset, 24});
  EXPECT_EQ(texts(section.rows()),
            (Texts{"4096: 1 16, 0 0", "4112: 1 24, 0 0", "4120: 0 0, 0 0", "8192: 1 32, 0 0", "8208: 0 0, 0 0"}));
}

TEST(FrameRules, DamageIsHarmless) {
  Section whole;
  whole.add_function(4096, 64, {0x41, DW_CFA_def_cfa_offset, 16, 0x86, 2, DW_CFA_def_cfa_expression, 0x7f});
  for (size_t size = 0; size < whole.bytes().size(); ++size) {
    Section cut = whole;
    cut.bytes().resize(size);
    cut.rows();
  }
  for (size_t at = 0; at < whole.bytes().size(); ++at)
    for (int value : {0x00, 0x7f, 0x80, 0xff}) {
      Section changed = whole;
      changed.bytes()[at] = static_cast<uint8_t>(value);
      std::vector<RuleRow> rows = changed.rows();
      EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &RuleRow::address));
    }
}

}  // namespace
}  // namespace dscope::test
