// Line tables of others: the bytes of .debug_line, whose names are in the same bytes.
#include "runtime/dwarf/line_tables.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(data), size};
  dscope::FileBudget budget(-1);
  dscope::LineTables tables({.lines = bytes, .line_strings = bytes, .strings = bytes}, budget);
  for (const dscope::LineTable* table : tables.find([](std::string_view path) { return path.size() % 2 == 0; }))
    DS_CHECK(!table->files.empty());
  return 0;
}
