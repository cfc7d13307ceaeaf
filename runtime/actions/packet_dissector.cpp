#include "runtime/actions/packet_dissector.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "support/spawn_signals.h"

namespace dscope {

namespace {

// tshark takes a second to start, more on a busy machine, and a fraction of a millisecond per packet.
constexpr int line_timeout_ms = 10000;

struct Pipe {
  Fd reader, writer;
};

// Both ends are close-on-exec. Both are empty if the process is out of descriptors.
Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  return {.reader = Fd(ends[0]), .writer = Fd(ends[1])};
}

// Reads up to the end of a line; nothing at end of file or after line_timeout_ms.
std::optional<std::string> read_line(const Fd& pipe) {
  std::string text;
  while (!text.ends_with('\n')) {
    pollfd waiting{.fd = pipe.get(), .events = POLLIN, .revents = 0};
    int ready = ::poll(&waiting, 1, line_timeout_ms);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    char buffer[4096];
    ssize_t received = ::read(pipe.get(), buffer, sizeof buffer);
    if (received <= 0) return std::nullopt;
    text.append(buffer, static_cast<size_t>(received));
  }
  return text;
}

}  // namespace

PacketDissector::~PacketDissector() {
  for (auto& [link_type, process] : processes_) stop(process);
}

std::optional<std::string> PacketDissector::describe(uint32_t link_type, std::string_view file_header,
                                                     std::string_view packet) {
  if (program_.empty()) return std::nullopt;
  auto [found, is_new] = processes_.try_emplace(link_type);
  Process& process = found->second;
  if (is_new) {
    process = start();
    if (process.input && !write_all(process.input.get(), file_header)) stop(process);
  }
  if (!process.input) return std::nullopt;
  std::optional<std::string> line;
  if (write_all(process.input.get(), packet)) line = read_line(process.output);
  if (!line) stop(process);
  return line;
}

PacketDissector::Process PacketDissector::start() const {
  // Pipes, not sockets: tshark reads a pipe packet by packet, and nothing from a socket.
  Pipe input = make_pipe(), output = make_pipe();
  if (!input.reader || !output.reader) return {};
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input.reader.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output.writer.get(), STDOUT_FILENO);
  // tshark warns on stderr when it runs as root.
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // A process group of its own: Ctrl-C at the terminal must end dscope, not the dissector, which still has to describe
  // the packets recorded so far.
  ::posix_spawnattr_setpgroup(&attributes, 0);
  set_default_signals(attributes, POSIX_SPAWN_SETPGROUP);
  std::string program = program_, each_line = "-l", from = "-r", stdin_name = "-";
  char* arguments[] = {program.data(), each_line.data(), from.data(), stdin_name.data(), nullptr};
  pid_t child = 0;
  int failure = ::posix_spawnp(&child, program.c_str(), &files, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (failure != 0) return {};
  return {.input = std::move(input.writer), .output = std::move(output.reader), .pid = child};
}

// Each describe() reads its answer before it returns, so killing the program loses no line.
void PacketDissector::stop(Process& process) {
  if (!process.input) return;
  process.input = {};
  process.output = {};
  ::kill(process.pid, SIGKILL);
  while (::waitpid(process.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace dscope
