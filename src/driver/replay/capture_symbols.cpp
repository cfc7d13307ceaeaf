#include "driver/replay/capture_symbols.h"

#include "support/format.h"

namespace dscope {

namespace {

std::string number(uint64_t address) { return fmt::format("0x{:x}", address); }

}  // namespace

std::string CaptureSymbols::symbol(uint32_t pid, uint64_t address, bool with_offset) const {
  const CapturedSymbol* found = info_.find_symbol(pid, address);
  if (found == nullptr) return number(address);
  return with_offset ? found->text : found->symbol;
}

std::string CaptureSymbols::caller(uint32_t pid, uint64_t address, bool with_offset) const {
  const CapturedSymbol* found = info_.find_symbol(pid, address);
  if (found == nullptr) return number(address);
  return with_offset ? found->caller_text : found->caller;
}

std::string CaptureSymbols::module(uint32_t pid, uint64_t address) const {
  const CapturedSymbol* found = info_.find_symbol(pid, address);
  return found == nullptr ? number(address) : found->module;
}

uint64_t CaptureSymbols::start(uint32_t pid, uint64_t address) const {
  const CapturedSymbol* found = info_.find_symbol(pid, address);
  return found == nullptr ? address : found->start;
}

uint64_t CaptureSymbols::module_start(uint32_t pid, uint64_t address) const {
  const CapturedSymbol* found = info_.find_symbol(pid, address);
  return found == nullptr ? address : found->module_start;
}

}  // namespace dscope
