// plockstat: mutexes and read-write locks of the threads of a process, plockstat123:libc.so.6::mutex-acquire
// (providers.md 9). The probes are derived, in D, from pid probes on functions of the C library and from the futex
// system call in which a thread waits. A thread-local variable keeps the lock between a function's entry and its
// return.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "contract/types/type.h"
#include "runtime/providers/process/function_probes.h"
#include "runtime/providers/process/known_processes.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

constexpr std::string_view prefix = "plockstat";

// A function that requests a lock. Kind: 0 to read, 1 to write, 2 for a mutex. A function that waits for a condition
// variable releases its mutex first and returns with it, even after a timeout.
struct LockFunction {
  std::string_view name;
  int kind;
  bool is_of_condition = false;
  std::string_view lock() const { return is_of_condition ? "(uintptr_t)arg1" : "(uintptr_t)arg0"; }
};
constexpr int of_mutex = 2;
constexpr LockFunction lock_functions[] = {
    {"pthread_mutex_lock", of_mutex},
    {"pthread_mutex_trylock", of_mutex},
    {"pthread_mutex_timedlock", of_mutex},
    {"pthread_mutex_clocklock", of_mutex},
    {"pthread_rwlock_rdlock", 0},
    {"pthread_rwlock_tryrdlock", 0},
    {"pthread_rwlock_timedrdlock", 0},
    {"pthread_rwlock_clockrdlock", 0},
    {"pthread_rwlock_wrlock", 1},
    {"pthread_rwlock_trywrlock", 1},
    {"pthread_rwlock_timedwrlock", 1},
    {"pthread_rwlock_clockwrlock", 1},
    {"pthread_cond_wait", of_mutex, true},
    {"pthread_cond_timedwait", of_mutex, true},
    {"pthread_cond_clockwait", of_mutex, true},
};

// Where a probe fires: at the return of the functions that lock, at the entry of the one that unlocks, or when a thread
// begins to wait for the lock. Spinning is not observable: those probes never fire.
enum class FiresAt : uint8_t { Return, Release, Wait, Never };

// Rows are in firing order. In the D text, LOCK is the address of the lock, KIND its kind, RESULT 0 if the lock was
// acquired, else an errno.
struct LockProbe {
  std::string_view name;
  bool is_of_mutex;
  FiresAt fires_at;
  std::string_view predicate, arguments;
  std::string_view types;
};
// Two words of glibc's pthread_mutex_t show whether its owner holds a recursive mutex more than once; a third word
// holds the owner's thread id in its own pid namespace. Recursive, error-checking (2) and robust (16) mutexes can be
// released by their owner only.
#define DS_RECURSION "(*(uint32_t *)copyin(LOCK + 16, 4) & 3) == 1 && *(uint32_t *)copyin(LOCK + 4, 4) > 1"
#define DS_OWN_NUMBER "(int)curthread->thread_pid->numbers[curthread->thread_pid->level].nr"
#define DS_GIVEN_BACK                                                                                   \
  "((*(uint32_t *)copyin(LOCK + 16, 4) & 19) == 0 || (*(uint32_t *)copyin(LOCK + 16, 4) & 19) == 3 || " \
  "*(int *)copyin(LOCK + 8, 4) == " DS_OWN_NUMBER ")"
#define DS_BLOCKED "self->__plockstat_waits"
constexpr LockProbe lock_probes[] = {
    {"mutex-block", true, FiresAt::Wait, "", "LOCK;", "uintptr_t"},
    {"mutex-blocked", true, FiresAt::Return, DS_BLOCKED, "LOCK; RESULT == 0;", "uintptr_t, int"},
    {"mutex-acquire", true, FiresAt::Return, "RESULT == 0", "LOCK; " DS_RECURSION "; 0;", "uintptr_t, int, int"},
    {"mutex-error", true, FiresAt::Return, "RESULT != 0", "LOCK; RESULT;", "uintptr_t, int"},
    {"mutex-release", true, FiresAt::Release, DS_GIVEN_BACK, "LOCK; " DS_RECURSION ";", "uintptr_t, int"},
    {"mutex-spin", true, FiresAt::Never, "", "LOCK;", "uintptr_t"},
    {"mutex-spun", true, FiresAt::Never, "", "LOCK; 0; 0;", "uintptr_t, int, int"},
    {"rw-block", false, FiresAt::Wait, "", "LOCK; KIND;", "uintptr_t, int"},
    {"rw-blocked", false, FiresAt::Return, DS_BLOCKED, "LOCK; KIND; RESULT == 0;", "uintptr_t, int, int"},
    {"rw-acquire", false, FiresAt::Return, "RESULT == 0", "LOCK; KIND;", "uintptr_t, int"},
    {"rw-error", false, FiresAt::Return, "RESULT != 0", "LOCK; KIND; RESULT;", "uintptr_t, int, int"},
    // glibc's pthread_rwlock_t holds the thread id of the writer.
    {"rw-release", false, FiresAt::Release, "1", "LOCK; *(int *)copyin(LOCK + 24, 4) == " DS_OWN_NUMBER ";",
     "uintptr_t, int"},
};
#undef DS_RECURSION
#undef DS_OWN_NUMBER
#undef DS_GIVEN_BACK
#undef DS_BLOCKED

