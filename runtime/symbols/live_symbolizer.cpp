#include "runtime/symbols/live_symbolizer.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "runtime/elf/debug_files.h"
#include "support/format.h"

namespace dscope {

namespace {

// Prefixes of the kernel functions between a probe and its BPF program.
constexpr std::array<std::string_view, 23> tracer_prefixes = {
    "bpf_prog_",       "bpf_trace_run",   "__bpf_trace_",    "__traceiter_",    "__bpf_prog_",      "bpf_get_stack",
    "bpf_get_task_st", "bpf_dispatcher_", "bpf_trampoline_", "perf_trace_",     "trace_call_bpf",   "__bpf_get_stack",
    "kprobe_",         "kretprobe_",      "__kretprobe_",    "fprobe_",         "__fprobe_",        "ftrace_",
    "arch_ftrace_",    "rethook_",        "arch_rethook_",   "function_graph_", "return_to_handler"};

constexpr size_t max_located = 32'768;
constexpr size_t max_kernel_frames = 16'384;

std::string address_text(uint64_t address) { return fmt::format("0x{:x}", address); }

std::string symbol_text(std::string_view object, std::string_view symbol, uint64_t offset) {
  std::string text = fmt::format("{}`{}", object, symbol);
  if (offset != 0) text += fmt::format("+0x{:x}", offset);
  return text;
}

// Opens the file of a mapping: through the process while it lives, which works for containers and deleted files, then
// by path, if the path still leads to the same inode.
Fd open_mapped(uint32_t tgid, const Mapping& mapping, const std::string& root) {
  if (Fd fd = open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", tgid, mapping.start, mapping.end))) return fd;
  if (mapping.is_deleted) return Fd{};
  if (Fd fd = open_in_root(fmt::format("/proc/{}/root", tgid), mapping.path)) return fd;
  for (const std::string& candidate : {root, std::string{}}) {
    Fd fd = open_in_root(candidate, mapping.path);
    struct stat status;
    if (fd && ::fstat(fd.get(), &status) == 0 && status.st_ino == mapping.inode) return fd;
  }
  return Fd{};
}

}  // namespace

LiveSymbolizer::LiveSymbolizer(SymbolizerSettings settings) : settings_(std::move(settings)) {
  if (settings_.is_watching) processes_.watch();
  if (settings_.names_containers) containers_.emplace(ContainerNames::of_machine());
}
LiveSymbolizer::~LiveSymbolizer() = default;

std::unique_ptr<LiveSymbolizer> make_live_symbolizer(SymbolizerSettings settings) {
  return std::make_unique<LiveSymbolizer>(std::move(settings));
}

void LiveSymbolizer::process_events() {
  processes_.process_events();
  if (containers_) containers_->process_events();
}

// ---------------------------------------------------------------- containers

std::string_view LiveSymbolizer::container_name(uint64_t cgroup, ContainerPart part) {
  if (!containers_) containers_.emplace(ContainerNames::of_machine());
  return containers_->name(cgroup, part);
}

void LiveSymbolizer::observe_containers(const ContainerObserver& observer) {
  if (!containers_) containers_.emplace(ContainerNames::of_machine());
  containers_->set_observer([observer](uint64_t cgroup, const ContainerNaming& naming) {
    std::vector<std::string_view> names;
    for (ContainerPart part : all_container_parts) names.push_back(naming.part(part));
    observer(cgroup, names);
  });
}

// ---------------------------------------------------------------- kernel

const KernelSymbols& LiveSymbolizer::kernel() {
  if (!kernel_) {
    kernel_ = KernelSymbols::load();
    if (kernel_->size() == 0 && settings_.on_hidden_kernel) settings_.on_hidden_kernel();
  }
  return *kernel_;
}

std::string LiveSymbolizer::kernel_symbol(uint64_t address, bool with_offset) {
  auto found = kernel().find(address);
  if (!found) return address_text(address);
  return symbol_text(found->module, found->name, with_offset ? address - found->start : 0);
}

LiveSymbolizer::KernelFrame& LiveSymbolizer::kernel_frame(uint64_t address) {
  if (kernel_frames_.size() == max_kernel_frames) kernel_frames_.clear();
  return kernel_frames_[address];
}

std::string LiveSymbolizer::kernel_caller(uint64_t address, bool with_offset) {
  KernelFrame& frame = kernel_frame(address);
  std::string& text = with_offset ? frame.caller_with_offset : frame.caller;
  if (!text.empty()) return text;
  auto found = kernel().find(address - 1);
  text = found ? symbol_text(found->module, found->name, with_offset ? address - found->start : 0)
               : kernel_symbol(address, with_offset);
  return text;
}

std::string LiveSymbolizer::kernel_module(uint64_t address) {
  auto found = kernel().find(address);
  return found ? std::string{found->module} : address_text(address);
}

uint64_t LiveSymbolizer::kernel_symbol_start(uint64_t address) {
  auto found = kernel().find(address);
  return found ? found->start : address;
}

uint64_t LiveSymbolizer::kernel_module_start(uint64_t address) {
  auto found = kernel().find(address);
  return found ? found->module_start : address;
}

bool LiveSymbolizer::is_tracer_frame(uint64_t address) {
  std::optional<bool>& is_tracer = kernel_frame(address).is_tracer;
  if (!is_tracer) {
    auto found = kernel().find(address);
    is_tracer = found && (found->module == "bpf" || std::ranges::any_of(tracer_prefixes, [&](std::string_view prefix) {
                            return found->name.starts_with(prefix);
                          }));
  }
  return *is_tracer;
}

// ---------------------------------------------------------------- processes

const LiveSymbolizer::Vdso& LiveSymbolizer::vdso() {
  if (vdso_) return *vdso_;
  // All processes share one vDSO of a few pages; our own is the easiest to read.
  auto* start = reinterpret_cast<char*>(::getauxval(AT_SYSINFO_EHDR));
  std::optional<ProcessMaps> own = ProcessMaps::read(static_cast<uint32_t>(::getpid()));
  const Mapping* mapping = own && start ? own->find(reinterpret_cast<uint64_t>(start)) : nullptr;
  std::span<char> image;
  if (mapping) image = {start, static_cast<size_t>(mapping->end - mapping->start)};
  return vdso_.emplace(Vdso{.symbols = mapping ? ElfSymbols::from_memory(image) : std::make_unique<ElfSymbols>(),
                            .table = FrameTable::of_memory(image)});
}

const ElfSymbols* LiveSymbolizer::symbols_of(uint32_t tgid, const Mapping& mapping) {
  if (mapping.is_vdso()) return vdso().symbols.get();
  if (!mapping.is_file()) return nullptr;
  std::pair key{mapping.device, mapping.inode};
  if (auto found = files_.find(key); found != files_.end()) return found->second.get();
  Fd fd = open_mapped(tgid, mapping, processes_.root(tgid));
  // A failure is not cached: another process may give access to the file.
  if (!fd) return nullptr;
  return files_.emplace(key, ElfSymbols::read(fd.get(), mapping.path, fmt::format("/proc/{}/root", tgid)))
      .first->second.get();
}

CodeLocation LiveSymbolizer::locate_code(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = processes_.find(tgid, address);
  if (mapping != nullptr && mapping->is_vdso())
    return {vdso().table.get(), vdso().symbols->virtual_address(address - mapping->start)};
  const ElfSymbols* symbols = mapping != nullptr && mapping->is_file() ? symbols_of(tgid, *mapping) : nullptr;
  if (symbols == nullptr) return {};
  std::pair key{mapping->device, mapping->inode};
  auto known = tables_.find(key);
  if (known == tables_.end())
    known = tables_.emplace(key, FrameTable::open(open_mapped(tgid, *mapping, processes_.root(tgid)))).first;
  return {known->second.get(), symbols->virtual_address(address - mapping->start + mapping->offset)};
}

std::vector<uint64_t> LiveSymbolizer::unwind(uint32_t tgid, std::span<const uint64_t> registers,
                                             std::span<const std::byte> stack, size_t max_frames) {
  auto locate = [&](uint64_t address) { return locate_code(tgid, address); };
  return dscope::unwind(ThreadRegisters::from_pt_regs(registers), stack, max_frames, locate);
}

const SourceLines* LiveSymbolizer::lines_of(uint32_t tgid, const Mapping& mapping) {
  if (!mapping.is_file()) return nullptr;
  auto [entry, is_new] = lines_.try_emplace({mapping.device, mapping.inode});
  std::unique_ptr<SourceLines>& lines = entry->second;
  if (is_new)
    lines = SourceLines::open(fmt::format("/proc/{}/root", tgid), mapping.path,
                              fmt::format("/proc/{}/map_files/{:x}-{:x}", tgid, mapping.start, mapping.end));
  // The process may have exited: then its path counts if it leads to the same file.
  struct stat file{};
  bool is_same_file = ::stat(mapping.path.c_str(), &file) == 0 && file.st_ino == mapping.inode;
  if (is_new && lines == nullptr && is_same_file) lines = SourceLines::open("", mapping.path, "");
  return lines.get();
}

std::vector<std::string> LiveSymbolizer::user_source(uint32_t tgid, uint64_t address) {
  std::vector<std::string> texts;
  const Mapping* mapping = processes_.find(tgid, address);
  if (mapping == nullptr) return texts;
  const ElfSymbols* symbols = symbols_of(tgid, *mapping);
  const SourceLines* lines = symbols != nullptr ? lines_of(tgid, *mapping) : nullptr;
  if (lines == nullptr) return texts;
  for (const auto& line : lines->find(symbols->virtual_address(address - mapping->start + mapping->offset))) {
    std::string text = fmt::format("{}:{}", line.file, line.number);
    if (!line.function.empty()) text = fmt::format("{}`{} [inlined] ({})", mapping->object_name(), line.function, text);
    texts.push_back(std::move(text));
  }
  return texts;
}

LiveSymbolizer::Location LiveSymbolizer::locate_in_perf_map(uint32_t tgid, uint64_t address) {
  auto found = processes_.find_in_perf_map(tgid, address);
  if (!found) return {"", "", address};
  return {fmt::format("perf-{}.map", tgid), std::string{found->name}, found->start};
}

std::string LiveSymbolizer::readable(std::string_view name) const {
  return settings_.demangle ? settings_.demangle(name) : std::string{name};
}

std::shared_ptr<LiveSymbolizer::Location> LiveSymbolizer::locate(uint32_t tgid, uint64_t address) {
  uint64_t generation = processes_.generation(tgid);
  if (auto known = located_.find(tgid); known != located_.end())
    if (auto found = known->second.find(address);
        found != known->second.end() && found->second.generation == generation)
      return found->second.location;
  auto location = std::make_shared<Location>(locate_anew(tgid, address));
  // Another process may give access to the file, and compilers add to perf maps.
  bool is_lasting = !location->symbol.empty() && !location->object.starts_with("perf-");
  if (!is_lasting) return location;
  if (located_count_ == max_located) {
    located_.clear();
    located_count_ = 0;
  }
  auto [entry, is_new] = located_[tgid].insert_or_assign(address, Located{generation, location});
  located_count_ += is_new ? 1 : 0;
  return location;
}

LiveSymbolizer::Location LiveSymbolizer::locate_anew(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = processes_.find(tgid, address);
  // The last mappings of an exited process may be unknown.
  if (!mapping) return locate_in_perf_map(tgid, address);
  // Zeroed variables (.bss) may fill whole anonymous pages after those of the object.
  bool is_zeroed = mapping->path.empty() && !mapping->is_executable;
  if (is_zeroed) mapping = processes_.find(tgid, mapping->start - 1);
  if (!mapping || mapping->object_name().empty()) return locate_in_perf_map(tgid, address);
  // Compilers map generated code twice from a memfd, once writable and once executable.
  if (mapping->path.starts_with("/memfd:"))
    if (Location generated = locate_in_perf_map(tgid, address); !generated.object.empty()) return generated;
  Location location{std::string{mapping->object_name()}, "", address};
  const ElfSymbols* symbols = symbols_of(tgid, *mapping);
  uint64_t offset = address - mapping->start + mapping->offset;
  if (is_zeroed && (!symbols || !symbols->segment_address(offset))) return locate_in_perf_map(tgid, address);
  if (!symbols) return location;
  uint64_t virtual_address = symbols->virtual_address(offset);
  auto found = symbols->find(virtual_address);
  if (!found) return location;
  location.symbol = readable(found->name);
  location.start = address - (virtual_address - found->start);
  return location;
}

std::string LiveSymbolizer::user_symbol(uint32_t tgid, uint64_t address, bool with_offset) {
  std::shared_ptr<const Location> location = locate(tgid, address);
  if (location->object.empty()) return address_text(address);
  if (location->symbol.empty()) return fmt::format("{}`0x{:x}", location->object, address);
  return symbol_text(location->object, location->symbol, with_offset ? address - location->start : 0);
}

// A return address may be past the end of its function, so the byte before it is looked up. A signal handler,
// however, returns to the first byte of __restore_rt, which nothing has called.
std::string LiveSymbolizer::user_caller(uint32_t tgid, uint64_t address, bool with_offset) {
  std::shared_ptr<Location> location = locate(tgid, address - 1);
  if (!location->precedes_restorer) location->precedes_restorer = locate(tgid, address)->symbol == "__restore_rt";
  if (location->object.empty() || location->symbol.empty() || *location->precedes_restorer)
    return user_symbol(tgid, address, with_offset);
  return symbol_text(location->object, location->symbol, with_offset ? address - location->start : 0);
}

std::string LiveSymbolizer::user_module(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = processes_.find(tgid, address);
  return mapping && !mapping->object_name().empty() ? std::string{mapping->object_name()} : address_text(address);
}

uint64_t LiveSymbolizer::user_symbol_start(uint32_t tgid, uint64_t address) { return locate(tgid, address)->start; }

uint64_t LiveSymbolizer::user_module_start(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = processes_.find(tgid, address);
  return mapping ? mapping->start : address;
}

}  // namespace dscope
