// RecordedTypes: the types of the whole kernel, of a capture that was recorded with them.
#pragma once

#include <memory>
#include <string>

#include "capture/capture_info.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/live_host.h"

namespace dscope {

class RecordedTypes {
 public:
  // `info` must outlive this object.
  explicit RecordedTypes(const CaptureInfo& info) : info_(info) {}

  // A host that finds types, constants and symbols of the recorded kernel. Null if the capture has none. The first call
  // unpacks them.
  Host* host();

 private:
  const CaptureInfo& info_;
  bool is_opened_ = false;
  std::unique_ptr<MachineInUse> machine_;
  std::unique_ptr<LiveHost> host_;
};

}  // namespace dscope
