#include "driver/import/open_recording.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "capture/capture_block.h"
#include "driver/compile/library_files.h"
#include "driver/import/import_answer.h"
#include "support/fd.h"
#include "support/format.h"

namespace dscope {

namespace {

// The kind of a foreign file; nullopt: it is a capture, or nothing that dscope knows.
std::optional<std::string_view> foreign_kind(const Fd& file) {
  struct stat state{};
  if (::fstat(file.get(), &state) != 0) return std::nullopt;
  if (S_ISDIR(state.st_mode)) return ctf_kind;
  std::array<char, 16> start{};
  ssize_t size = ::pread(file.get(), start.data(), start.size(), 0);
  std::string_view text{start.data(), static_cast<size_t>(std::max<ssize_t>(size, 0))};
  if (text.starts_with("PERFILE2") || text.starts_with("2ELIFREP")) return perf_data_kind;
  if (text.starts_with("\x17\x08\x44tracing")) return trace_dat_kind;
  return std::nullopt;
}

// A file without a name, in memory if there is no folder for it.
Fd temporary_file() {
  const char* folder = std::getenv("TMPDIR");
  constexpr mode_t own = 0600;
  int fd = ::open(folder != nullptr && *folder != '\0' ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, own);
  if (fd < 0) fd = ::memfd_create("capture", MFD_CLOEXEC);
  return Fd(fd);
}

struct Pipe {
  Fd read_end, write_end;
};

Result<Pipe> open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(Error::from_errno(errno, "cannot create a pipe"));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// In the new process.
[[noreturn]] void execute(const std::string& importer, std::string_view kind, const std::string& path, int input,
                          int output, int answers) {
  // Above the numbers that they are moved to.
  constexpr int above = 10;
  int null = ::open("/dev/null", O_RDWR);
  int fds[] = {::fcntl(input, F_DUPFD, above), ::fcntl(output, F_DUPFD, above), ::fcntl(answers, F_DUPFD, above)};
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDERR_FILENO);  // libraries print warnings there
  ::dup2(fds[0], import_input_fd);
  ::dup2(fds[1], import_output_fd);
  ::dup2(fds[2], STDOUT_FILENO);
  for (int fd : fds) ::close(fd);
  std::string word(kind);
  const char* arguments[] = {importer.c_str(), word.c_str(), path.c_str(), nullptr};
  ::execv(importer.c_str(), const_cast<char* const*>(arguments));
  ::_exit(127);
}

ImportAnswer read_answer(const Fd& pipe) {
  constexpr size_t max_answer = 65536;
  std::string bytes;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = ::read(pipe.get(), part.data(), part.size())) != 0;) {
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) break;
    if (bytes.size() < max_answer) bytes.append(part.data(), static_cast<size_t>(size));
  }
  ImportAnswer answer;
  answer.message = bytes.c_str();
  if (bytes.size() > answer.message.size() + 1) answer.note = bytes.c_str() + answer.message.size() + 1;
  return answer;
}

Error failure(int status, ImportAnswer answer) {
  if (WIFSIGNALED(status))
    return Error::make("reading it ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
        .hint("the file may have changed, or is damaged in a way that dscope does not know");
  if (answer.message.empty()) return Error("the program that reads it has failed");
  Error error(std::move(answer.message));
  return answer.note.empty() ? std::move(error) : std::move(error).hint(std::move(answer.note));
}

Result<OpenedRecording> import_file(const Fd& file, std::string_view kind, const std::string& path) {
  std::string importer = program_directory() + "/dscope-import";
  if (::access(importer.c_str(), X_OK) != 0)
    return fail(Error::make("this dscope was built without what reads {}", kind)
                    .hint("it needs libtraceevent when it is built"));
  Fd output = temporary_file();
  if (!output) return fail(Error::from_errno(errno, "cannot create a temporary file"));
  DS_TRY(Pipe answers, open_pipe());
  pid_t child = ::fork();
  if (child < 0) return fail(Error::from_errno(errno, "cannot start a process"));
  if (child == 0) execute(importer, kind, path, file.get(), output.get(), answers.write_end.get());
  answers.write_end.reset();
  ImportAnswer answer = read_answer(answers.read_end);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (status != 0) return fail(failure(status, std::move(answer)));
  DS_TRY(std::unique_ptr<CaptureReader> reader, CaptureReader::open(fmt::format("/proc/self/fd/{}", output.get())));
  return OpenedRecording{std::move(reader), std::move(answer.note)};
}

}  // namespace

bool is_recording(const std::string& path) {
  Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  std::array<char, capture_family.size()> start{};
  if (!file) return false;
  if (foreign_kind(file)) return true;
  return ::read(file.get(), start.data(), start.size()) == static_cast<ssize_t>(start.size()) &&
         std::string_view{start.data(), start.size()} == capture_family;
}

Result<OpenedRecording> open_recording(const std::string& path) {
  Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  auto kind = file ? foreign_kind(file) : std::nullopt;
  if (kind) {
    auto recording = import_file(file, *kind, path);
    return recording ? std::move(recording) : fail(std::move(recording).error().with_context(path));
  }
  DS_TRY(std::unique_ptr<CaptureReader> reader, CaptureReader::open(path));
  return OpenedRecording{std::move(reader), {}};
}

}  // namespace dscope