std::string with(std::string text, std::string_view word, std::string_view value) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size())
    text.replace(at, word.size(), value);
  return text;
}

std::string clause(std::string_view probe, std::string_view predicate, std::string_view arguments,
                   std::string_view lock, std::string_view kind, std::string_view result = "(int)arg1") {
  std::string text = fmt::format("{} /{}/ {{ {} }}", probe, predicate, arguments);
  return with(with(with(std::move(text), "LOCK", lock), "KIND", kind), "RESULT", result);
}

// The object of a process that defines the lock functions.
struct ThreadLibrary {
  uint32_t pid = 0;
  std::string object;
  std::set<std::string, std::less<>> functions;

  std::string probe(std::string_view function, std::string_view name) const {
    return fmt::format("pid{}:{}:{}:{}", pid, object, function, name);
  }
};

constexpr std::string_view saved_lock = "(uintptr_t)self->__plockstat_lock", saved_kind = "(int)self->__plockstat_kind";

// ETIMEDOUT: the mutex was acquired again all the same.
constexpr std::string_view timed_out_result = "((int)arg1 == 110 ? 0 : (int)arg1)";

// Saves the lock at the function's entry. It stays saved until the thread requests the next lock, because predicates
// run once per clause and must not change what the next clause sees. The predicate is never true.
std::string saving_clause(const ThreadLibrary& library, const LockFunction& function, const LockProbe& probe) {
  std::string predicate = fmt::format(
      "(self->__plockstat_lock = {}) + (self->__plockstat_kind = {}) + "
      "(self->__plockstat_waits = 0) == 1",
      function.lock(), function.kind);
  return clause(library.probe(function.name, "entry"), predicate, probe.arguments, function.lock(), "0");
}

// Fires at FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET and FUTEX_LOCK_PI2 on a word of the saved lock.
std::string waiting_clause(const LockProbe& probe, std::string_view also) {
  constexpr int futex = 202, mutex_size = 40, rwlock_size = 56;
  std::string predicate = fmt::format(
      "args[1] == {} && self->__plockstat_lock != 0 && self->__plockstat_kind {} {} && "
      "args[0]->di - (uintptr_t)self->__plockstat_lock < {} && (1 << (args[0]->si & 0x7f) & 0x2241) != 0{}",
      futex, probe.is_of_mutex ? "==" : "!=", of_mutex, probe.is_of_mutex ? mutex_size : rwlock_size, also);
  return clause("rawtp:::sys_enter", predicate, probe.arguments, saved_lock, saved_kind);
}

std::vector<Derivation> derivations(const ThreadLibrary& library, const LockProbe& probe) {
  std::vector<Derivation> result;
  uint32_t order = Derivation::default_order + static_cast<uint32_t>(&probe - lock_probes);
  auto add = [&](std::string text) { result.push_back({.clause = std::move(text), .order = order, .subject = {}}); };
  std::string_view unlock = probe.is_of_mutex ? "pthread_mutex_unlock" : "pthread_rwlock_unlock";
  if (probe.fires_at == FiresAt::Release || probe.fires_at == FiresAt::Never) {
    add(clause(library.probe(unlock, "entry"), probe.fires_at == FiresAt::Release ? probe.predicate : "arg0 == 1",
               probe.arguments, "(uintptr_t)arg0", "0"));
    for (const LockFunction& function : lock_functions)
      if (probe.fires_at == FiresAt::Release && probe.is_of_mutex && function.is_of_condition &&
          library.functions.contains(function.name))
        add(clause(library.probe(function.name, "entry"), probe.predicate, probe.arguments, function.lock(), "0"));
    return result;
  }
  for (const LockFunction& function : lock_functions) {
    if ((function.kind == of_mutex) != probe.is_of_mutex || !library.functions.contains(function.name)) continue;
    add(saving_clause(library, function, probe));
    if (probe.fires_at != FiresAt::Return) continue;
    add(clause(library.probe(function.name, FunctionProbes::result),
               fmt::format("self->__plockstat_lock && {}", probe.predicate), probe.arguments, saved_lock,
               std::to_string(function.kind), function.is_of_condition ? timed_out_result : "(int)arg1"));
  }
  if (probe.fires_at == FiresAt::Wait) add(waiting_clause(probe, ""));
  if (probe.name.ends_with("-blocked")) add(waiting_clause(probe, " && (self->__plockstat_waits = 1) == 2"));
  return result;
}

