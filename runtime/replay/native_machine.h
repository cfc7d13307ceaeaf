// NativeMachine: the runtime of native programs, in place of the kernel: their maps, their ring, their memory, and the
// helpers that they call. One thread runs programs, and no two at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "contract/program_plan.h"
#include "runtime/replay/arena.h"
#include "runtime/replay/firing.h"
#include "runtime/replay/native_map.h"
#include "runtime/replay/native_ring.h"
#include "support/result.h"

namespace dscope {

// The offsets, in bytes, of those members of struct task_struct that built-in variables and progenyof() read. nullopt:
// the program does not read the member.
struct ThreadLayout {
  std::optional<uint64_t> process, thread, name, parent, process_of_parent;
  // The pointer to the first thread of the process, whose ID is the process ID.
  std::optional<uint64_t> leader;
};

class NativeMachine {
 public:
  // A program: its argument is the context, as in BPF.
  using Program = uint32_t (*)(void* context);

  // The context is a raw tracepoint's, in 64-bit words: word 1 is what a system call returns if it fails, and from
  // `first_word` on come the words of the event.
  static constexpr uint32_t first_word = 2, max_words = 510;

  // Creates the maps of the plan, which must outlive the machine. `cpu_count`: CPUs that fire probes.
  static Result<std::unique_ptr<NativeMachine>> create(const ProgramPlan& plan, uint32_t cpu_count);
  NativeMachine(const NativeMachine&) = delete;
  NativeMachine& operator=(const NativeMachine&) = delete;

  // ---- what code refers to
  // The function that stands in for a helper of BPF: uint64_t (*)(NativeMachine*, uint64_t...). Null: there is none.
  static const void* helper(uint32_t number);
  // The address that a program's symbol for a map stands for. Null if there is no such map.
  void* map_symbol(std::string_view name);
  // Memory for the code, which must be there before programs run.
  std::span<std::byte> image() const { return image_; }
  // The stack on which programs must run: programs read their stack by helpers.
  std::span<std::byte> stack() const { return stack_; }

  // ---- runs
  // Where programs look for what the firing's thread is. Members beyond 32 KiB are ignored.
  void set_thread_layout(const ThreadLayout& layout) { layout_ = layout; }
  // Sets what the programs of the next calls of run() see. The firing and its views must live until the last of them.
  void set_firing(const Firing& firing);
  // `cookie`: the row of the probe, for programs with RowSource::Cookie.
  void run(Program program, uint64_t cookie) {
    cookie_ = cookie;
    program(context_.data());
  }

  // ---- what the consumer reads
  NativeRing& ring() { return *ring_; }
  // Null if the plan has no such map, or if it is no array or hash.
  NativeMap* find_map(std::string_view name);
  uint32_t cpu_count() const { return cpu_count_; }

 private:
  friend struct NativeHelpers;
  NativeMachine(Arena arena, uint32_t cpu_count) : arena_(std::move(arena)), cpu_count_(cpu_count) {}

  Result<> create_maps(const ProgramPlan& plan);
  Result<> create_storage(const MapPlan& plan);
  // The recorded bytes from `address` to the end of their piece; empty if there are none.
  std::span<const std::byte> recorded(uint64_t address) const;
  // The bytes from `address` on that a helper for kernel memory or for user memory may read, at most `size`.
  std::span<const std::byte> readable(uint64_t address, uint64_t size, bool is_user) const;

  Arena arena_;
  uint32_t cpu_count_;
  std::span<std::byte> image_, stack_, context_, task_, registers_;
  std::unordered_map<std::string, NativeMap> maps_;
  std::unordered_map<std::string, MapPlan> storage_plans_;  // of the maps that hold thread-local storage
  std::optional<NativeRing> ring_;
  void describe_thread(const FiringThread& thread);
  void describe_ancestors(std::byte* task, uint32_t process);

  ThreadLayout layout_;
  const Firing* firing_ = nullptr;  // never null when programs run
  uint32_t cpu_ = 0;                // of the firing, but below cpu_count_
  const FiringThread* described_thread_ = nullptr;
  std::unordered_map<uint32_t, uint32_t> parents_;  // of the processes that have fired so far
  size_t context_words_ = 0;                        // of the last firing
  uint64_t cookie_ = 0;
  uint64_t random_ = 0x9e37'79b9'7f4a'7c15;  // the same numbers in every run
};

}  // namespace dscope
