// LiveSymbolizer: the Symbolizer of a running system: kallsyms for the kernel, maps and ELF files for processes, perf
// maps for compiled-at-run-time code. Everything is read on first need and kept: processes that have exited since keep
// their names.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/dwarf/source_lines.h"
#include "runtime/dwarf/stack_unwinder.h"
#include "runtime/elf/elf_symbols.h"
#include "runtime/elf/process_maps.h"
#include "runtime/format/symbolizer.h"
#include "runtime/symbols/kallsyms.h"
#include "runtime/symbols/processes.h"

namespace dscope {

struct SymbolizerSettings {
  // Makes the names of C++ and Rust readable (codegen/core/demangle.h); null: names stay as the linker knows them.
  std::string (*demangle)(std::string_view) = nullptr;
  // Follow what processes map from the start on, so that the names of short-lived ones are found too. Needs privileges;
  // without them as if false.
  bool is_watching = false;
  // Called once if names of the kernel are wanted and it shows none; may be empty.
  std::function<void()> on_hidden_kernel = {};
};

class LiveSymbolizer final : public Symbolizer {
 public:
  explicit LiveSymbolizer(SymbolizerSettings settings);
  ~LiveSymbolizer() override;

  // Reads the maps of a process now, before it can exit; for targets and whoever knows that addresses will follow.
  void remember_process(uint32_t tgid) { processes_.remember(tgid); }

  std::string kernel_symbol(uint64_t address, bool with_offset) override;
  std::string kernel_module(uint64_t address) override;
  std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) override;
  std::string user_module(uint32_t tgid, uint64_t address) override;
  std::string kernel_caller(uint64_t address, bool with_offset) override;
  std::string user_caller(uint32_t tgid, uint64_t address, bool with_offset) override;
  uint64_t kernel_symbol_start(uint64_t address) override;
  uint64_t kernel_module_start(uint64_t address) override;
  uint64_t user_symbol_start(uint32_t tgid, uint64_t address) override;
  uint64_t user_module_start(uint32_t tgid, uint64_t address) override;
  std::vector<uint64_t> unwind(uint32_t tgid, std::span<const uint64_t> registers, std::span<const std::byte> stack,
                               size_t most) override;
  std::vector<std::string> user_source(uint32_t tgid, uint64_t address) override;
  std::string readable(std::string_view name) const override;
  bool is_tracer_frame(uint64_t address) override;
  void process_events() override { processes_.process_events(); }

 private:
  // Where an address lies in a process.
  struct Place {
    std::string object;  // empty: unknown
    std::string symbol;  // empty: unknown
    uint64_t start;      // of the symbol, or the address
  };

  const KernelSymbols& kernel();
  Place place_of(uint32_t tgid, uint64_t address);
  const ElfSymbols* symbols_of(uint32_t tgid, const Mapping& mapping);
  FramePlace frame_place(uint32_t tgid, uint64_t address);
  const SourceLines* lines_of(uint32_t tgid, const Mapping& mapping);
  struct Vdso {
    std::unique_ptr<ElfSymbols> symbols;
    std::unique_ptr<FrameTable> table;  // null: there is none
  };
  const Vdso& vdso();
  Place perf_map_place(uint32_t tgid, uint64_t address);

  SymbolizerSettings settings_;
  std::optional<KernelSymbols> kernel_;
  Processes processes_;
  std::map<std::pair<std::string, uint64_t>, std::unique_ptr<ElfSymbols>> files_;   // by device and inode
  std::map<std::pair<std::string, uint64_t>, std::unique_ptr<FrameTable>> tables_;  // the same
  std::map<std::pair<std::string, uint64_t>, std::unique_ptr<SourceLines>> lines_;  // the same
  std::optional<Vdso> vdso_;
};

std::unique_ptr<LiveSymbolizer> make_live_symbolizer(SymbolizerSettings settings = {});

}  // namespace dscope