class PlockstatProvider final : public Provider {
 public:
  explicit PlockstatProvider(std::vector<uint32_t> targets) : targets_(std::move(targets)) {}

  std::string_view name() const override { return prefix; }
  std::string why_missing(const ProbeDescription& description) override {
    return description.provider == prefix ? "`plockstat$target:::`, with -p PID or -c COMMAND, is of one process" : "";
  }
  bool could_match(const ProbeDescription& description) const override {
    return !pids(description.provider).empty() && field_matches(description.function, "");
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}
  ProbeDescription as_published(ProbeDescription description) const override {
    auto pid = pid_of(description.provider);
    return pid ? processes_.as_published(*pid, std::move(description)) : description;
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override {
    std::vector<Probe> probes;
    for (uint32_t pid : pids(description.provider)) {
      const ThreadLibrary* library = find_library(pid);
      std::string module = processes_.as_published(pid, description).module;
      if (library == nullptr || !field_matches(module, library->object)) continue;
      for (const LockProbe& row : lock_probes)
        if (field_matches(description.name, row.name))
          probes.push_back({.provider = fmt::format("{}{}", prefix, pid),
                            .module = library->object,
                            .function = {},
                            .name = std::string{row.name},
                            .derivations = derivations(*library, row),
                            .has_typed_args = true});
    }
    return probes;
  }

  void load_args(Probe& probe, TypeTable& types) override {
    auto row = std::find_if(std::begin(lock_probes), std::end(lock_probes),
                            [&](const LockProbe& each) { return each.name == probe.name; });
    for (std::string_view rest = row->types; !rest.empty();) {
      std::string type{rest.substr(0, rest.find(", "))};
      rest.remove_prefix(std::min(rest.size(), type.size() + 2));
      probe.args.push_back(
          {.type_text = type, .type = types.find(type).value_or(types.int_type()), .name = {}, .source = {}});
    }
  }

 private:
  static std::optional<uint32_t> pid_of(std::string_view provider) {
    if (!provider.starts_with(prefix)) return std::nullopt;
    auto pid = parse_integer<uint32_t>(provider.substr(prefix.size()));
    return pid == 0u ? std::nullopt : pid;
  }

  // The named process or, for a pattern, the matching targets.
  std::vector<uint32_t> pids(std::string_view provider) const {
    if (auto pid = pid_of(provider)) return {*pid};
    std::vector<uint32_t> found;
    if (is_literal(provider) || provider.empty()) return found;
    std::ranges::copy_if(targets_, std::back_inserter(found),
                         [&](uint32_t pid) { return field_matches(provider, fmt::format("{}{}", prefix, pid)); });
    return found;
  }

  // Null if the process lacks the functions or may not be inspected.
  const ThreadLibrary* find_library(uint32_t pid) {
    auto [entry, is_new] = libraries_.try_emplace(pid);
    ProcessFunctions* process = is_new ? processes_.open(pid) : nullptr;
    for (size_t i = 0; process != nullptr && i < process->size() && !entry->second; ++i) {
      std::set<std::string, std::less<>> functions;
      for (const ElfSymbols::Function& function : process->functions(i))
        if (function.name.starts_with("pthread_")) functions.emplace(function.name);
      if (functions.contains("pthread_mutex_lock") && functions.contains("pthread_mutex_unlock"))
        entry->second = {.pid = pid, .object = process->object(i).name, .functions = std::move(functions)};
    }
    return entry->second ? &*entry->second : nullptr;
  }

  std::vector<uint32_t> targets_;
  KnownProcesses processes_;
  std::map<uint32_t, std::optional<ThreadLibrary>> libraries_;
};

}  // namespace

std::unique_ptr<Provider> make_plockstat_provider(const ProcessTools& tools) {
  return std::make_unique<PlockstatProvider>(tools.targets);
}

}  // namespace dscope
