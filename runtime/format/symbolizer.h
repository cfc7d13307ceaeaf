// Symbolizer: resolves addresses to names. runtime/symbols/ implements it; tests fake it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/probe_part.h"

namespace dscope {

class NumberedStacks;

// The texts follow consumer-and-actions.md 3.8 and 3.10.
class Symbolizer {
 public:
  virtual ~Symbolizer() = default;
  // "vmlinux`vfs_read+0x10"; with_offset false: "vmlinux`vfs_read".
  virtual std::string kernel_symbol(uint64_t address, bool with_offset) = 0;
  virtual std::string kernel_module(uint64_t address) = 0;
  virtual std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) = 0;
  virtual std::string user_module(uint32_t tgid, uint64_t address) = 0;
  // Like *_symbol(), for a return address: it is past the end of the caller if the callee never returns, as
  // abort().
  virtual std::string kernel_caller(uint64_t address, bool with_offset) { return kernel_symbol(address, with_offset); }
  virtual std::string user_caller(uint32_t tgid, uint64_t address, bool with_offset) {
    return user_symbol(tgid, address, with_offset);
  }
  // Start address of the symbol or module that contains `address`; `address` itself if unknown. Keys with equal starts
  // merge.
  virtual uint64_t kernel_symbol_start(uint64_t address) = 0;
  virtual uint64_t kernel_module_start(uint64_t address) = 0;
  virtual uint64_t user_symbol_start(uint32_t tgid, uint64_t address) = 0;
  virtual uint64_t user_module_start(uint32_t tgid, uint64_t address) = 0;
  // The source positions of an instruction, from debug information: "file.c:12" for the function that user_symbol()
  // names, and before it "object`function [inlined] (file.c:5)" for each function inlined there, innermost first. Empty
  // without debug information.
  virtual std::vector<std::string> user_source(uint32_t, uint64_t) { return {}; }
  // Unwinds a user stack: the program counter and the return addresses of a thread, at most as many as the last
  // argument says, from its registers (words of struct pt_regs) and a copy of its stack from the stack pointer on.
  // Empty if unwinding fails.
  virtual std::vector<uint64_t> unwind(uint32_t, std::span<const uint64_t>, std::span<const std::byte>, size_t) {
    return {};
  }
  // False if the process surely has no code at the address: it is outside every mapping, or in one of data.
  virtual bool may_be_code(uint32_t, uint64_t) { return true; }
  // Demangles a C++ or Rust name; returns any other name unchanged.
  virtual std::string readable(std::string_view name) const { return std::string{name}; }
  // True for kernel code that belongs to the tracer (bpf_prog_*, bpf_trace_run*, __bpf_trace_*, __traceiter_* ...):
  // stack() omits leading frames of that kind.
  virtual bool is_tracer_frame(uint64_t address) = 0;
  // A name of the container that a cgroup belongs to, by the id of the cgroup. Empty if there is none: a process
  // outside of containers has no pod. The view stays valid until process_events().
  virtual std::string_view container_name(uint64_t, ContainerPart) { return {}; }
  // Calls `observer` with the names of each cgroup, by ContainerPart: now for those that exist, later for new ones.
  using ContainerObserver = std::function<void(uint64_t cgroup, std::span<const std::string_view> names)>;
  virtual void observe_containers(const ContainerObserver&) {}
  // The stacks that programs copied instead of unwinding them; null: none. The session sets them while it runs.
  NumberedStacks* numbered_stacks() const { return numbered_stacks_; }
  void set_numbered_stacks(NumberedStacks* stacks) { numbered_stacks_ = stacks; }
  // Readable (edge-triggered) when process_events() should be called at once.
  virtual std::vector<int> event_fds() const { return {}; }
  // Processes the pending events about mappings, forks and exits of processes. Call often; cheap if there are none.
  virtual void process_events() {}

 private:
  NumberedStacks* numbered_stacks_ = nullptr;
};

}  // namespace dscope
