// Finds non-resident user memory in fake page tables, memory areas and a fake page cache. Physical addresses are
// addresses of this process: the direct map starts at 0.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>

#include "codegen/bpf/support.h"

namespace dscope {
namespace {

constexpr u64 page_bytes = 4096, slots = 64;

struct FakePage {
  u64 flags = 0;
  u64 index = 0;
};
struct FakeNode {
  u64 shift = 0;
  std::array<u64, slots> slot{};
};
struct FakeFile {
  u64 mapping = 0;
};
struct FakeArea {
  u64 start = 0, offset = 0, file = 0;
};
struct alignas(page_bytes) Bytes {
  std::array<char, page_bytes> bytes{};
};
struct alignas(page_bytes) Table {
  std::array<u64, 512> entry{};
};

u64 number(const void* pointer) { return reinterpret_cast<u64>(pointer); }

}  // namespace
}  // namespace dscope

// Each page of `memory` has a page struct. The page's index in `memory` stands for its frame number.
extern "C" {
extern ds_memory_layout fake_memory __asm__("ds_memory");
ds_memory_layout fake_memory = {};
u64 fake_task = 0;
void* fake_area = nullptr;
}

namespace dscope {
namespace {

class UserMemory : public testing::Test {
 protected:
  UserMemory() {
    fake_memory = {.direct_map = 0,
                   .page_structs = number(pages_.data()) - number(memory_.get()) / page_bytes * sizeof(FakePage),
                   .frame_mask = 0x0000fffffffff000ULL,
                   .top_shift = 39,
                   .page_bytes = sizeof(FakePage),
                   .page_index = offsetof(FakePage, index),
                   .task_memory = 0,
                   .mm_tables = 0,
                   .area_start = offsetof(FakeArea, start),
                   .area_offset = offsetof(FakeArea, offset),
                   .area_file = offsetof(FakeArea, file),
                   .file_mapping = 0,
                   .mapping_pages = 0,
                   .node_shift = offsetof(FakeNode, shift),
                   .node_slots = offsetof(FakeNode, slot)};
    fake_task = number(&memory_of_task_);
    fake_area = nullptr;
    for (size_t i = 0; i < tables_->size() - 1; ++i) (*tables_)[i].entry[0] = number(&(*tables_)[i + 1]) | present;
    for (size_t i = 0; i < page_count; ++i)
      std::memset((*memory_)[i].bytes.data(), 'a' + static_cast<int>(i), page_bytes);
  }
  ~UserMemory() override { fake_area = nullptr; }

  static constexpr u64 present = 1, large = 0x80;
  static constexpr size_t page_count = 4;
  u64 page(size_t i) const { return number(&(*memory_)[i]); }
  void map(u64 address, u64 entry) { (*tables_)[3].entry[address / page_bytes] = entry; }
  // Maps a file area. The page cache of the file has its root at `root`.
  void map_file(u64 start, u64 first_page, u64 root) {
    mapping_ = root;
    file_.mapping = number(&mapping_);
    area_ = {.start = start, .offset = first_page, .file = number(&file_)};
    fake_area = &area_;
  }

