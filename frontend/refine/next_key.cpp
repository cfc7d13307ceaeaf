#include "frontend/refine/next_key.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "frontend/syntax/ast_print.h"

namespace dscope {

namespace {

// System calls and the D text of the file that they use at entry.
struct FileArgument {
  std::string_view function;
  std::string_view file;
};
constexpr std::string_view descriptor = "fds[arg0].fi_pathname";
constexpr FileArgument file_arguments[] = {
    {"read", descriptor},
    {"write", descriptor},
    {"pread64", descriptor},
    {"pwrite64", descriptor},
    {"readv", descriptor},
    {"writev", descriptor},
    {"preadv", descriptor},
    {"pwritev", descriptor},
    {"fsync", descriptor},
    {"fdatasync", descriptor},
    {"lseek", descriptor},
    {"close", descriptor},
    {"newfstat", descriptor},
    {"fstat", descriptor},
    {"ftruncate", descriptor},
    {"getdents64", descriptor},
    {"ioctl", descriptor},
    {"fcntl", descriptor},
    {"recvfrom", descriptor},
    {"sendto", descriptor},
    {"open", "copyinstr(arg0)"},
    {"stat", "copyinstr(arg0)"},
    {"newstat", "copyinstr(arg0)"},
    {"access", "copyinstr(arg0)"},
    {"unlink", "copyinstr(arg0)"},
    {"execve", "copyinstr(arg0)"},
    {"openat", "copyinstr(arg1)"},
    {"newfstatat", "copyinstr(arg1)"},
    {"statx", "copyinstr(arg1)"},
    {"unlinkat", "copyinstr(arg1)"},
    {"faccessat", "copyinstr(arg1)"},
    {"readlinkat", "copyinstr(arg1)"},
};

bool is_glob(std::string_view text) { return text.empty() || text.find_first_of("*?[") != text.npos; }

void append_conditions(std::string& text, const std::vector<Statement*>& body) {
  for (const Statement* statement : body)
    if (const auto* branch = std::get_if<IfStatement>(&statement->form)) {
      text += print_expr(*branch->condition) + " && ";
      append_conditions(text, branch->then_body);
    }
}

// All conditions of the clause as text.
std::string conditions_of(const Clause& clause) {
  std::string text = clause.predicate == nullptr ? "" : print_expr(*clause.predicate) + " && ";
  append_conditions(text, clause.body);
  return text;
}

// True if the value of `name` is a key, or a condition fixes it.
bool is_known(std::string_view name, const std::string& conditions, const std::vector<std::string>& keys) {
  return std::ranges::find(keys, name) != keys.end() ||
         conditions.find(std::string{name} + " == ") != std::string::npos;
}

bool has_several_functions(const Clause& clause) {
  if (clause.probes.size() != 1) return true;
  const ProbeSpecifier& probe = clause.probes.front();
  return !probe.id && probe.provider != "profile" && probe.provider != "tick" && is_glob(probe.function);
}

// The system call that the clause is about, if it is about the entry of a single one; `condition`: "probefunc == ".
std::string_view system_call(const Clause& clause, std::string_view conditions) {
  if (clause.probes.size() != 1 || clause.probes.front().provider != "syscall" || clause.probes.front().name != "entry")
    return {};
  if (!is_glob(clause.probes.front().function)) return clause.probes.front().function;
  constexpr std::string_view fixed = "probefunc == \"";
  size_t begin = conditions.find(fixed);
  if (begin == conditions.npos) return {};
  begin += fixed.size();
  return conditions.substr(begin, conditions.find('"', begin) - begin);
}

}  // namespace

std::optional<std::string> next_key(const Clause& clause, const std::vector<std::string>& keys,
                                    const KeySources& sources) {
  std::string conditions = conditions_of(clause);
  bool names_process = is_known("execname", conditions, keys) || is_known("pid", conditions, keys);
  if (!names_process) return "execname";
  if (has_several_functions(clause) && !is_known("probefunc", conditions, keys)) return "probefunc";
  // A stack cannot be a condition: the key after a stack follows from the stack being the key now.
  bool had_stack = is_known("stack()", conditions, keys), had_user_stack = is_known("ustack()", conditions, keys);
  bool had_file = keys.size() == 1 &&
                  std::ranges::find(file_arguments, keys.front(), &FileArgument::file) != std::end(file_arguments);
  if (had_file) return std::nullopt;
  if (sources.has_stacks && !had_stack && !had_user_stack) return "stack()";
  if (sources.has_stacks && !had_user_stack) return "ustack()";
  std::string_view call = system_call(clause, conditions);
  for (const FileArgument& each : file_arguments)
    if (each.function == call && (sources.has_descriptors || each.file != descriptor)) return std::string{each.file};
  return std::nullopt;
}

}  // namespace dscope
