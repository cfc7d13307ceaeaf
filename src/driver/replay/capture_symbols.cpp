#include "driver/replay/capture_symbols.h"

namespace dscope {

const CapturedSymbol& CaptureSymbols::find(uint32_t pid, uint64_t address) {
  if (const CapturedSymbol* known = info_.find_symbol(pid, address)) return *known;
  auto [entry, is_new] = found_.try_emplace({pid, address});
  if (is_new) entry->second = objects_.describe(pid, address);
  return entry->second;
}

std::string CaptureSymbols::symbol(uint32_t pid, uint64_t address, bool with_offset) {
  const CapturedSymbol& found = find(pid, address);
  return with_offset ? found.text : found.symbol;
}

std::string CaptureSymbols::caller(uint32_t pid, uint64_t address, bool with_offset) {
  const CapturedSymbol& found = find(pid, address);
  return with_offset ? found.caller_text : found.caller;
}

}  // namespace dscope