  std::unique_ptr<std::array<Bytes, page_count>> memory_ = std::make_unique<std::array<Bytes, page_count>>();
  std::unique_ptr<std::array<Table, 4>> tables_ = std::make_unique<std::array<Table, 4>>();
  std::array<FakePage, page_count> pages_{};
  u64 first_table_ = number(&(*tables_)[0]);
  u64 memory_of_task_ = number(&first_table_);
  u64 mapping_ = 0;
  FakeFile file_;
  FakeArea area_;
};

TEST_F(UserMemory, IsFoundByPageTables) {
  map(0x3000, page(1) | present);
  EXPECT_EQ(ds_global_user_byte(0, 0x3010), page(1) + 0x10);
  EXPECT_EQ(ds_global_user_byte(number(&first_table_), 0x3010), page(1) + 0x10);
  EXPECT_EQ(ds_global_user_byte(0, 0x4000), 0U) << "never mapped, and in no area";
}

TEST_F(UserMemory, IsFoundInLargePages) {
  (*tables_)[2].entry[1] = 0x40000000 | present | large;
  EXPECT_EQ(ds_global_user_byte(0, 0x212345), 0x40012345U);
}

TEST_F(UserMemory, IsNotFoundIfSwappedOut) {
  map(0x3000, 0x1234 << 1);
  pages_[0].index = 3;
  map_file(0, 0, number(&pages_[0]));
  EXPECT_EQ(ds_global_user_byte(0, 0x3000), 0U);
}

TEST_F(UserMemory, ExcludesKernelAddresses) {
  map(0x3000, page(1) | present);
  EXPECT_EQ(ds_global_user_byte(0, 0x3000 | 1ULL << 47), 0U);
  EXPECT_EQ(ds_global_user_byte(0, ~0ULL), 0U);
}

TEST_F(UserMemory, IsFoundInThePageCache) {
  FakeNode inner, outer;
  outer.shift = 6;
  outer.slot[1] = number(&inner) | 2;
  inner.slot[5] = number(&pages_[2]);
  pages_[2].index = 69;
  map_file(0x10000, 67, number(&outer) | 2);
  EXPECT_EQ(ds_global_user_byte(0, 0x12004), page(2) + 4);
  EXPECT_EQ(ds_global_user_byte(0, 0x13000), 0U) << "not in the page cache";
  EXPECT_EQ(ds_global_user_byte(number(&first_table_), 0x12004), 0U) << "other processes: page tables only";
  pages_[2].flags = 1;
  EXPECT_EQ(ds_global_user_byte(0, 0x12004), 0U) << "the page is being read from disk";
}

TEST_F(UserMemory, IsFoundInMultiPageEntries) {
  FakeNode node;
  node.slot[0] = number(&pages_[0]);
  node.slot[1] = node.slot[2] = 0 << 2 | 2;  // siblings of slot 0
  map_file(0x10000, 0, number(&node) | 2);
  EXPECT_EQ(ds_global_user_byte(0, 0x12004), page(2) + 4);
}

TEST_F(UserMemory, IsFoundInOnePageFiles) {
  map_file(0x10000, 0, number(&pages_[3]));
  EXPECT_EQ(ds_global_user_byte(0, 0x10fff), page(3) + 0xfff);
  EXPECT_EQ(ds_global_user_byte(0, 0x11000), 0U);
  map_file(0x10000, 0, 7 << 1 | 1);  // swapped out
  EXPECT_EQ(ds_global_user_byte(0, 0x10000), 0U);
}

TEST_F(UserMemory, IsCopiedAcrossPages) {
  char text[16] = {};
  (*memory_)[3].bytes[2] = '\0';
  EXPECT_EQ(ds_copy_user(text, 2 * sizeof text + 1, sizeof text, page(0) + page_bytes - 3, page(3)), 6);
  EXPECT_STREQ(text, "aaadd");
  char bytes[5] = {};
  EXPECT_EQ(ds_copy_user(bytes, 2 * sizeof bytes, 5, page(0) + page_bytes - 3, page(2)), 0);
  EXPECT_EQ(std::string(bytes, 5), "aaacc");
  EXPECT_EQ(ds_copy_user(bytes, 2 * sizeof bytes, 5, page(0) + page_bytes - 3, 0), DS_UNREADABLE);
  EXPECT_EQ(ds_copy_user(bytes, 2 * sizeof bytes, 5, 0, page(2)), DS_UNREADABLE);
}

TEST_F(UserMemory, IsTruncatedAsText) {
  char text[8] = {};
  EXPECT_EQ(ds_copy_user(text, 2 * sizeof text + 1, sizeof text, page(0), page(1)), 8);
  EXPECT_STREQ(text, "aaaaaaa");
  char across[8] = {};
  EXPECT_EQ(ds_copy_user(across, 2 * sizeof across + 1, sizeof across, page(0) + page_bytes - 2, page(2)), 8);
  EXPECT_STREQ(across, "aaccccc");
}

TEST_F(UserMemory, IsCopiedByWords) {
  u64 word = 0;
  EXPECT_EQ(ds_copy_user_word(&word, 8, page(0) + page_bytes - 3, page(2)), 0);
  EXPECT_EQ(word, 0x6363636363616161U);
  EXPECT_EQ(ds_copy_user_word(&word, 2, page(0) + page_bytes - 3, 0), 0);
  EXPECT_EQ(word & 0xffff, 0x6161U);
  EXPECT_EQ(ds_copy_user_word(&word, 4, page(0) + page_bytes - 3, 0), DS_UNREADABLE);
}

}  // namespace
}  // namespace dscope
