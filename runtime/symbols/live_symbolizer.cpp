#include "runtime/symbols/live_symbolizer.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "support/fd.h"
#include "support/format.h"

namespace dscope {

namespace {

// A process may map more, or execute another program: maps older than this are read again before they are used.
constexpr std::chrono::seconds maps_lifetime{1};
constexpr size_t most_processes = 4096;
constexpr size_t largest_perf_map = size_t{256} << 20;

// Kernel functions between a probe's place and the BPF program it runs.
constexpr std::array<std::string_view, 12> tracer_prefixes = {
    "bpf_prog_",       "bpf_trace_run",   "__bpf_trace_",    "__traceiter_", "__bpf_prog_",    "bpf_get_stack",
    "bpf_get_task_st", "bpf_dispatcher_", "bpf_trampoline_", "perf_trace_",  "trace_call_bpf", "__bpf_get_stack"};

std::string address_text(uint64_t address) { return fmt::format("0x{:x}", address); }

std::string symbol_text(std::string_view object, std::string_view symbol, uint64_t offset) {
  std::string text = fmt::format("{}`{}", object, symbol);
  if (offset != 0) text += fmt::format("+0x{:x}", offset);
  return text;
}

// Opens a regular file and nothing that could block or act: the path is the traced process's choice.
Fd open_regular(const std::string& path) {
  Fd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat status;
  if (fd && (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))) fd.reset();
  return fd;
}

// The file behind a mapping: through the process while it lives (right across containers and deletion), then by path
// if the same file is still there.
Fd open_mapped(uint32_t tgid, const Mapping& mapping) {
  if (Fd fd = open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", tgid, mapping.start, mapping.end))) return fd;
  if (mapping.is_deleted) return Fd{};
  if (Fd fd = open_regular(fmt::format("/proc/{}/root{}", tgid, mapping.path))) return fd;
  Fd fd = open_regular(mapping.path);
  struct stat status;
  if (fd && (::fstat(fd.get(), &status) != 0 || status.st_ino != mapping.inode)) fd.reset();
  return fd;
}

// Pid of a process in its own namespace: the last number of the NSpid line. That is the one a perf map is named by.
std::string namespace_pid(uint32_t tgid) {
  std::string status = read_small_file(fmt::format("/proc/{}/status", tgid));
  size_t at = status.find("\nNSpid:");
  if (at == std::string::npos) return fmt::format("{}", tgid);
  std::string_view line = std::string_view{status}.substr(at + 1);
  line = line.substr(0, line.find('\n'));
  return std::string{line.substr(line.find_last_of(" \t") + 1)};
}

// A map in /tmp is believed only if root or the owner of the process wrote it.
bool is_trusted_owner(uint32_t tgid, int fd) {
  struct stat file, process;
  if (::fstat(fd, &file) != 0 || static_cast<size_t>(file.st_size) > largest_perf_map) return false;
  if (::stat(fmt::format("/proc/{}", tgid).c_str(), &process) != 0) return false;
  return file.st_uid == 0 || file.st_uid == process.st_uid;
}

std::string read_perf_map(uint32_t tgid) {
  std::string path = fmt::format("/proc/{}/root/tmp/perf-{}.map", tgid, namespace_pid(tgid));
  Fd fd = open_regular(path);
  if (!fd || !is_trusted_owner(tgid, fd.get())) return {};
  std::string text;
  char buffer[65536];
  for (ssize_t got; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  return text;
}

// "START SIZE name" in hexadecimal, one symbol per line.
SymbolTable parse_perf_map(std::string_view text) {
  SymbolTable table;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    uint64_t start = 0, size = 0;
    auto first = std::from_chars(line.data(), line.data() + line.size(), start, 16);
    if (first.ec != std::errc{} || first.ptr == line.data() + line.size()) continue;
    auto second = std::from_chars(first.ptr + 1, line.data() + line.size(), size, 16);
    if (second.ec != std::errc{} || second.ptr == line.data() + line.size()) continue;
    line.remove_prefix(static_cast<size_t>(second.ptr + 1 - line.data()));
    table.add(start, size, 0, line);
  }
  table.finish();
  return table;
}

}  // namespace

LiveSymbolizer::LiveSymbolizer() = default;
LiveSymbolizer::~LiveSymbolizer() = default;

std::unique_ptr<LiveSymbolizer> make_live_symbolizer() { return std::make_unique<LiveSymbolizer>(); }

// ---------------------------------------------------------------- kernel

const KernelSymbols& LiveSymbolizer::kernel() {
  if (!kernel_) kernel_ = KernelSymbols::load();
  return *kernel_;
}

std::string LiveSymbolizer::kernel_symbol(uint64_t address, bool with_offset) {
  auto found = kernel().find(address);
  if (!found) return address_text(address);
  return symbol_text(found->module, found->name, with_offset ? address - found->start : 0);
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
  auto found = kernel().find(address);
  if (!found) return false;
  if (found->module == "bpf") return true;
  return std::any_of(tracer_prefixes.begin(), tracer_prefixes.end(),
                     [&](std::string_view prefix) { return found->name.starts_with(prefix); });
}

// ---------------------------------------------------------------- processes

void LiveSymbolizer::remember_process(uint32_t tgid) { process(tgid); }

LiveSymbolizer::Process* LiveSymbolizer::process(uint32_t tgid) {
  if (tgid == 0) return nullptr;
  auto now = Clock::now();
  auto found = processes_.find(tgid);
  if (found == processes_.end()) {
    make_room();
    found = processes_.emplace(tgid, Process{}).first;
    refresh(tgid, found->second);
  } else if (now - found->second.read_at >= maps_lifetime) {
    refresh(tgid, found->second);
  }
  found->second.used_at = now;
  return &found->second;
}

// Reads the maps; if the process is gone, what is known of it stays.
void LiveSymbolizer::refresh(uint32_t tgid, Process& process) {
  process.read_at = Clock::now();
  std::optional<ProcessMaps> maps = ProcessMaps::read(tgid);
  process.is_alive = maps.has_value();
  if (!maps) return;
  process.maps = std::move(*maps);
  process.is_perf_map_fresh = false;
}

void LiveSymbolizer::make_room() {
  if (processes_.size() < most_processes) return;
  auto oldest = std::min_element(processes_.begin(), processes_.end(),
                                 [](auto& a, auto& b) { return a.second.used_at < b.second.used_at; });
  processes_.erase(oldest);
}

const Mapping* LiveSymbolizer::find_mapping(uint32_t tgid, uint64_t address) {
  Process* owner = process(tgid);
  if (!owner) return nullptr;
  return owner->maps.find(address);
}

const ElfSymbols& LiveSymbolizer::vdso() {
  if (vdso_) return *vdso_;
  // Every process has the same one; ours is the easiest to read. It is at most a few pages long.
  auto* image = reinterpret_cast<char*>(::getauxval(AT_SYSINFO_EHDR));
  std::optional<ProcessMaps> own = ProcessMaps::read(static_cast<uint32_t>(::getpid()));
  const Mapping* mapping = own && image ? own->find(reinterpret_cast<uint64_t>(image)) : nullptr;
  if (mapping) vdso_ = ElfSymbols::from_memory({image, static_cast<size_t>(mapping->end - mapping->start)});
  else vdso_ = std::make_unique<ElfSymbols>();
  return *vdso_;
}

const ElfSymbols* LiveSymbolizer::symbols_of(uint32_t tgid, const Mapping& mapping) {
  if (mapping.is_vdso()) return &vdso();
  if (!mapping.is_file()) return nullptr;
  std::pair key{mapping.device, mapping.inode};
  if (auto found = files_.find(key); found != files_.end()) return found->second.get();
  Fd fd = open_mapped(tgid, mapping);
  // Not remembered: another process may give access to the file.
  if (!fd) return nullptr;
  return files_.emplace(key, ElfSymbols::read(fd.get())).first->second.get();
}

LiveSymbolizer::Place LiveSymbolizer::perf_map_place(uint32_t tgid, uint64_t address) {
  Process* owner = process(tgid);
  auto found = owner->perf_map.find(address);
  // The file grows while code is compiled: a miss is a reason to read it again.
  if (!found && !owner->is_perf_map_fresh && owner->is_alive) {
    owner->is_perf_map_fresh = true;
    if (std::string text = read_perf_map(tgid); !text.empty()) owner->perf_map = parse_perf_map(text);
    found = owner->perf_map.find(address);
  }
  if (!found) return {"", "", address};
  return {fmt::format("perf-{}.map", tgid), std::string{found->name}, found->start};
}

LiveSymbolizer::Place LiveSymbolizer::place_of(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = find_mapping(tgid, address);
  if (!mapping) return {"", "", address};
  if (mapping->object_name().empty()) return perf_map_place(tgid, address);
  Place place{std::string{mapping->object_name()}, "", address};
  const ElfSymbols* symbols = symbols_of(tgid, *mapping);
  if (!symbols) return place;
  uint64_t virtual_address = symbols->virtual_address(address - mapping->start + mapping->offset);
  auto found = symbols->find(virtual_address);
  if (!found) return place;
  place.symbol = found->name;
  place.start = address - (virtual_address - found->start);
  return place;
}

std::string LiveSymbolizer::user_symbol(uint32_t tgid, uint64_t address, bool with_offset) {
  Place place = place_of(tgid, address);
  if (place.object.empty()) return address_text(address);
  if (place.symbol.empty()) return fmt::format("{}`0x{:x}", place.object, address);
  return symbol_text(place.object, place.symbol, with_offset ? address - place.start : 0);
}

std::string LiveSymbolizer::user_module(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = find_mapping(tgid, address);
  return mapping && !mapping->object_name().empty() ? std::string{mapping->object_name()} : address_text(address);
}

uint64_t LiveSymbolizer::user_symbol_start(uint32_t tgid, uint64_t address) { return place_of(tgid, address).start; }

uint64_t LiveSymbolizer::user_module_start(uint32_t tgid, uint64_t address) {
  const Mapping* mapping = find_mapping(tgid, address);
  return mapping ? mapping->start : address;
}

}  // namespace dscope
