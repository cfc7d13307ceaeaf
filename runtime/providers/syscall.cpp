// syscall provider: entry and return of every system call (providers.md 3). The table of numbers, names and parameters
// is generated (src/arch), so `syscall:::` reads neither tracefs nor BTF. Recent or optional calls are detected by
// calling them with invalid arguments.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "contract/types/type_text.h"
#include "runtime/kernel/btf_types.h"
#include "runtime/kernel/machine_facts.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/system_call.h"
#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

// C library names of calls that have another name in the kernel.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {
    {"stat", "newstat"},   {"fstat", "newfstat"},      {"lstat", "newlstat"},        {"fstatat", "newfstatat"},
    {"uname", "newuname"}, {"sendfile", "sendfile64"}, {"umount2", "umount"},        {"prlimit", "prlimit64"},
    {"pread", "pread64"},  {"pwrite", "pwrite64"},     {"fadvise64", "fadvise64_64"}};

// Calls `visit` with the names of calls in 32-bit programs and the numbers under which they are published.
template <typename Visit>
void for_each_compat_name(Visit visit) {
  const CompatCalls* compat = traced_architecture().compat_calls;
  if (compat == nullptr) return;
  for (const CompatCall& call : compat->calls) visit(call.name, uint32_t{call.number_for_64_bits});
  for (const auto& [name, number] : compat->own_names) visit(name, number);
}

const SystemCall* find_row(std::string_view name) { return find_system_call(traced_architecture(), name); }
const SystemCall* find_row(uint32_t number) { return find_system_call(traced_architecture(), number); }

// The published name of a call; `name` may be one of its aliases.
std::string_view published_name(std::string_view name) {
  if (name.empty() || find_row(name) != nullptr) return name;
  for (auto [alias, kernel_name] : aliases)
    if (name == alias && find_row(kernel_name) != nullptr) return kernel_name;
  const SystemCall* row = nullptr;
  for_each_compat_name([&](std::string_view other, uint32_t number) {
    if (row == nullptr && other == name) row = find_row(number);
  });
  return row != nullptr ? row->name : name;
}

bool is_present(const SystemCallPresence& presence) {
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
  const std::vector<const SystemCall*>& rows() {
    if (!rows_.empty()) return rows_;
    for (const SystemCall& row : traced_architecture().system_calls)
      if (is_present(row.presence)) rows_.push_back(&row);
    std::ranges::sort(rows_, {}, &SystemCall::name);
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
  std::vector<const SystemCall*> rows_;
};

// `__x64_sys_openat` is the kernel function that implements the call openat.
std::string SyscallProvider::why_missing(const ProbeDescription& description) {
  constexpr std::string_view prefix = "sys_";
  size_t at = description.function.find(prefix);
  if (description.provider != name() || at == std::string::npos) return {};
  std::string_view call = std::string_view(description.function).substr(at + prefix.size());
  bool is_call = std::ranges::any_of(rows(), [&](const SystemCall* row) { return row->name == call; });
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
  const SystemCall* row = find_row(probe.function);
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
  const SystemCall* row = find_row(number);
  if (row == nullptr) return names;
  names.push_back(row->name);
  for (auto [alias, kernel_name] : aliases)
    if (kernel_name == row->name) names.push_back(alias);
  for_each_compat_name([&](std::string_view other, uint32_t its_number) {
    if (its_number == number && published_name(other) == row->name && std::ranges::count(names, other) == 0)
      names.push_back(other);
  });
  return names;
}

std::vector<uint32_t> conditional_system_calls() {
  std::vector<uint32_t> calls;
  for (const SystemCall& row : traced_architecture().system_calls)
    if (row.presence.number >= 0) calls.push_back(static_cast<uint32_t>(row.presence.number));
  return calls;
}

std::unique_ptr<Provider> make_syscall_provider(KernelTypes& kernel_types) {
  return std::make_unique<SyscallProvider>(kernel_types);
}

}  // namespace dscope
