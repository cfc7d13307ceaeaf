// LiveSymbolizer: the Symbolizer of the running system. Names kernel addresses by kallsyms, addresses of processes by
// their maps and ELF files, and just-in-time compiled code by perf maps. Reads each source at the first use and keeps
// it, so that exited processes keep their names.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/containers/container_names.h"
#include "runtime/dwarf/source_lines.h"
#include "runtime/dwarf/stack_unwinder.h"
#include "runtime/elf/elf_symbols.h"
#include "runtime/elf/process_maps.h"
#include "runtime/format/symbolizer.h"
#include "runtime/symbols/kallsyms.h"
#include "runtime/symbols/processes.h"

namespace dscope {

struct SymbolizerSettings {
  // Demangles names of C++ and Rust (codegen/core/demangle.h); null leaves names mangled.
  std::string (*demangle)(std::string_view) = nullptr;
  // Record the mappings of all processes from the start, so that short-lived ones have names. Ignored without
  // CAP_PERFMON.
  bool is_watching = false;
  // container_name() is called: learn the cgroups from the start, so that short-lived ones have names.
  bool names_containers = false;
  // Called at most once, when a kernel name is needed but the kernel hides its symbols; may be empty.
  std::function<void()> on_hidden_kernel = {};
};

class LiveSymbolizer final : public Symbolizer {
 public:
  explicit LiveSymbolizer(SymbolizerSettings settings);
  ~LiveSymbolizer() override;

  // Reads the maps of a process before it can exit, for callers that expect addresses of it: targets, for example.
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
                               size_t max_frames) override;
  bool may_be_code(uint32_t tgid, uint64_t address) override { return processes_.may_have_code_at(tgid, address); }
  std::vector<std::string> user_source(uint32_t tgid, uint64_t address) override;
  std::string readable(std::string_view name) const override;
  bool is_tracer_frame(uint64_t address) override;
  std::string_view container_name(uint64_t cgroup, ContainerPart part) override;
  void observe_containers(const ContainerObserver& observer) override;
  std::vector<int> event_fds() const override { return containers_ ? containers_->fds() : std::vector<int>{}; }
  void process_events() override;

 private:
  // The object and the symbol that contain an address of a process.
  struct Location {
    std::string object;  // empty if unknown
    std::string symbol;  // empty if unknown
    uint64_t start;      // of the symbol; the address itself if that is unknown
    // Whether the next byte is the first one of __restore_rt, to which signal handlers return; once that is known.
    std::optional<bool> precedes_restorer = {};
  };

  // Names of a return address in the kernel, as far as they were looked up: stacks have the same addresses again and
  // again, and the table of the kernel's symbols does not change.
  struct KernelFrame {
    std::string caller, caller_with_offset;
    std::optional<bool> is_tracer;
  };

  const KernelSymbols& kernel();
  KernelFrame& kernel_frame(uint64_t address);
  // Keeps what it has found: the stacks of a profile have the same addresses again and again.
  std::shared_ptr<Location> locate(uint32_t tgid, uint64_t address);
  Location locate_anew(uint32_t tgid, uint64_t address);
  const ElfSymbols* symbols_of(uint32_t tgid, const Mapping& mapping);
  CodeLocation locate_code(uint32_t tgid, uint64_t address);
  const SourceLines* lines_of(uint32_t tgid, const Mapping& mapping);
  struct Vdso {
    std::unique_ptr<ElfSymbols> symbols;
    std::unique_ptr<FrameTable> table;  // null without libdw
  };
  const Vdso& vdso();
  Location locate_in_perf_map(uint32_t tgid, uint64_t address);

  SymbolizerSettings settings_;
  std::optional<KernelSymbols> kernel_;
  std::unordered_map<uint64_t, KernelFrame> kernel_frames_;
  Processes processes_;
  std::optional<ContainerNames> containers_;
  using FileKey = std::pair<std::string, uint64_t>;  // device and inode
  std::map<FileKey, std::unique_ptr<ElfSymbols>> files_;
  std::map<FileKey, std::unique_ptr<FrameTable>> tables_;
  std::map<FileKey, std::unique_ptr<SourceLines>> lines_;
  std::optional<Vdso> vdso_;
  struct Located {
    uint64_t generation = 0;  // of the maps of the process
    std::shared_ptr<Location> location;
  };
  std::unordered_map<uint32_t, std::unordered_map<uint64_t, Located>> located_;  // by process and address
  size_t located_count_ = 0;
};

std::unique_ptr<LiveSymbolizer> make_live_symbolizer(SymbolizerSettings settings = {});

}  // namespace dscope
