#include "driver/cache/cache_key.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

#include "contract/follow.h"
#include "driver/compile/library_files.h"
#include "driver/run/messages.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

// Values with their names and lengths, so that different values never make equal text.
class KeyText {
 public:
  void add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{} {}={}\n", name, value.size(), value);
  }
  void add(std::string_view name, uint64_t value) { add(name, std::to_string(value)); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// The identity of a file's content, as far as the file system records changes.
std::string identity(const struct stat& file) {
  return fmt::format("{}:{}:{}:{}.{:09}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

bool add_compiler(KeyText& key, const std::string& compiler) {
  struct stat file{};
  if (::stat(compiler.c_str(), &file) != 0) return false;
  key.add("compiler", identity(file));
  return true;
}

// The text of a program: the argument, or the content of a script, which must be a regular file.
std::optional<std::string> program_text(const ProgramArgument& program) {
  if (!program.is_script()) return program.text;
  struct stat file{};
  if (::stat(program.text.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  auto text = read_text(program.text);
  if (!text) return std::nullopt;
  return std::move(*text);
}

bool add_programs(KeyText& key, const CommandLine& command_line) {
  key.add("name", command_line.program_name);
  key.add("invoked", command_line.invoked_as);
  for (const ProgramArgument& program : command_line.programs) {
    auto text = program_text(program);
    if (!text) return false;
    key.add(std::string(1, program.letter), program.is_script() ? program.text : "");
    key.add("text", *text);
  }
  for (const std::string& operand : command_line.operands) key.add("operand", operand);
  for (const ScriptValue& value : command_line.script.values()) key.add("value " + value.name, value.text);
  return true;
}

void add_options(KeyText& key, const CommandLine& command_line, const OptionValues& options) {
  key.add("bits", command_line.data_model == DataModel::Lp64 ? 64 : 32);
  key.add("testing", is_testing() ? 1 : 0);
  key.add("records", command_line.record_file.empty() ? 0 : 1);
  key.add("targets", command_line.targets.empty() ? 0 : 1);
  for (const OptionValues::Saved& option : options.save())
    key.add(option.name, fmt::format("{} {}", option.number, option.text));
}

// The files of the D libraries in a directory, and in its directories for kernel versions.
void add_directory(KeyText& key, const std::string& path, int depth = 0) {
  key.add("directory", path);
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) return;
  std::vector<std::string> entries, folders;
  while (const dirent* entry = ::readdir(directory)) {
    std::string_view name = entry->d_name;
    struct stat file{};
    if (name.starts_with('.') || ::fstatat(::dirfd(directory), entry->d_name, &file, 0) != 0) continue;
    if (S_ISDIR(file.st_mode) && depth == 0) folders.push_back(path + "/" + entry->d_name);
    else if (name.ends_with(".d")) entries.push_back(fmt::format("{} {}", name, identity(file)));
  }
  ::closedir(directory);
  std::ranges::sort(entries);
  std::ranges::sort(folders);
  for (const std::string& entry : entries) key.add("library", entry);
  for (const std::string& folder : folders) add_directory(key, folder, depth + 1);
}

void add_libraries(KeyText& key, const OptionValues& options) {
  if (options.is_on(OptionId::Nolibs)) return;
  add_directory(key, options.is_set(OptionId::Syslibdir) ? options.text(OptionId::Syslibdir) : library_directory());
  for (const std::string& directory : options.list(OptionId::Libdir)) add_directory(key, directory);
}

// Name, size and address of each module: the numbers of BTF types and the addresses change with them. Use counts, the
// third column, change all the time.
std::string loaded_modules(std::string_view text) {
  std::string modules;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    size_t size_end = line.find(' ', line.find(' ') + 1);
    modules.append(line.substr(0, size_end)).append(line.substr(std::min(line.rfind(' '), line.size()))).append("\n");
  }
  return modules;
}

// The boot: addresses of the kernel, and all that is chosen once per boot.
bool add_kernel(KeyText& key) {
  utsname names{};
  auto boot = read_file("/proc/sys/kernel/random/boot_id");
  if (::uname(&names) != 0 || !boot) return false;
  key.add("kernel", fmt::format("{} {} {}", names.release, names.version, names.machine));
  key.add("boot", *boot);
  key.add("modules", loaded_modules(read_file("/proc/modules").value_or("")));  // absent if the kernel has no modules
  for (const char* setting : {"/proc/sys/kernel/kptr_restrict", "/proc/sys/kernel/perf_event_max_stack"})
    key.add(setting, read_file(setting).value_or(""));
  struct sysinfo memory{};
  if (::sysinfo(&memory) != 0) return false;
  key.add("memory", uint64_t{memory.totalram} * memory.mem_unit);
  key.add("cpus", static_cast<uint64_t>(::sysconf(_SC_NPROCESSORS_CONF)));
  key.add("online", static_cast<uint64_t>(::sysconf(_SC_NPROCESSORS_ONLN)));
  return true;
}

bool add_process(KeyText& key) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3] = {};
  struct stat pids{};
  if (::syscall(SYS_capget, &header, capabilities) != 0 || ::stat("/proc/self/ns/pid", &pids) != 0) return false;
  key.add("capabilities", fmt::format("{:08x}{:08x}", capabilities[1].effective, capabilities[0].effective));
  key.add("ids", fmt::format("{} {} {} {}", ::getuid(), ::geteuid(), ::getgid(), ::getegid()));
  key.add("pids", fmt::format("{}:{}", pids.st_dev, pids.st_ino));
  return true;
}

}  // namespace

bool only_traces(const CommandLine& command_line, const OptionValues& options) {
  if (command_line.mode != RunMode::Trace || command_line.programs.empty() || command_line.is_compile_only ||
      command_line.is_dry_run || command_line.is_verbose || !command_line.facts_file.empty())
    return false;
  if (!options.is_on(OptionId::Cache) || follows_forks(options) || follows_execs(options)) return false;
  constexpr OptionId products[] = {OptionId::Bpflog, OptionId::Core,  OptionId::Cpp,      OptionId::Debug,
                                   OptionId::Tree,   OptionId::Zdefs, OptionId::Rtldstop, OptionId::Verbose};
  return options.text(OptionId::Ctypes).empty() && options.text(OptionId::Dtypes).empty() &&
         std::ranges::none_of(products, [&](OptionId id) { return options.is_on(id); });
}

std::optional<std::string> cache_key(const CommandLine& command_line, const OptionValues& options,
                                     const std::string& compiler) {
  KeyText key;
  if (!only_traces(command_line, options) || !add_compiler(key, compiler) || !add_programs(key, command_line) ||
      !add_kernel(key) || !add_process(key))
    return std::nullopt;
  add_options(key, command_line, options);
  add_libraries(key, options);
  return key.take();
}

}  // namespace dscope
