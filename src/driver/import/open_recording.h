// Opens what --replay and --info name: a capture, or a file of another tracer, which a process without privileges turns
// into one.
#pragma once

#include <memory>
#include <string>

#include "capture/capture_reader.h"
#include "support/result.h"

namespace dscope {

struct OpenedRecording {
  std::unique_ptr<CaptureReader> reader;
  std::string damage;  // of a file of another tracer: one sentence; empty: none
};

// Whether `path` is a capture, a file of another tracer, or a directory, which may hold a trace.
bool is_recording(const std::string& path);

// Waits until dscope-import, the program beside this one, has read a file of another tracer.
Result<OpenedRecording> open_recording(const std::string& path);

}  // namespace dscope
