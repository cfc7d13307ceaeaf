// Lookups of types in a BTF blob by id and by name.
#include "runtime/kernel/btf_index.h"

#include <gtest/gtest.h>

#include "tests/unit/runtime/kernel/btf_blob.h"

namespace dscope {
namespace {

BtfBlob small_kernel() {
  BtfBlob blob;
  blob.add(BTF_KIND_INT, "int", 4, {BTF_INT_SIGNED << 24 | 32});
  blob.add(BTF_KIND_STRUCT, "thing", 4, {blob.name("value"), 1, 0}, 1);
  blob.add(BTF_KIND_TYPEDEF, "thing", 2);
  blob.add(BTF_KIND_FUNC_PROTO, "", 1, {blob.name("x"), 1}, 1);
  blob.add(BTF_KIND_FUNC, "do_thing", 4);
  blob.add(BTF_KIND_ENUM64, "wide", 8, {blob.name("WIDE"), 1, 2}, 1);
  return blob;
}

TEST(BtfIndex, FindsTypesBeforeAndAfterHashing) {
  std::vector<std::byte> bytes = small_kernel().bytes();
  auto index = BtfIndex::over(bytes);
  ASSERT_TRUE(index) << index.error().message();
  EXPECT_EQ((*index)->end_id(), 7U);
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ((*index)->find(BTF_KIND_STRUCT, "thing"), 2U);
    EXPECT_EQ((*index)->find(BTF_KIND_TYPEDEF, "thing"), 3U);
    EXPECT_EQ((*index)->find(BTF_KIND_ENUM, "wide"), 6U);
    EXPECT_FALSE((*index)->find(BTF_KIND_UNION, "thing"));
    EXPECT_FALSE((*index)->find(BTF_KIND_STRUCT, "thin"));
    EXPECT_FALSE((*index)->find(BTF_KIND_STRUCT, ""));
  }
  EXPECT_EQ((*index)->find_object(BTF_KIND_FUNC, "do_thing"), 5U);
}

TEST(BtfIndex, SplitBlobContinuesItsBase) {
  BtfBlob kernel = small_kernel();
  BtfBlob module{&kernel};
  uint32_t pointer = module.add(BTF_KIND_PTR, "", 2);
  uint32_t mine = module.add(BTF_KIND_STRUCT, "mine", 8, {module.name("target"), pointer, 0}, 1);
  std::vector<std::byte> kernel_bytes = kernel.bytes(), module_bytes = module.bytes();
  auto base = BtfIndex::over(kernel_bytes);
  ASSERT_TRUE(base);
  auto split = BtfIndex::over(module_bytes, base->get());
  ASSERT_TRUE(split);
  EXPECT_EQ((*split)->first_id(), 7U);
  EXPECT_EQ((*split)->find(BTF_KIND_STRUCT, "mine"), mine);
  EXPECT_FALSE((*split)->find(BTF_KIND_STRUCT, "thing"));
  EXPECT_EQ((*split)->name_of(2), "thing");
  auto members = (*split)->trailing<btf_member>(mine);
  ASSERT_EQ(members.size(), 1U);
  EXPECT_EQ((*split)->name(members[0].name_off), "target");
}

TEST(BtfIndex, RejectsDamagedBlobs) {
  std::vector<std::byte> bytes = small_kernel().bytes();
  EXPECT_FALSE(BtfIndex::over(std::span{bytes}.first(10)));
  EXPECT_FALSE(BtfIndex::over(std::span{bytes}.first(bytes.size() - 1)));
  std::vector<std::byte> other = bytes;
  other[0] = std::byte{0};
  EXPECT_FALSE(BtfIndex::over(other));
  BtfBlob unknown;
  unknown.add(31, "later_kind", 0);
  std::vector<std::byte> unknown_bytes = unknown.bytes();
  EXPECT_FALSE(BtfIndex::over(unknown_bytes));
}

}  // namespace
}  // namespace dscope
