// syscall provider: entry and return of every system call (providers.md 3). The table of numbers, names and parameters
// is generated, so `syscall:::` reads neither tracefs nor BTF. Recent or optional calls are detected by calling them
// with invalid arguments.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "contract/type_text.h"
#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/machine_facts.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/system_call.h"
#include "support/format.h"
#include "support/parse_integer.h"

namespace dscope {
namespace {

// How to detect that the kernel has a call.
struct Presence {
  const char* path = nullptr;  // a file that exists if the kernel has the call
  int number = -1;             // a call that returns ENOSYS if the kernel lacks it
};
constexpr Presence always{}, with_modules{.path = "/proc/modules"}, with_kexec{.path = "/sys/kernel/kexec_loaded"};
// The kernel can run 32-bit programs.
constexpr Presence with_32_bits{.path = "/proc/sys/abi/vsyscall32"};
constexpr Presence answers(int number) { return {.number = number}; }

struct SyscallRow {
  uint32_t number;
  std::string_view name;
  Presence presence;
  std::string_view parameters;  // in C
};

#ifndef __x86_64__
#error "the system calls of this architecture are unknown"
#endif
#define DS_SYSCALL(number, name, presence, parameters) {number, name, presence, parameters},
constexpr SyscallRow syscall_rows[] = {
#include "runtime/providers/syscalls_x86_64.inc"
#define DS_I386_SYSCALL(number, name, alias, parameters) \
  {HookSyscall::first_compat_number + (number), name, with_32_bits, parameters},
#include "runtime/providers/syscalls_i386.inc"
#undef DS_I386_SYSCALL
};
#undef DS_SYSCALL

// C library names of calls that have another name in the kernel.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {
    {"stat", "newstat"},   {"fstat", "newfstat"},      {"lstat", "newlstat"}, {"fstatat", "newfstatat"},
    {"uname", "newuname"}, {"sendfile", "sendfile64"}, {"umount2", "umount"}, {"prlimit", "prlimit64"},
    {"pread", "pread64"},  {"pwrite", "pwrite64"}};

// Names of calls in 32-bit programs, with the numbers under which they are published.
struct NameOf32Bits {
  std::string_view name;
  uint32_t number;
};
constexpr NameOf32Bits names_of_32_bits[] = {
#define DS_I386_CALL(number, number_for_64_bits, name, registers) {name, number_for_64_bits},
#include "contract/i386_calls.inc"
#undef DS_I386_CALL
#define DS_I386_SYSCALL(number, name, alias, parameters) {alias, HookSyscall::first_compat_number + (number)},
#include "runtime/providers/syscalls_i386.inc"
#undef DS_I386_SYSCALL
};

const SyscallRow* find_row(std::string_view name) {
  auto row = std::ranges::find(syscall_rows, name, &SyscallRow::name);
  return row == std::end(syscall_rows) ? nullptr : &*row;
}
const SyscallRow* find_row(uint32_t number) {
  auto row = std::ranges::find(syscall_rows, number, &SyscallRow::number);
  return row == std::end(syscall_rows) ? nullptr : &*row;
}

// The published name of a call; `name` may be one of its aliases.
std::string_view published_name(std::string_view name) {
  for (auto [alias, kernel_name] : aliases)
    if (name == alias) return kernel_name;
  if (name.empty() || find_row(name) != nullptr) return name;
  auto other = std::ranges::find(names_of_32_bits, name, &NameOf32Bits::name);
  if (other == std::end(names_of_32_bits)) return name;
  const SyscallRow* row = find_row(other->number);
  return row != nullptr ? row->name : name;
}

bool is_present(const Presence& presence) {
  if (presence.path != nullptr) return ::access(machine_path(presence.path).c_str(), F_OK) == 0;
  return presence.number < 0 || has_system_call(static_cast<uint32_t>(presence.number));
}

class SyscallProvider final : public Provider {
 public:
  explicit SyscallProvider(KernelTypes& kernel_types) : kernel_types_(kernel_types) {}

  std::string_view name() const override { return "syscall"; }

  bool could_match(const ProbeDescription& description) const override {
    return !is_solaris_call(description) && field_matches(description.provider, name()) &&
           field_matches(description.module, module) &&
           (field_matches(description.name, entry) || field_matches(description.name, exit));
  }

  ProbeDescription as_published(ProbeDescription description) const override {
    description.function = published_name(description.function);
    return description;
  }

  // With compat=solaris, patterns have the meaning of the Solaris names.
  bool matches_alias(size_t index, const ProbeDescription& description) override {
    if (description.dialect.has_solaris_system_calls()) return false;
    auto is_match = [&](std::string_view alias) { return field_matches(description.function, alias); };
    return std::ranges::any_of(names_of_system_call(rows()[index / 2]->number), is_match);
  }

  size_t count() override { return rows().size() * 2; }
  ProbeName probe_name(size_t index) override {
    return {module, rows()[index / 2]->name, index % 2 == 0 ? entry : exit};
  }
  void describe(size_t index, Probe& probe) override { describe(rows()[index / 2]->number, probe); }

