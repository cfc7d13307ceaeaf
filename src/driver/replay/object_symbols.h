// ObjectSymbols: names of addresses that a capture holds without names, from the files of this machine that have the
// build-ids that were recorded. Another file of the same path is not read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/capture_info.h"
#include "runtime/elf/elf_symbols.h"
#include "runtime/elf/process_maps.h"
#include "runtime/symbols/kallsyms.h"

namespace dscope {

class ObjectSymbols {
 public:
  // `info` must outlive this object.
  explicit ObjectSymbols(const CaptureInfo& info);
  ~ObjectSymbols();

  // The texts for an address of a process, or of the kernel if `pid` is 0; numbers if there is no file for it.
  CapturedSymbol describe(uint32_t pid, uint64_t address);

 private:
  struct Location {
    std::string object, symbol;  // empty if unknown
    uint64_t start = 0, module_start = 0;
  };

  Location locate(uint32_t pid, uint64_t address);
  Location locate_in_kernel(uint64_t address);
  const ElfSymbols* symbols_of(const std::string& path);
  const KernelSymbols& kernel();

  const CaptureInfo& info_;
  std::map<uint32_t, ProcessMaps> maps_;
  std::map<std::string, std::string> build_ids_;              // by path
  std::map<std::string, std::unique_ptr<ElfSymbols>> files_;  // by path; null: there is no such file
  std::optional<KernelSymbols> kernel_;
};

}  // namespace dscope
