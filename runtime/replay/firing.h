// Firing: what a program may ask about the moment at which its probe fired. Plain views: their owner keeps them alive
// while the programs run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dscope {

// Memory that was recorded with an event. Addresses of the upper half are the kernel's, others the process's.
struct RecordedMemory {
  uint64_t address = 0;
  std::span<const std::byte> bytes;
};

// The thread that fired the probe.
struct FiringThread {
  uint32_t pid = 0, tid = 0, ppid = 0, uid = 0, gid = 0;  // pid is the process
  std::array<char, 16> name{};                            // zero-padded, ends with a NUL
};

struct Firing {
  uint64_t time = 0;       // CLOCK_MONOTONIC, nanoseconds
  uint32_t recording = 0;  // index into ReplayInput::recordings
  uint32_t cpu = 0;
  const FiringThread* thread = nullptr;                // never null when programs run
  uint64_t thread_key = 0;                             // thread-local variables belong to it; differs by thread
  int32_t error = 0;                                   // errno of a system call that returns
  std::span<const uint64_t> words;                     // of the event: at most NativeMachine::max_words count
  std::span<const uint64_t> kernel_stack, user_stack;  // innermost frame first; empty: not recorded
  std::span<const RecordedMemory> memory;              // ascending by address, without overlaps
  std::span<const RecordedMemory> earlier_memory;      // of the same thread, where `memory` has nothing
};

}  // namespace dscope
