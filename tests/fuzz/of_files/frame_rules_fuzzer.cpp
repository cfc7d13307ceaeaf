// Call frame information of others, compiled to the tables that BPF programs search: the input is a section .eh_frame,
// or an ELF file with one. Programs search without checks, so that rows must be sorted, and each rule one that they
// know.
#include <algorithm>

#include "runtime/unwind/object_tables.h"
#include "support/check.h"

namespace {

void check_rows(std::span<const uint8_t> section) {
  dscope::FileBudget budget(-1);
  auto rows = dscope::read_frame_rules({.bytes = section, .address = 0x10000}, budget);
  for (size_t i = 0; i < rows.size(); ++i) {
    DS_CHECK(i == 0 || rows[i].address > rows[i - 1].address);
    DS_CHECK(rows[i].rule.kind <= DS_UNWIND_UNSUPPORTED && rows[i].rule.frame_kind <= DS_UNWIND_FRAME_AT_FRAME);
  }
}

void check_tables(std::vector<char> image) {
  constexpr size_t max_chunks = 4;
  std::vector<std::vector<uint32_t>> chunks;
  dscope::TableMemory memory([&](uint32_t) {
    return chunks.size() == max_chunks ? std::span<uint32_t>{} : std::span{chunks.emplace_back(DS_UNWIND_CHUNK_WORDS)};
  });
  dscope::ObjectTables tables(memory);
  const dscope::ObjectTable& table = tables.of_memory(image);
  for (uint32_t page = 0; page < table.page_count; ++page) {
    auto entry = memory.at(table.pages, table.page_count * 2).subspan(page * size_t{2}, 2);
    DS_CHECK(entry[1] != 0);
    auto rows = memory.at(entry[0], entry[1]);
    DS_CHECK(rows[0] >> 16 == 0 && std::ranges::is_sorted(rows, {}, [](uint32_t row) { return row >> 16; }));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check_rows({data, size});
  const auto* bytes = reinterpret_cast<const char*>(data);
  if (size >= SELFMAG && std::equal(bytes, bytes + SELFMAG, ELFMAG)) check_tables({bytes, bytes + size});
  return 0;
}
