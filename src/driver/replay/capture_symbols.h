// CaptureSymbols: the names of addresses that a capture holds, or that files of this machine have.
#pragma once

#include <map>
#include <utility>

#include "capture/capture_info.h"
#include "driver/replay/object_symbols.h"
#include "runtime/format/symbolizer.h"

namespace dscope {

class CaptureSymbols : public Symbolizer {
 public:
  // `info` must outlive this object.
  explicit CaptureSymbols(const CaptureInfo& info) : info_(info), objects_(info) {}

  std::string kernel_symbol(uint64_t address, bool with_offset) override { return symbol(0, address, with_offset); }
  std::string kernel_module(uint64_t address) override { return module(0, address); }
  std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) override {
    return symbol(tgid, address, with_offset);
  }
  std::string user_module(uint32_t tgid, uint64_t address) override { return module(tgid, address); }
  std::string kernel_caller(uint64_t address, bool with_offset) override { return caller(0, address, with_offset); }
  std::string user_caller(uint32_t tgid, uint64_t address, bool with_offset) override {
    return caller(tgid, address, with_offset);
  }
  uint64_t kernel_symbol_start(uint64_t address) override { return start(0, address); }
  uint64_t kernel_module_start(uint64_t address) override { return module_start(0, address); }
  uint64_t user_symbol_start(uint32_t tgid, uint64_t address) override { return start(tgid, address); }
  uint64_t user_module_start(uint32_t tgid, uint64_t address) override { return module_start(tgid, address); }
  bool is_tracer_frame(uint64_t) override { return false; }  // the recorder has left them out

 private:
  const CapturedSymbol& find(uint32_t pid, uint64_t address);
  std::string symbol(uint32_t pid, uint64_t address, bool with_offset);
  std::string caller(uint32_t pid, uint64_t address, bool with_offset);
  std::string module(uint32_t pid, uint64_t address) { return find(pid, address).module; }
  uint64_t start(uint32_t pid, uint64_t address) { return find(pid, address).start; }
  uint64_t module_start(uint32_t pid, uint64_t address) { return find(pid, address).module_start; }

  const CaptureInfo& info_;
  ObjectSymbols objects_;
  std::map<std::pair<uint32_t, uint64_t>, CapturedSymbol> found_;  // what the capture does not name
};

}  // namespace dscope
