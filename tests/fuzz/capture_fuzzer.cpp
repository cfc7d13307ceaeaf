// The content of capture blocks that anyone may have written, behind their checksums. The first byte chooses the kind
// of block. Blocks that can be read must survive being written again.
#include <cstdlib>
#include <string>

#include "capture/capture_block.h"
#include "capture/capture_shape.h"
#include "capture/event_columns.h"

namespace {

void read_start(const std::string& content) {
  auto start = dscope::unpack_start(content);
  if (!start) return;
  if (!dscope::unpack_start(dscope::pack_start(*start))) std::abort();
  dscope::TypeTable types;
  std::map<uint32_t, dscope::TypeId> imported;
  for (uint32_t i = 0; i < start->info.types.size(); ++i) {
    dscope::TypeId type = dscope::import_captured_type(start->info, dscope::TypeId{i}, types, imported);
    types.size_of(type);
    types.spell(type);
  }
}

void read_block(std::string_view content) {
  using dscope::ColumnKind;
  static const std::vector<dscope::CapturedShape> shapes = {
      {.word_count = 2,
       .columns = {{ColumnKind::Word, 0}, {ColumnKind::Word, 1}, {ColumnKind::Memory, 1}},
       .objects = {}},
      {.word_count = 1,
       .columns = {{ColumnKind::MemberNumber, 0, 4, 8}, {ColumnKind::MemberMemory, 0, 12, 20}},
       .objects = {{0, 32}}}};
  if (content.empty()) return;
  dscope::CaptureTables tables;
  dscope::CaptureTableBuilder builder(tables);
  dscope::CaptureBatch batch;
  dscope::BlockHeader header{.type = dscope::BlockType::Events,
                             .event_count = static_cast<unsigned char>(content.front())};
  if (!dscope::read_events(content.substr(1), header, shapes, 0, builder, batch)) return;
  uint64_t sum = 0;
  for (const dscope::CaptureEvent& event : batch.events) {
    sum += event.words[0] + tables.threads[event.thread].pid + tables.stacks[event.kernel_stack].size();
    for (const dscope::CapturedMemory& memory : event.memory)
      for (std::byte byte : memory.bytes) sum += static_cast<uint64_t>(byte);
  }
  if (sum == 0x123456789abcdef) std::abort();  // so that the reads are not optimized away
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0: read_start(content); break;
    case 1: (void)dscope::unpack_additions(content); break;
    case 2: read_block(content); break;
    case 3:
      if (auto header = dscope::parse_block_header(content))
        (void)dscope::open_block(*header, std::string_view{content}.substr(dscope::block_header_size));
      break;
  }
  return 0;
}
