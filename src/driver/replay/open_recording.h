// Opens what --replay names: a capture, or a file of another tracer, which a process without privileges turns into one.
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

// `importer`: the program that reads files of other tracers; empty: there is none. Waits until it has read the file.
Result<OpenedRecording> open_recording(const std::string& path, const std::string& importer);

}  // namespace dscope
