#include "driver/compile/preprocessor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>

#include "support/fd.h"
#include "support/format.h"
#include "support/read_file.h"
#include "support/spawn_signals.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

// A preprocessor command: `program first... ARGUMENTS before_output... OUTPUT`.
struct Preprocessor {
  std::string program;
  std::vector<std::string> first;
  std::vector<std::string> before_output;
};

// Returns the commands to try, best first. Without option cpppath, a compiler serves if cpp is missing.
std::vector<Preprocessor> candidates(const OptionValues& options) {
  if (const std::string& path = options.text(OptionId::Cpppath); !path.empty()) return {{path, {}, {}}};
  std::vector<Preprocessor> all{{"cpp", {}, {}}};
  for (const char* compiler : {"cc", "gcc", "clang"}) all.push_back({compiler, {"-E", "-xc"}, {"-o"}});
  return all;
}

std::string directory_of(const std::string& path) {
  if (path.starts_with("/dev/") || path.starts_with("/proc/")) return ".";
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// cpp rejects an interpreter line. Its newline stays, so that lines keep their numbers.
void blank_interpreter_line(std::string& text) {
  if (text.starts_with("#!")) text.erase(0, std::min(text.find('\n'), text.size()));
}

Result<Fd> create_memory_file(std::string_view text) {
  Fd file(memfd_create("dscope-script", MFD_CLOEXEC));
  if (!file) return fail(Error::from_errno(errno, "cannot store the script for the preprocessor"));
  if (!write_all(file.get(), text))
    return fail(Error::from_errno(errno, "cannot store the script for the preprocessor"));
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// A child process. The destructor kills it if it still runs, and reaps it.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid), ended_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (is_waited_) return;
    ::kill(pid_, SIGKILL);
    wait();
  }
  // A pidfd, readable when the child has exited; -1 on kernels without pidfds.
  int ended() const { return ended_.get(); }
  // Waits for the child. Returns its exit status, or -1 if a signal killed it.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    is_waited_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_;
  Fd ended_;
  bool is_waited_ = false;
};

// Runs posix_spawnp() with `input` as standard input and `output` open in the child under the same number. Returns an
// errno value.
int spawn(pid_t& pid, const std::vector<std::string>& command, int input, int output, bool is_silent) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, output);  // clears its close-on-exec
  for (int stream : {STDOUT_FILENO, STDERR_FILENO})
    if (is_silent) posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
  set_default_signals(attributes);  // SIGPIPE ends a preprocessor whose output is no longer read
  int problem = ::posix_spawnp(&pid, words[0], &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return problem;
}

// Keeps macros that expand without end from exhausting the machine. The programs that a compiler driver starts inherit
// the limits, or have just been started.
void limit_resources(pid_t pid) {
  constexpr rlim_t max_memory = rlim_t{1} << 30, max_seconds = 10;
  const rlimit memory{.rlim_cur = max_memory, .rlim_max = max_memory};
  const rlimit seconds{.rlim_cur = max_seconds, .rlim_max = max_seconds + 1};
  ::prlimit(pid, RLIMIT_AS, &memory, nullptr);
  ::prlimit(pid, RLIMIT_CPU, &seconds, nullptr);
  std::string children = read_file(fmt::format("/proc/{0}/task/{0}/children", pid).c_str()).value_or("");
  for (std::string_view child : parts_of(children, " \n")) limit_resources(std::atoi(std::string{child}.c_str()));
}

Error failed() { return Error{"Preprocessor failed to process input program"}; }

// Reads until all writers have closed the pipe, or until the child has exited and its output is read: a grandchild may
// keep the pipe open.
Result<std::string> read_output(int pipe, const Child& child) {
  std::string text;
  char buffer[65536];
  for (;;) {
    pollfd events[] = {{pipe, POLLIN, 0}, {child.ended(), POLLIN, 0}};
    if (::poll(events, 2, -1) < 0 && errno != EINTR) return fail(Error::from_errno(errno, "cannot wait for cpp"));
    if (events[0].revents == 0 && events[1].revents == 0) continue;
    if (events[0].revents == 0) return text;
    ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno != EINTR) return fail(Error::from_errno(errno, "cannot read the output of cpp"));
    if (count == 0) return text;
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    if (text.size() > max_preprocessed_bytes)
      return fail(failed().hint(fmt::format("its output exceeds {} MiB", max_preprocessed_bytes >> 20)));
  }
}

struct Outcome {
  bool is_missing = false;
  std::string text;
};

Error not_found(const std::string& program) {
  return Error{"Preprocessor not found"}.hint(
      fmt::format("program `{}` not found: install a C compiler or cpp, or set -x cpppath", program));
}

