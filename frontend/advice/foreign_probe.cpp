// Translates bpftrace probes to D: a table of probe kinds, each with the pattern of its D name.
#include <algorithm>
#include <cstdlib>

#include "frontend/advice/advice.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

constexpr size_t max_fields = 4;

// In `d_name`, {1} {2} ... are the fields after the kind, {last} is the last field, {static} the last field as the name
// of a static probe, {file} the first field without directories.
struct ForeignProbe {
  std::string_view kinds;  // names and short names, separated by blanks
  size_t min_fields, max_fields;
  std::string_view d_name;
};

constexpr ForeignProbe foreign_probes[] = {
    {"kprobe k fentry kfunc f", 1, 1, "fbt::{1}:entry"},
    {"kprobe k fentry kfunc f", 2, 2, "fbt:{1}:{2}:entry"},
    {"kretprobe kr fexit kretfunc fr", 1, 1, "fbt::{1}:return"},
    {"kretprobe kr fexit kretfunc fr", 2, 2, "fbt:{1}:{2}:return"},
    {"tracepoint t", 2, 2, "sdt:{1}::{2}"},
    {"rawtracepoint rt", 1, 2, "rawtp:::{last}"},
    {"interval i", 2, 2, "tick-{2}{1}"},
    {"profile p", 2, 2, "profile-{2}{1}"},
    {"uprobe u", 2, 3, "uprobe:{1}:{last}:entry"},
    {"uretprobe ur", 2, 3, "uprobe:{1}:{last}:return"},
    {"usdt U", 2, 2, "*$target:{file}*::{static}"},
    {"usdt U", 3, 3, "{2}$target:{file}*::{static}"},
    {"software s hardware h", 1, 1, "cpc:::{event}-all-1000000"},
    {"software s hardware h", 2, 2, "cpc:::{event}-all-{2}"},
};

void replace(std::string& text, std::string_view name, std::string_view value) {
  if (size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), value);
}

// Expands the short names that perf and bpftrace use for some events.
std::string event_name(std::string_view event) {
  if (event == "faults") return "page_faults";
  if (event == "cs") return "context_switches";
  if (event == "migrations") return "cpu_migrations";
  std::string name(event);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Returns the D name of a static probe, which has a dash in place of two underscores.
std::string static_name(std::string_view name) {
  std::string text(name);
  for (size_t at = text.find("__"); at != std::string::npos; at = text.find("__", at)) text.replace(at, 2, "-");
  return text;
}

std::string fill_in(const ForeignProbe& probe, const std::vector<std::string_view>& fields) {
  std::string name(probe.d_name);
  replace(name, "{file}", fields[0].substr(fields[0].rfind('/') + 1));
  replace(name, "{event}", event_name(fields[0]));
  replace(name, "{static}", static_name(fields.back()));
  replace(name, "{last}", fields.back());
  replace(name, "{1}", fields[0]);
  if (fields.size() > 1) replace(name, "{2}", fields[1]);
  return name;
}

// In D, the tracefs events of system calls are probes of provider syscall.
std::string system_call(const std::vector<std::string_view>& fields) {
  constexpr std::string_view enter = "sys_enter_", exit = "sys_exit_";
  if (fields.size() != 2) return "";
  if (fields[0] == "raw_syscalls")
    return fields[1] == "sys_enter" ? "syscall:::entry" : fields[1] == "sys_exit" ? "syscall:::return" : "";
  if (fields[0] != "syscalls") return "";
  if (fields[1].starts_with(enter)) return fmt::format("syscall::{}:entry", fields[1].substr(enter.size()));
  if (fields[1].starts_with(exit)) return fmt::format("syscall::{}:return", fields[1].substr(exit.size()));
  return "";
}

// Translates `uprobe:libc.so.6:malloc+4`, whose offset is decimal, or hexadecimal with 0x.
std::string instruction(std::string_view kind, const std::vector<std::string_view>& fields) {
  if ((kind != "uprobe" && kind != "u") || fields.size() != 2) return "";
  std::string_view function = fields[1].substr(0, fields[1].find('+'));
  if (function.size() == fields[1].size()) return "";
  uint64_t offset = std::strtoull(std::string(fields[1].substr(function.size() + 1)).c_str(), nullptr, 0);
  return fmt::format("uprobe:{}:{}:{:x}", fields[0], function, offset);
}

}  // namespace

std::string d_probe_name(std::string_view word) {
  std::vector<std::string_view> fields;
  while (fields.size() <= max_fields) {
    size_t colon = word.find(':');
    fields.push_back(word.substr(0, colon));
    if (colon == std::string_view::npos) break;
    word.remove_prefix(colon + 1);
  }
  std::string_view kind = fields.front();
  fields.erase(fields.begin());
  // The kernel may lack these tracepoints, because dscope traces system calls by provider syscall.
  if (kind == "sdt" && fields.size() == 3 && fields[1].empty()) return system_call({fields[0], fields[2]});
  if (std::any_of(fields.begin(), fields.end(), [](std::string_view field) { return field.empty(); })) return "";
  // This is already the D spelling.
  if (kind == "uprobe" && fields.size() == 3 && (fields.back() == "entry" || fields.back() == "return")) return "";
  if (std::string name = instruction(kind, fields); !name.empty()) return name;
  for (const ForeignProbe& probe : foreign_probes) {
    if (fields.size() < probe.min_fields || fields.size() > probe.max_fields || !has_word(probe.kinds, kind)) continue;
    std::string name = probe.kinds.starts_with("tracepoint") ? system_call(fields) : "";
    return name.empty() ? fill_in(probe, fields) : name;
  }
  return "";
}

}  // namespace dscope
