#include "import/tracing_data.h"

#include "import/byte_reader.h"

namespace dscope {

std::vector<PerfTracepoint> read_tracing_data(std::string_view bytes) {
  constexpr std::string_view magic = "\x17\x08\x44tracing";
  std::vector<PerfTracepoint> found;
  ByteReader reader(bytes);
  if (reader.bytes(magic.size()) != magic) return found;
  reader.text();                                                   // version
  if (reader.bytes(1) != std::string_view{"\0", 1}) return found;  // big-endian
  reader.bytes(1 + sizeof(uint32_t));                              // sizes of long and of a page
  for (int i = 0; i < 2; ++i) {                                    // header_page, header_event
    reader.text();
    reader.bytes(reader.u64());
  }
  for (uint32_t left = reader.u32(); left > 0 && !reader.has_failed(); --left) reader.bytes(reader.u64());  // of ftrace
  for (uint32_t groups = reader.u32(); groups > 0 && !reader.has_failed(); --groups) {
    std::string_view group = reader.text();
    for (uint32_t left = reader.u32(); left > 0 && !reader.has_failed(); --left) {
      std::string_view format = reader.bytes(reader.u64());
      if (!format.empty()) found.push_back({group, format});
    }
  }
  return found;
}

}  // namespace dscope
