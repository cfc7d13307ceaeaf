// The process that reads a file of another tracer needs nothing but that file and the capture that it writes.
#pragma once

#include <cstdint>

#include "support/result.h"

namespace dscope {

struct ImportLimits {
  uint64_t memory = 0, written = 0;  // bytes
  // The kind of file is a directory whose files a library opens itself.
  bool opens_files = false;
};

// Gives up what this process could do beyond its open descriptors: root becomes nobody, without capabilities, and the
// kernel refuses all system calls but those of a program that computes. With `opens_files`, it also permits to open
// files for reading, and the user stays.
Result<> confine_import(const ImportLimits& limits);

}  // namespace dscope
