#include "tests/kernels/constructs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catalog/catalog.h"
#include "runtime/providers/derived/derived_text.h"
#include "support/format.h"
#include "tests/kernels/library_text.h"

namespace dscope {

namespace {

bool is_internal_name(std::string_view name) { return name.find("__") != std::string_view::npos; }

std::string trace_of(std::string_view value) { return fmt::format("trace({});", value); }
std::string print_of(std::string_view value, ValueKind kind) {
  if (kind == ValueKind::Plain) return trace_of(value);
  return fmt::format("print({}{});", kind == ValueKind::PointerToObject ? "*" : "", value);
}

// Members of the D types that translators make, by type: "fileinfo_t".
using TranslatedMembers = std::map<std::string, std::vector<LibraryTranslator::Member>, std::less<>>;

TranslatedMembers translated_members(const std::vector<LibraryText>& libraries) {
  TranslatedMembers members;
  for (const LibraryText& library : libraries)
    for (const LibraryTranslator& translator : library.translators) members[translator.output] = translator.members;
  return members;
}

// `declaration`: "struct file * : fileinfo_t *", or only a type.
void add_argument(Construct& construct, size_t index, std::string_view declaration, const TranslatedMembers& types) {
  std::string argument = fmt::format("args[{}]", index);
  size_t colon = declaration.find(" : ");
  std::string_view translated = colon == std::string_view::npos ? std::string_view{} : declaration.substr(colon + 3);
  auto members = translated.ends_with(" *") ? types.find(translated.substr(0, translated.size() - 2)) : types.end();
  if (members == types.end()) {
    construct.parts.push_back({argument, trace_of(argument)});
    return;
  }
  for (const auto& [member, kind] : members->second) {
    std::string value = fmt::format("{}->{}", argument, member);
    construct.parts.push_back({value, print_of(value, kind)});
  }
}

Construct probe_construct(std::string_view provider, const DeclaredProbe& probe, const TranslatedMembers& types) {
  std::string description = fmt::format("{}:::{}", provider, probe.name);
  Construct construct{.name = description, .description = description, .parts = {{"", ""}}};
  std::string arguments = one_line(probe.arguments);
  size_t index = 0;
  for (size_t begin = 0; begin < arguments.size();) {
    size_t end = std::min(arguments.find(", ", begin), arguments.size());
    std::string_view declaration = std::string_view{arguments}.substr(begin, end - begin);
    declaration.remove_prefix(std::min(declaration.find_first_not_of(' '), declaration.size()));
    add_argument(construct, index++, declaration, types);
    begin = end + 2;
  }
  return construct;
}

// Probes of Solaris that are derived from probes of Linux.
void add_solaris_probes(const TranslatedMembers& types, std::vector<Construct>& constructs) {
  for (const DerivedProviderText& provider : solaris_provider_texts) {
    std::set<std::string_view> derived;
    for (const DerivationRow& row : read_derived_clauses(provider.text).derivations) derived.insert(row.probe);
    for (const DeclaredProbe& probe : read_declared_probes(provider.text)) {
      if (!derived.contains(probe.name)) continue;
      Construct construct = probe_construct(provider.provider, probe, types);
      construct.name = "compat=solaris " + construct.name;
      construct.pragma = "#pragma D option compat=solaris\n";
      constructs.push_back(std::move(construct));
    }
  }
}

// Scripts whose probes a machine of BTF has.
void add_tools(const std::string& folder, std::vector<Construct>& constructs) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".d") continue;
    std::ifstream file{entry.path()};
    std::stringstream text;
    text << file.rdbuf();
    // A machine of BTF has no programs, and without tracefs it does not know the subsystems of tracepoints.
    auto names = [&](const char* probe) { return text.str().find(probe) != std::string::npos; };
    if (names("$target:") || names("uprobe:") || names("python") || names("sdt:")) continue;
    constructs.push_back({.name = "tools/" + entry.path().filename().string(),
                          .description = "tools:",
                          .parts = {{"", ""}},
                          .script = entry.path().string()});
  }
}

Construct translator_construct(const LibraryTranslator& translator) {
  Construct construct{.name = fmt::format("xlate <{}> ({})", translator.output, translator.input),
                      .description = "BEGIN",
                      .parts = {},
                      .is_internal = is_internal_name(translator.output) || is_internal_name(translator.input)};
  for (const auto& [member, kind] : translator.members) {
    std::string value = fmt::format("xlate <{} *> (({})arg0)->{}", translator.output, translator.input, member);
    construct.parts.push_back({"." + member, print_of(value, kind)});
  }
  return construct;
}

std::string argument_of_type(const std::string& type) { return type == "string" ? "execname" : "(" + type + ")arg0"; }

