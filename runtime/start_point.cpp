#include "runtime/start_point.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <optional>
#include <string>

#include "runtime/read_file.h"
#include "runtime/symbols/debug_files.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/symbols/process_maps.h"
#include "support/format.h"

namespace dscope {
namespace {

// From _start to where main() is handed on there are 15 instructions in glibc, 30 in musl; without libc it never is.
constexpr int most_steps = 1000;
// A command may be an interpreter's wrapper's wrapper.
constexpr int most_programs = 64;

std::optional<uint64_t> auxiliary_value(pid_t pid, uint64_t type) {
  auto auxv = read_file(fmt::format("/proc/{}/auxv", pid).c_str());
  if (!auxv) return std::nullopt;
  Elf64_auxv_t item{};
  for (size_t offset = 0; offset + sizeof item <= auxv->size(); offset += sizeof item) {
    std::memcpy(&item, auxv->data() + offset, sizeof item);
    if (item.a_type == type) return item.a_un.a_val;
  }
  return std::nullopt;
}

// The symbols of the dynamic linker of a process, and where they are.
struct Linker {
  std::unique_ptr<ElfSymbols> symbols;
  uint64_t base = 0;

  static std::optional<Linker> find(pid_t pid) {
    auto base = auxiliary_value(pid, AT_BASE);
    if (!base || *base == 0) return std::nullopt;
    auto maps = ProcessMaps::read(static_cast<uint32_t>(pid));
    const Mapping* mapping = maps ? maps->find(*base) : nullptr;
    if (mapping == nullptr || !mapping->is_file()) return std::nullopt;
    Fd file = open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping->start, mapping->end));
    if (!file) return std::nullopt;
    return Linker{.symbols = ElfSymbols::read(file.get(), "", "", true), .base = *base};
  }

  std::optional<uint64_t> address(std::string_view name) const {
    auto found = symbols->find_name(name);
    return found ? std::optional{base + *found} : std::nullopt;
  }
};

// The dynamic linker calls an empty function when it begins to map libraries and when all are ready, for debuggers.
StopOutcome run_to_mapped(pid_t pid) {
  auto linker = Linker::find(pid);
  auto hook = linker ? linker->address("_dl_debug_state") : std::nullopt;
  auto state = linker ? linker->address("_r_debug") : std::nullopt;
  if (!hook || !state) {
    auto entry = auxiliary_value(pid, AT_ENTRY);
    return entry ? run_to(pid, *entry) : StopOutcome::Stopped;
  }
  for (;;) {
    if (StopOutcome outcome = run_to(pid, *hook); outcome != StopOutcome::Stopped) return outcome;
    auto word = read_word(pid, *state + offsetof(r_debug, r_state));
    bool is_ready = !word || static_cast<uint32_t>(*word) == r_debug::RT_CONSISTENT;
    if (is_ready || program_counter(pid) != hook) return StopOutcome::Stopped;
    // Away from the breakpoint, which would stop it again where it stands.
    if (StopOutcome outcome = step(pid); outcome != StopOutcome::Stopped) return outcome;
  }
}

// What of the program itself can be executed.
class ProgramText {
 public:
  static std::optional<ProgramText> find(pid_t pid, uint64_t entry) {
    ProgramText text;
    text.maps_ = ProcessMaps::read(static_cast<uint32_t>(pid));
    const Mapping* mapping = text.maps_ ? text.maps_->find(entry) : nullptr;
    if (mapping == nullptr || !mapping->is_file()) return std::nullopt;
    text.inode_ = mapping->inode;
    text.device_ = mapping->device;
    return text;
  }
  bool has(uint64_t address) const {
    const Mapping* mapping = maps_->find(address);
    return mapping != nullptr && mapping->is_executable && mapping->inode == inode_ && mapping->device == device_;
  }

 private:
  std::optional<ProcessMaps> maps_;
  uint64_t inode_ = 0;
  std::string device_;
};

// _start hands main() to the C library as the first argument of a call: at the first instruction outside of _start
// whose first argument is code of the program, that is main(). `entry`: where it stands.
StopOutcome run_to_main(pid_t pid, uint64_t entry) {
  auto text = ProgramText::find(pid, entry);
  if (!text) return StopOutcome::Stopped;
  constexpr uint64_t longest_start = 64;
  for (int steps = 0; steps < most_steps; ++steps) {
    if (StopOutcome outcome = step(pid); outcome != StopOutcome::Stopped) return outcome;
    auto pc = program_counter(pid), argument = first_argument(pid);
    if (!pc || !argument) return StopOutcome::Stopped;
    bool is_called = *pc - entry >= longest_start;
    if (is_called && text->has(*argument)) return run_to(pid, *argument);
  }
  return StopOutcome::Stopped;
}

StopOutcome run_to_start(pid_t pid, std::string_view evaltime) {
  if (evaltime == "exec") return StopOutcome::Stopped;
  if (evaltime == "preinit") return run_to_mapped(pid);
  auto entry = auxiliary_value(pid, AT_ENTRY);
  if (!entry) return StopOutcome::Stopped;
  StopOutcome outcome = run_to(pid, *entry);
  bool is_there = outcome == StopOutcome::Stopped && program_counter(pid) == entry;
  return is_there ? run_to_main(pid, *entry) : outcome;
}

}  // namespace

StopOutcome run_to_start_point(pid_t pid, std::string_view evaltime) {
  StopOutcome outcome = StopOutcome::Executed;
  for (int i = 0; outcome == StopOutcome::Executed && i < most_programs; ++i) outcome = run_to_start(pid, evaltime);
  return outcome;
}

}  // namespace dscope
