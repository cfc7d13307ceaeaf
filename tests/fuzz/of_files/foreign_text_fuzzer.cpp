// Texts that others write: process maps with names of files, operands of static probes, fields of tracepoints, perf
// maps.
#include "foreign_file.h"
#include "runtime/elf/process_maps.h"
#include "runtime/kernel/event_format.h"
#include "runtime/providers/process/usdt_operand.h"
#include "runtime/symbols/perf_map.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  uint64_t end = 0;
  dscope::ProcessMaps maps = dscope::ProcessMaps::parse(text);
  for (const dscope::Mapping& mapping : maps.mappings()) {
    DS_CHECK(mapping.object_name().find('/') == std::string_view::npos);
    end = mapping.end;
  }
  maps.find(end);
  dscope::read_usdt_operands(dscope::x86_64, text);
  dscope::read_usdt_operands(dscope::aarch64, text);
  dscope::read_event_format(text);
  static const dscope::fuzz::NamedFile map("/tmp/perf-" + std::to_string(::getpid()) + ".map");
  map.write(data, size);
  auto pid = static_cast<uint32_t>(::getpid());
  dscope::SymbolTable symbols = dscope::read_perf_map(pid, ::getuid());
  for (const dscope::SymbolTable::Item& symbol : symbols.items())
    DS_CHECK(symbol.name.find('\n') == std::string_view::npos);
  return 0;
}
