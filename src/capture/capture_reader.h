// Reads captures, which anyone may have written: every length is checked before memory is allocated, and the file is
// read, not mapped.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capture/capture_event.h"
#include "capture/capture_info.h"
#include "capture/capture_shape.h"
#include "support/result.h"

namespace dscope {

class CaptureReader {
 public:
  // Opens the file and reads everything but its events. Fails with one sentence if the file is no capture, is of a
  // later version, or lacks its first complete block.
  static Result<std::unique_ptr<CaptureReader>> open(const std::string& path);
  virtual ~CaptureReader() = default;

  virtual const CaptureInfo& info() const = 0;
  virtual const CaptureTables& tables() const = 0;
  // How the file holds the values of each probe; parallel to info().probes. For programs that copy captures.
  virtual const std::vector<CapturedShape>& shapes() const = 0;
  // Reads the next events into `batch`, whose content is replaced and whose memory is used again. False at the end of
  // the file or of its undamaged part.
  virtual bool next(CaptureBatch& batch) = 0;
  // From the first event again. Tables keep their content.
  virtual void rewind() = 0;
  // One sentence if the file is cut off or damaged; empty if it is not, as far as it was read.
  virtual const std::string& damage() const = 0;
  // Events in all blocks, as their headers say.
  virtual uint64_t event_count() const = 0;
};

}  // namespace dscope
