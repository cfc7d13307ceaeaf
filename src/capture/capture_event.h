// The events of a capture, in batches. Everything that an event refers to belongs to its batch or to the tables of the
// reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dscope {

// The thread that fires a probe. Interned: most events of a thread share one.
struct CapturedThread {
  uint32_t pid = 0, tid = 0, ppid = 0, uid = 0, gid = 0;  // as the variables of D: pid is the process
  std::string execname;
};

// Memory that an event's words point to. Addresses of the upper half are the kernel's, the others the process's.
// Objects of translated arguments have addresses that the recorder chose (captured_object_address()).
struct CapturedMemory {
  uint64_t address = 0;
  std::span<const std::byte> bytes;  // strings end with their NUL
};

// Word of the object of args[n] or of another value: no pointer of the kernel or of a process has such an address.
constexpr uint64_t captured_object_address(uint32_t word) { return 0xffff'0000'0000'0000 + (uint64_t{word} << 24); }

// Words of the objects of curpsinfo and curlwpsinfo. Events have no such words: the addresses of these objects are the
// same in all events.
inline constexpr uint32_t captured_process_word = 256, captured_thread_word = 257;
constexpr bool is_thread_object(uint32_t word) { return word == captured_process_word || word == captured_thread_word; }

struct CaptureEvent {
  uint64_t time = 0;   // CLOCK_MONOTONIC, nanoseconds: the variable timestamp
  uint32_t probe = 0;  // index into CaptureInfo::probes
  uint32_t cpu = 0;
  uint32_t thread = 0;  // index into CaptureTables::threads
  int32_t error = 0;    // the variable errno
  // Indices into CaptureTables::stacks; 0: not recorded. User stacks are those of the thread's process.
  uint32_t kernel_stack = 0, user_stack = 0;
  std::span<const uint64_t> words;         // see CapturedProbe and CapturedValue
  std::span<const CapturedMemory> memory;  // ascending by address
};

// Grow while events are read; indices stay valid.
struct CaptureTables {
  std::vector<CapturedThread> threads;
  std::vector<std::vector<uint64_t>> stacks = {{}};  // innermost frame first, without frames of the tracer
};

struct CaptureBatch {
  std::vector<CaptureEvent> events;  // in the order in which they were recorded: almost by time
  uint32_t recording = 0;            // index into CaptureInfo::recordings
  // Owners of what the events refer to.
  std::vector<uint64_t> words;
  std::vector<CapturedMemory> memory;
  std::vector<std::byte> bytes;
};

}  // namespace dscope
