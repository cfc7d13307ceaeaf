#include "driver/replay/recorded_types.h"

#include <sys/mman.h>
#include <unistd.h>

#include "support/fd.h"
#include "support/format.h"
#include "support/print_message.h"

namespace dscope {

Host* RecordedTypes::host() {
  if (is_opened_ || info_.facts_file.empty()) return host_.get();
  is_opened_ = true;
  Fd file{::memfd_create("facts", MFD_CLOEXEC)};
  if (!file || !write_all(file.get(), info_.facts_file)) return nullptr;
  auto machine = MachineInUse::open(fmt::format("/proc/self/fd/{}", file.get()));
  if (!machine) {
    print_message("dscope: the types of the capture cannot be read: {}\n", machine.error().message());
    return nullptr;
  }
  machine_ = std::move(*machine);
  host_ = make_live_host();
  return host_.get();
}

}  // namespace dscope
