// A capture with every kind of value, for tests: probes of system calls with a string, an object, stacks.
#pragma once

#include <cstdint>
#include <string>

#include "capture/capture_shape.h"

namespace dscope {

// Two probes: syscall::openat:entry with three words, of which the second points to a string, and io:::start whose
// args[0] is an object of 24 bytes with a number and a string.
CaptureStart sample_start();

// Writes a capture of `events` events, in blocks as the writer makes them; returns the path. Event i has the time
// 1000 * i, CPU i % 2, and the arguments i, 0x7000 + i % 5, 7.
std::string write_sample(const std::string& name, uint32_t events, uint64_t span_ns = 0, bool appends = false);

}  // namespace dscope