  std::vector<Probe> create_all(const ProbeDescription& description) override;
  void load_args(Probe& probe, TypeTable& types) override;
  std::string why_missing(const ProbeDescription& description) override;

 private:
  static constexpr std::string_view module = "vmlinux", entry = "entry", exit = "return";

  // The calls that this kernel has, sorted by name.
  const std::vector<const SyscallRow*>& rows() {
    if (!rows_.empty()) return rows_;
    for (const SyscallRow& row : syscall_rows)
      if (is_present(row.presence)) rows_.push_back(&row);
    std::ranges::sort(rows_, {}, &SyscallRow::name);
    return rows_;
  }

  static void describe(uint32_t number, Probe& probe) {
    bool is_return = probe.name == exit;
    probe.hook = HookSyscall{number, is_return};
    mark_system_call(probe);
    probe.has_typed_args = true;
    ArgSource result{.kind = ArgSourceKind::SyscallReturn, .is_signed = true};
    if (is_return) probe.raw_args = {result, result};
    else
      for (uint32_t i = 0; i < 6; ++i) probe.raw_args.push_back({.kind = ArgSourceKind::SyscallArg, .index = i});
  }

  KernelTypes& kernel_types_;
  std::vector<const SyscallRow*> rows_;
};

// `__x64_sys_openat` is the kernel function that implements the call openat.
std::string SyscallProvider::why_missing(const ProbeDescription& description) {
  constexpr std::string_view prefix = "sys_";
  size_t at = description.function.find(prefix);
  if (description.provider != name() || at == std::string::npos) return {};
  std::string_view call = std::string_view(description.function).substr(at + prefix.size());
  bool is_call = std::ranges::any_of(rows(), [&](const SyscallRow* row) { return row->name == call; });
  return is_call ? fmt::format("did you mean `{}`?", call) : "";
}

// Calls that are newer than the table are named by their numbers: sys_999.
std::vector<Probe> SyscallProvider::create_all(const ProbeDescription& description) {
  constexpr std::string_view prefix = "sys_";
  constexpr uint32_t number_limit = 1024;
  std::string_view function = description.function;
  if (!function.starts_with(prefix)) return {};
  auto number = parse_integer<uint32_t>(function.substr(prefix.size()));
  if (!number || *number >= number_limit) return {};
  if (find_row(*number) != nullptr) return {};
  std::vector<Probe> probes;
  for (std::string_view each : {entry, exit}) {
    if (!field_matches(description.name, each)) continue;
    describe(*number, probes.emplace_back(Probe{.provider = std::string{name()},
                                                .module = std::string{module},
                                                .function = fmt::format("{}{}", prefix, *number),
                                                .name = std::string{each}}));
  }
  return probes;
}

void SyscallProvider::load_args(Probe& probe, TypeTable& types) {
  if (probe.name == exit) {
    for (const ArgSource& source : probe.raw_args)
      probe.args.push_back({.type_text = "long", .type = types.integer(8, true), .source = source});
    return;
  }
  const SyscallRow* row = find_row(probe.function);
  if (row == nullptr) return;
  auto lookup = [&](const std::string& type_name) { return kernel_types_.find(types, "", type_name); };
  for (std::string_view rest = row->parameters; !rest.empty();) {
    std::string_view text = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(text.size() + 2, rest.size()));
    DeclarationText declaration = split_declaration(text);
    // Pointer arguments of system calls point to user memory.
    auto type = read_type_text(types, declaration.type, PointerSpace::User, lookup);
    ArgSource source{.kind = ArgSourceKind::SyscallArg, .index = static_cast<uint32_t>(probe.args.size())};
    if (type && types.is_scalar(*type)) {
      source.size = static_cast<uint32_t>(types.size_of(*type));
      source.is_signed = types.is_signed_integer(*type);
    }
    probe.args.push_back({declaration.type, type.value_or(TypeTable::error_type()), declaration.name, source});
  }
}

}  // namespace

std::vector<std::string_view> names_of_system_call(uint32_t number) {
  std::vector<std::string_view> names;
  const SyscallRow* row = find_row(number);
  if (row == nullptr) return names;
  names.push_back(row->name);
  for (auto [alias, kernel_name] : aliases)
    if (kernel_name == row->name) names.push_back(alias);
  for (const NameOf32Bits& other : names_of_32_bits)
    if (other.number == number && published_name(other.name) == row->name && std::ranges::count(names, other.name) == 0)
      names.push_back(other.name);
  return names;
}

std::vector<uint32_t> conditional_system_calls() {
  std::vector<uint32_t> calls;
  for (const SyscallRow& row : syscall_rows)
    if (row.presence.number >= 0) calls.push_back(static_cast<uint32_t>(row.presence.number));
  return calls;
}

std::unique_ptr<Provider> make_syscall_provider(KernelTypes& kernel_types) {
  return std::make_unique<SyscallProvider>(kernel_types);
}

}  // namespace dscope
