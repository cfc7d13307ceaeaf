// LiveSymbolizer: the Symbolizer of a running system: kallsyms for the kernel, maps and ELF files for processes, perf
// maps for compiled-at-run-time code. Everything is read on first need and kept: processes that have exited since keep
// their names.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "runtime/output/consumer.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/symbols/kallsyms.h"
#include "runtime/symbols/process_maps.h"

namespace dscope {

class LiveSymbolizer final : public Symbolizer {
 public:
  LiveSymbolizer();
  ~LiveSymbolizer() override;

  // Reads the maps of a process now, before it can exit; for targets and whoever knows that addresses will follow.
  void remember_process(uint32_t tgid);

  std::string kernel_symbol(uint64_t address, bool with_offset) override;
  std::string kernel_module(uint64_t address) override;
  std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) override;
  std::string user_module(uint32_t tgid, uint64_t address) override;
  uint64_t kernel_symbol_start(uint64_t address) override;
  uint64_t kernel_module_start(uint64_t address) override;
  uint64_t user_symbol_start(uint32_t tgid, uint64_t address) override;
  uint64_t user_module_start(uint32_t tgid, uint64_t address) override;
  bool is_tracer_frame(uint64_t address) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Process {
    ProcessMaps maps;
    Clock::time_point read_at{};  // of the last attempt to read the maps
    Clock::time_point used_at{};
    bool is_alive = true;
    bool is_perf_map_fresh = false;  // read since the maps were
    SymbolTable perf_map;
  };
  // Where an address lies in a process.
  struct Place {
    std::string object;  // empty: unknown
    std::string symbol;  // empty: unknown
    uint64_t start;      // of the symbol, or the address
  };

  const KernelSymbols& kernel();
  Process* process(uint32_t tgid);
  const Mapping* find_mapping(uint32_t tgid, uint64_t address);
  void refresh(uint32_t tgid, Process& process);
  void make_room();
  Place place_of(uint32_t tgid, uint64_t address);
  const ElfSymbols* symbols_of(uint32_t tgid, const Mapping& mapping);
  const ElfSymbols& vdso();
  Place perf_map_place(uint32_t tgid, uint64_t address);

  std::optional<KernelSymbols> kernel_;
  std::unordered_map<uint32_t, Process> processes_;
  std::map<std::pair<std::string, uint64_t>, std::unique_ptr<ElfSymbols>> files_;  // by device and inode
  std::unique_ptr<ElfSymbols> vdso_;
};

std::unique_ptr<LiveSymbolizer> make_live_symbolizer();

}  // namespace dscope
