#include "runtime/providers/process/probed_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "support/format.h"

namespace dscope {

std::string ProbedFiles::path_of(int fd) {
  struct stat status{};
  bool is_open = ::fstat(fd, &status) == 0;
  Fd none;
  Fd& file = is_open ? files_[{status.st_dev, status.st_ino}] : none;
  if (!file) file = Fd{::fcntl(fd, F_DUPFD_CLOEXEC, 0)};
  return fmt::format("/proc/self/fd/{}", file.get());
}

}  // namespace dscope
