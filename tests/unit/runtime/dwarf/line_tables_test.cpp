// Reads line tables made by hand: rows, file names of both layouts, and damage.
#include "runtime/dwarf/line_tables.h"

#include <gtest/gtest.h>

#include <cstring>

namespace dscope::test {
namespace {

using Bytes = std::vector<std::byte>;

void append(Bytes& to, uint64_t number, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&number);
  to.insert(to.end(), bytes, bytes + size);
}
void append(Bytes& to, std::string_view text) {
  for (char c : text) to.push_back(static_cast<std::byte>(c));
  to.push_back(std::byte{0});
}

// A table of version 4 with the given program. line_base is -5, line_range 14, opcode_base 13.
Bytes table(std::initializer_list<unsigned> program) {
  Bytes names, head, body;
  append(names, "include");
  append(names, 0, 1);
  append(names, "cart.c");
  append(names, 0, 3);
  append(names, "cart_price.h");
  append(names, 1, 1);
  append(names, 0, 2);
  append(names, 0, 1);
  for (unsigned each : {1U, 1U, 1U, 0xfbU, 14U, 13U}) append(head, each, 1);
  for (unsigned each : {0U, 1U, 1U, 1U, 1U, 0U, 0U, 0U, 1U, 0U, 0U, 1U}) append(head, each, 1);
  head.insert(head.end(), names.begin(), names.end());
  append(body, 4, 2);
  append(body, head.size(), 4);
  body.insert(body.end(), head.begin(), head.end());
  for (unsigned each : program) append(body, each, 1);
  Bytes whole;
  append(whole, body.size(), 4);
  whole.insert(whole.end(), body.begin(), body.end());
  return whole;
}

constexpr auto set_address = {0U, 9U, 2U, 0x00U, 0x10U, 0U, 0U, 0U, 0U, 0U, 0U};

Bytes two_files() {
  std::vector<unsigned> program(set_address);
  // Line 10 of file 1; 4 bytes later line 3 of file 2, behind the prologue; end after 2 more bytes.
  for (unsigned each : {3U, 9U, 1U, 2U, 4U, 4U, 2U, 3U, 0x79U, 10U, 1U, 2U, 2U, 0U, 1U, 1U}) program.push_back(each);
  Bytes bytes = table({});
  for (unsigned each : program) append(bytes, each, 1);
  auto size = static_cast<uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &size, sizeof size);
  return bytes;
}

TEST(LineTables, RowsHaveAddressesFilesAndLines) {
  Bytes bytes = two_files();
  FileBudget budget(-1);
  LineTables tables({.lines = bytes, .line_strings = {}, .strings = {}}, budget);
  auto found = tables.find([](std::string_view path) { return path == "cart.c"; });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]->files[2], "include/cart_price.h");
  std::vector<LineRow> expected = {
      {.address = 0x1000, .file = 1, .line = 10, .is_statement = true},
      {.address = 0x1004, .file = 2, .line = 3, .is_statement = true, .ends_prologue = true},
      {.address = 0x1006, .file = 2, .line = 3, .is_statement = true, .ends_sequence = true}};
  EXPECT_EQ(found[0]->rows, expected);
  EXPECT_TRUE(tables.find([](std::string_view path) { return path == "other.c"; }).empty());
}

// Whatever is cut off or changed, reading ends, and the rows that remain are those of the table.
TEST(LineTables, DamageEndsTheTable) {
  Bytes whole = two_files();
  for (size_t size = 0; size < whole.size(); ++size) {
    Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    FileBudget budget(-1);
    EXPECT_TRUE(LineTables({.lines = bytes, .line_strings = {}, .strings = {}}, budget)
                    .find([](std::string_view) { return true; })
                    .empty());
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    Bytes bytes = whole;
    bytes[at] ^= std::byte{0xff};
    FileBudget budget(-1);
    LineTables({.lines = bytes, .line_strings = {}, .strings = {}}, budget).find([](std::string_view) { return true; });
  }
}

}  // namespace
}  // namespace dscope::test
