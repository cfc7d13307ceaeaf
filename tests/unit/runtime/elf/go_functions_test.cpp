// Go's function tables in the layouts of Go 1.2, 1.16, 1.18 and 1.20, written here byte by byte.
#include "runtime/elf/go_functions.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace dscope::test {
namespace {

constexpr uint64_t code_start = 0x401000, code_end = 0x402000;

struct Layout {
  uint32_t mark;
  bool has_parts;  // offsets of parts in the header: 1.16 and later
  bool has_text;   // addresses relative to the start of the code: 1.18 and later
  bool has_lines;  // of functions, in the records: 1.20 and later
};
constexpr Layout go12{0xfffffffb, false, false, false}, go116{0xfffffffa, true, false, false},
    go118{0xfffffff0, true, true, false}, go120{0xfffffff1, true, true, true};

class Writer {
 public:
  template <typename Number>
  void put(Number value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
  }
  void put_text(const std::string& value) {
    bytes_.insert(bytes_.end(), value.c_str(), value.c_str() + value.size() + 1);
  }
  template <typename Number>
  void put_at(size_t at, Number value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  size_t size() const { return bytes_.size(); }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// Two functions, main.main and main.(*T).add, of 64 and 32 bytes. `stated_text`: as the header states it.
std::vector<uint8_t> table_of(const Layout& layout, uint64_t stated_text = code_start) {
  constexpr uint64_t starts[] = {code_start, code_start + 64}, end = code_start + 96;
  Writer table;
  table.put(layout.mark);
  table.put(uint16_t{0});
  table.put(uint8_t{1});
  table.put(uint8_t{8});
  table.put(uint64_t{2});
  size_t parts = 0;
  if (layout.has_parts) {
    table.put(uint64_t{1});
    if (layout.has_text) table.put(stated_text);
    parts = table.size();
    for (int i = 0; i < 5; ++i) table.put(uint64_t{0});
  }
  size_t names = layout.has_parts ? table.size() : 0;
  size_t first_name = 0, second_name = 0;
  auto put_names = [&] {
    first_name = table.size() - names;
    table.put_text("main.main");
    second_name = table.size() - names;
    table.put_text("main.(*T).add");
  };
  if (layout.has_parts) put_names();
  size_t functions = table.size();
  std::vector<size_t> offsets;  // where the offsets of the records are stated
  for (uint64_t address : {starts[0], starts[1], end}) {
    if (layout.has_text) table.put(static_cast<uint32_t>(address - code_start));
    else table.put(address);
    offsets.push_back(table.size());
    if (address == end) break;
    if (layout.has_text) table.put(uint32_t{0});
    else table.put(uint64_t{0});
  }
  if (!layout.has_parts) put_names();
  for (size_t i = 0; i < 2; ++i) {
    size_t record = table.size() - (layout.has_parts ? functions : 0);
    if (layout.has_text) table.put_at(offsets[i], static_cast<uint32_t>(record));
    else table.put_at(offsets[i], uint64_t{record});
    if (layout.has_text) table.put(static_cast<uint32_t>(starts[i] - code_start));
    else table.put(starts[i]);
    table.put(static_cast<uint32_t>(i == 0 ? first_name : second_name));
    for (int j = 0; j < 7 + (layout.has_lines ? 1 : 0); ++j) table.put(uint32_t{0});
    table.put(uint8_t{0});
    table.put(static_cast<uint8_t>(i == 0 ? 1 : 4));  // flags: the first function of a stack; assembler
    table.put(uint16_t{0});
  }
  if (layout.has_parts) {
    table.put_at(parts, uint64_t{names});
    table.put_at(parts + 32, uint64_t{functions});
  }
  return table.bytes();
}

GoTable parse(std::span<const uint8_t> bytes) {
  FileBudget budget(-1);
  return parse_go_table(bytes, code_start, code_end, budget);
}

TEST(GoFunctions, AllLayouts) {
  for (const Layout& layout : {go12, go116, go118, go120}) {
    std::vector<uint8_t> bytes = table_of(layout);
    GoTable table = parse(bytes);
    ASSERT_EQ(table.functions.size(), 2U) << std::hex << layout.mark;
    EXPECT_EQ(table.functions[0].name, "main.main");
    EXPECT_EQ(table.functions[0].start, code_start);
    EXPECT_EQ(table.functions[0].size, 64U);
    EXPECT_EQ(table.functions[1].name, "main.(*T).add");
    EXPECT_FALSE(table.functions[0].is_assembler);
    EXPECT_EQ(table.functions[1].is_assembler, layout.has_text);
    EXPECT_EQ(table.functions[1].size, 32U);
    EXPECT_EQ(table.passes_registers, layout.has_text);
  }
}

TEST(GoFunctions, TheLinkerMayFillInTheStartOfTheCode) {
  std::vector<uint8_t> bytes = table_of(go120, 0);
  EXPECT_EQ(parse(bytes).functions.size(), 2U);
}

TEST(GoFunctions, BuildInformationStatesTheVersion) {
  std::string bytes = "\xff Go buildinf:";
  bytes += {8, 2};
  bytes.resize(32, '\0');
  bytes += "\x08go1.19.8 and more";
  auto version = [](const std::string& text) -> std::string {
    return parse_go_version({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(version(bytes), "go1.19.8");
  for (size_t size = 0; size < 41; ++size) EXPECT_EQ(version(bytes.substr(0, size)), "") << size;
  bytes[15] = 0;  // Go before 1.18 has a pointer there
  EXPECT_EQ(version(bytes), "");
}

TEST(GoFunctions, WrongTablesAreRefused) {
  for (const Layout& layout : {go12, go116, go118, go120}) {
    std::vector<uint8_t> whole = table_of(layout);
    for (size_t size = 0; size < whole.size() - 24; ++size)
      EXPECT_TRUE(parse(std::span{whole}.first(size)).functions.size() != 1) << "half a table";
    for (size_t at = 0; at < whole.size(); ++at)
      for (int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        std::vector<uint8_t> changed = whole;
        changed[at] = static_cast<uint8_t>(value);
        for (const GoFunction& function : parse(changed).functions) {
          EXPECT_GE(function.start, code_start);
          EXPECT_LE(function.start + function.size, code_end);
        }
      }
  }
  std::vector<uint8_t> other_code = table_of(go12);
  FileBudget budget(-1);
  EXPECT_TRUE(parse_go_table(other_code, code_start + 1, code_end, budget).functions.empty());
}

}  // namespace
}  // namespace dscope::test