// Returns the error for the preprocessor's exit status. A shell that could not run it exits with 126 or 127.
Result<> check_status(int status, const std::string& program) {
  switch (status) {
    case 0: return {};
    case 126: return fail(Error{"Failed to exec preprocessor"});
    case 127: return fail(not_found(program));
    default: return fail(failed());
  }
}

Result<Outcome> run(const Preprocessor& preprocessor, const std::vector<std::string>& arguments, int input,
                    bool is_silent) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(Error::from_errno(errno, "cannot make a pipe for the preprocessor"));
  Fd reading(ends[0]), writing(ends[1]);
  std::vector<std::string> command{preprocessor.program};
  auto append = [&](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  append(preprocessor.first);
  append(arguments);
  command.push_back("/dev/stdin");
  append(preprocessor.before_output);
  command.push_back(fmt::format("/dev/fd/{}", writing.get()));
  pid_t pid = 0;
  int problem = spawn(pid, command, input, writing.get(), is_silent);
  if (problem == ENOENT) return Outcome{.is_missing = true};
  if (problem == EAGAIN || problem == ENOMEM) return fail(Error{"Failed to fork preprocessor"});
  if (problem != 0) return fail(Error{"Failed to exec preprocessor"}.hint(std::strerror(problem)));
  Child child(pid);
  limit_resources(pid);
  writing.reset();
  DS_TRY(std::string text, read_output(reading.get(), child));
  // From here on a preprocessor that still writes gets SIGPIPE instead of blocking.
  reading.reset();
  DS_TRY_VOID(check_status(child.wait(), preprocessor.program));
  return Outcome{.is_missing = false, .text = std::move(text)};
}

Result<std::string> run_first_found(const std::vector<Preprocessor>& all, const std::vector<std::string>& arguments,
                                    std::string_view text, bool is_silent) {
  for (const Preprocessor& preprocessor : all) {
    DS_TRY(Fd input, create_memory_file(text));
    DS_TRY(Outcome outcome, run(preprocessor, arguments, input.get(), is_silent));
    if (!outcome.is_missing) return std::move(outcome.text);
  }
  return fail(not_found(all.front().program));
}

}  // namespace

uint32_t encoded_version(std::string_view version) {
  uint32_t parts[3] = {};
  for (uint32_t& part : parts) {
    auto [end, problem] = std::from_chars(version.data(), version.data() + version.size(), part);
    if (problem != std::errc{}) break;
    version.remove_prefix(static_cast<size_t>(end - version.data()));
    if (version.starts_with('.')) version.remove_prefix(1);
  }
  return (parts[0] & 0xff) << 24 | (parts[1] & 0xfff) << 12 | (parts[2] & 0xfff);
}

std::vector<std::string> preprocessor_arguments(const OptionValues& options, const std::string& directory,
                                                PreprocessedFor reader) {
  utsname system{};
  ::uname(&system);
  std::vector<std::string> arguments{"-D__linux", "-D__unix", "-D__SVR4", "-D__SUNW_D=1", "-U__GNUC__"};
  bool is_lp64 = options.data_model() == DataModel::Lp64;
  if (is_lp64) arguments.emplace_back("-D__SUNW_D_64");
  arguments.push_back(fmt::format("-D__{}", system.sysname));
#ifdef __x86_64__
  if (is_lp64) arguments.emplace_back("-D__amd64");
  else arguments.insert(arguments.end(), {"-D__i386", "-U__amd64"});
#endif
  // The GNU C version that Clang implements.
  if (reader == PreprocessedFor::C)
    arguments.insert(arguments.end(), {"-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2"});
  for (const std::string& argument : options.preprocessor_arguments())
    if (reader == PreprocessedFor::D || argument != "-H") arguments.push_back(argument);
  const std::string& version = options.text(OptionId::Version);
  arguments.push_back(fmt::format("-D__SUNW_D_VERSION=0x{:08x}", encoded_version(version.empty() ? "2.0" : version)));
  arguments.push_back(options.text(OptionId::Stdc) == "s" ? "-traditional-cpp" : "-std=c99");
  // cpp reads the script from /dev/stdin and does not know the script's directory.
  if (!directory.empty()) arguments.push_back("-iquote" + directory);
  return arguments;
}

Result<std::string> preprocess(const std::string& path, std::string text, const OptionValues& options,
                               PreprocessedFor reader) {
  blank_interpreter_line(text);
  return run_first_found(candidates(options), preprocessor_arguments(options, directory_of(path), reader), text,
                         reader == PreprocessedFor::C);
}

}  // namespace dscope
