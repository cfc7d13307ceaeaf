// cat(): prints a file when the record arrives (consumer-and-actions.md 3.22).
#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>

#include "runtime/actions/actions.h"
#include "runtime/format/fault_reporter.h"
#include "support/fd.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr size_t max_file_size = 1 << 20;

// Appends the file's text to `out`. Returns 0 or an errno. Other files than regular ones are refused: reading a FIFO or
// a terminal would block the consumer.
int append_file(const std::string& path, std::string& out) {
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (!file) return errno;
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  size_t start = out.size(), size = 0;
  out.resize(start + max_file_size);
  int error = 0;
  while (size < max_file_size) {
    ssize_t count = ::read(file.get(), out.data() + start + size, max_file_size - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = errno;
    if (count <= 0) break;
    size += static_cast<size_t>(count);
  }
  out.resize(start + size);
  return error;
}

}  // namespace

void run_Cat(const RecordedAction& call, const ActionServices& services, std::string& out) {
  std::string path;
  call.format->append(path, call.record, services.values.exact());
  path.resize(std::strlen(path.c_str()));
  std::string text;
  int error = append_file(path, text);
  services.values.append_text(out, text);
  if (error == 0) return;
  ds_record_header header;
  std::memcpy(&header, call.record, sizeof header);
  services.messages.write(
      action_error_text(services.plan, header, services.program_name,
                        fmt::format("couldn't cat() \"{}\": {}", visible_line(path), std::strerror(error))));
}

}  // namespace dscope
