#include "driver/run/setup.h"

#include <sys/mman.h>

#include "contract/follow.h"
#include "runtime/elf/file_budget.h"
#include "support/print_message.h"
#include "support/read_file.h"

namespace dscope {

namespace {

// True if the command is a path, which few macro arguments are.
bool has_path(const TargetRequest& command) {
  return !command.words.empty() && command.words.front().find('/') != std::string::npos;
}

}  // namespace

void limit_foreign_files(const CommandLine& command_line, const OptionValues& options) {
  FileLimits limits{.bytes = static_cast<uint64_t>(options.number(OptionId::Foreignbytes)),
                    .time = std::chrono::nanoseconds{options.number(OptionId::Foreigntime)}};
  FileBudget::configure(limits, [name = command_line.program_name](const std::string& message) {
    print_message("{}: {}\n", name, message);
  });
}

Result<> preallocate(const OptionValues& options) {
  int64_t requested = options.number(OptionId::Preallocate);
  if (requested <= 0) return {};
  // Allocating more memory than is available would not fail: the kernel would kill other processes.
  if (static_cast<uint64_t>(requested) > read_number("/proc/meminfo", "MemAvailable:") * 1024)
    return fail(Error::from_errno(ENOMEM, "cannot preallocate {} bytes", requested));
  auto size = static_cast<size_t>(requested);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return fail(Error::from_errno(errno, "cannot preallocate {} bytes", requested));
  ::munmap(memory, size);
  return {};
}

Result<std::unique_ptr<Targets>> create_targets(const CommandLine& command_line, const OptionValues& options) {
  auto targets = Targets::create(command_line.targets, {.evaltime = options.text(OptionId::Evaltime),
                                                        .set = options.list(OptionId::Setenv),
                                                        .unset = options.list(OptionId::Unsetenv),
                                                        .follows_execs = follows_execs(options),
                                                        .follows_forks = follows_forks(options)});
  if (!targets && command_line.has_command_words && !has_path(command_line.targets.back()))
    return fail(std::move(targets.error()).hint("-- runs a command: macro arguments of the program go before it"));
  return targets;
}

}  // namespace dscope
