#include "runtime/targets/start_point.h"

#include <elf.h>
#include <link.h>

#include <optional>
#include <string>

#include "runtime/elf/process_maps.h"
#include "runtime/targets/dynamic_linker.h"

namespace dscope {
namespace {

// _start passes main() on after 15 instructions in glibc and after 30 in musl; a program without libc never does.
constexpr int max_steps = 1000;
// Wrapper scripts may execute each other.
constexpr int max_programs = 64;

StopOutcome run_to_mapped(pid_t pid, const KeepWaiting& keep_waiting) {
  auto linker = DynamicLinker::find(pid);
  auto hook = linker ? linker->address(DynamicLinker::debug_hook) : std::nullopt;
  auto state = linker ? linker->address("_r_debug") : std::nullopt;
  if (!hook || !state) {
    auto entry = auxiliary_value(pid, AT_ENTRY);
    return entry ? run_to(pid, *entry, keep_waiting) : StopOutcome::Stopped;
  }
  for (;;) {
    if (StopOutcome outcome = run_to(pid, *hook, keep_waiting); outcome != StopOutcome::Stopped) return outcome;
    auto word = read_word(pid, *state + offsetof(r_debug, r_state));
    bool is_ready = !word || static_cast<uint32_t>(*word) == r_debug::RT_CONSISTENT;
    if (is_ready || program_counter(pid) != hook) return StopOutcome::Stopped;
    // Step off the address, where run_to() would stop again at once.
    if (StopOutcome outcome = step(pid); outcome != StopOutcome::Stopped) return outcome;
  }
}

// The executable mappings of the program itself.
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

// _start passes main() to the C library as the first argument of a call: at the first instruction outside of _start
// whose first argument is an address in the program's code, that argument is main(). `entry` is the current address.
StopOutcome run_to_main(pid_t pid, uint64_t entry, const KeepWaiting& keep_waiting) {
  auto text = ProgramText::find(pid, entry);
  if (!text) return StopOutcome::Stopped;
  constexpr uint64_t max_start_size = 64;  // bytes of _start
  for (int steps = 0; steps < max_steps; ++steps) {
    if (StopOutcome outcome = step(pid); outcome != StopOutcome::Stopped) return outcome;
    auto pc = program_counter(pid), argument = first_argument(pid);
    if (!pc || !argument) return StopOutcome::Stopped;
    bool is_called = *pc - entry >= max_start_size;
    if (is_called && text->has(*argument)) return run_to(pid, *argument, keep_waiting);
  }
  return StopOutcome::Stopped;
}

StopOutcome run_to_start(pid_t pid, std::string_view evaltime, const KeepWaiting& keep_waiting) {
  if (evaltime == "exec") return StopOutcome::Stopped;
  if (evaltime == "preinit") return run_to_mapped(pid, keep_waiting);
  auto entry = auxiliary_value(pid, AT_ENTRY);
  if (!entry) return StopOutcome::Stopped;
  StopOutcome outcome = run_to(pid, *entry, keep_waiting);
  bool is_there = outcome == StopOutcome::Stopped && program_counter(pid) == entry;
  return is_there ? run_to_main(pid, *entry, keep_waiting) : outcome;
}

}  // namespace

StopOutcome run_to_start_point(pid_t pid, std::string_view evaltime, const KeepWaiting& keep_waiting) {
  StopOutcome outcome = StopOutcome::Executed;
  for (int i = 0; outcome == StopOutcome::Executed && i < max_programs; ++i)
    outcome = run_to_start(pid, evaltime, keep_waiting);
  return outcome;
}

}  // namespace dscope