// One construct for a few inlines, so that their libraries are read once.
void add_inlines(const LibraryText& library, bool is_internal, std::vector<Construct>& constructs) {
  constexpr size_t max_parts = 20;
  Construct construct{
      .name = fmt::format("{}:", library.file), .description = "BEGIN", .parts = {}, .is_internal = is_internal};
  for (const LibraryInline& definition : library.inlines) {
    if (is_internal_name(definition.name) != is_internal) continue;
    std::string value = definition.name;
    for (size_t i = 0; i < definition.parameters.size(); ++i)
      value += (i == 0 ? "[" : ", ") + argument_of_type(definition.parameters[i]);
    if (!definition.parameters.empty()) value += "]";
    construct.parts.push_back({definition.name, print_of(value, definition.kind)});
    if (construct.parts.size() < max_parts) continue;
    constructs.push_back(construct);
    construct.parts.clear();
  }
  if (!construct.parts.empty()) constructs.push_back(std::move(construct));
}

Construct variables() {
  Construct construct{.name = "built-in variable", .description = "BEGIN", .parts = {}};
  constexpr std::string_view names[] = {
#define DS_VARIABLE(id, name, ...) name,
#include "catalog/variables.def"
#undef DS_VARIABLE
  };
  for (std::string_view name : names) {
    if (find_variable(name)->release != Release::Now) continue;
    construct.parts.push_back({std::string{name}, trace_of(name == "uregs" ? "uregs[R_RSP]" : name)});
  }
  return construct;
}

Construct subroutines() {
  return {.name = "function",
          .description = "BEGIN",
          .parts = {{"d_path", trace_of("d_path((struct path *)arg0)")},
                    {"copyinstr", trace_of("copyinstr(arg0)")},
                    {"mutex_owned", trace_of("mutex_owned((struct mutex *)arg0)")},
                    {"mutex_owner", trace_of("mutex_owner((struct mutex *)arg0)")},
                    {"progenyof", trace_of("progenyof(1)")},
                    {"rw_iswriter", trace_of("rw_iswriter((rwlock_t *)arg0)")},
                    {"rw_read_held", trace_of("rw_read_held((rwlock_t *)arg0)")},
                    {"rw_write_held", trace_of("rw_write_held((rwlock_t *)arg0)")},
                    {"stack", "stack();"},
                    {"ustack", "ustack();"},
                    {"print", "print(*curthread);"}}};
}

// Probes that are no rows of a .d file: one or a few of each provider.
void add_samples(std::vector<Construct>& constructs) {
  auto add = [&](std::string description, std::vector<Construct::Part> parts) {
    constructs.push_back({.name = description, .description = description, .parts = std::move(parts)});
  };
  add("fbt::vfs_read:entry", {{"args[0]", trace_of("args[0]->f_path.dentry")}, {"stack", "stack();"}});
  add("fbt::vfs_read:return", {{"args[1]", trace_of("args[1]")}, {"stack", "stack();"}});
  add("rawfbt::vfs_read:entry", {{"arg0", trace_of("arg0")}});
  add("rawtp:::sched_switch", {{"args[1]", trace_of("args[1]->pid")}});
  add("sdt:::sched_switch", {{"args[0]", trace_of("args[0]")}});
  add("syscall::read:entry", {{"fds", trace_of("fds[arg0].fi_pathname")}, {"args[1]", trace_of("args[1]")}});
  add("syscall::read:return", {{"errno", trace_of("errno")}});
  add("lsm::file_open:entry", {{"args[0]", trace_of("args[0]->f_path.dentry")}});
  add("iter:::task", {{"args[0]", trace_of("args[0]->pid")}});
  add("iter:::task_file", {{"args[0]", trace_of("args[0]")}});
  add("iter:::task_vma", {{"args[0]", trace_of("args[0]")}});
  add("vfs::vfs_read:entry", {{"", ""}});
  add("profile:::profile-97", {{"curpsinfo", trace_of("curpsinfo->pr_psargs")}});
}

}  // namespace

std::string Construct::program() const {
  std::string body;
  for (const Part& part : parts) body += " " + part.statement;
  return script.empty() ? pragma + description + " {" + body + " }" : script;
}

std::string Construct::program(const Part& part) const {
  return script.empty() ? pragma + description + " { " + part.statement + " }" : script;
}

std::string Construct::name_of(const Part& part) const {
  return part.name.empty() ? name : fmt::format("{}{}{}", name, part.name.starts_with('.') ? "" : " ", part.name);
}

std::vector<Construct> all_constructs(const std::string& library_folder, const std::string& tool_folder) {
  std::vector<LibraryText> libraries = read_libraries(library_folder);
  TranslatedMembers types = translated_members(libraries);
  std::vector<Construct> constructs;
  for (const DerivedProviderText& provider : derived_provider_texts)
    for (const DeclaredProbe& probe : read_declared_probes(provider.text))
      constructs.push_back(probe_construct(provider.provider, probe, types));
  add_solaris_probes(types, constructs);
  add_samples(constructs);
  add_tools(tool_folder, constructs);
  for (const LibraryText& library : libraries) {
    for (const LibraryTranslator& translator : library.translators)
      constructs.push_back(translator_construct(translator));
    for (bool is_internal : {false, true}) add_inlines(library, is_internal, constructs);
  }
  constructs.push_back(variables());
  constructs.push_back(subroutines());
  return constructs;
}

}  // namespace dscope
