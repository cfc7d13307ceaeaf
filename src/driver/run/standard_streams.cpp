#include "driver/run/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace dscope {

void open_missing_streams() {
  // Ascending, because open() returns the lowest free number.
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return;
}

}  // namespace dscope
