#include "driver/language/analysis.h"

#include <algorithm>
#include <filesystem>

#include "contract/types/member.h"
#include "driver/bundle/altered_host.h"
#include "driver/compile/library_files.h"
#include "driver/compile/preprocessor.h"
#include "driver/language/cursor.h"
#include "frontend/advice/advice.h"
#include "frontend/syntax/parser.h"
#include "support/catch_exceptions.h"

namespace dscope {

namespace {

constexpr std::string_view unknown_member = "__dscope_cursor";

// The options in the first line of a script: "#!/usr/bin/env -S dscope -qCs".
std::vector<OptionSetting> first_line_settings(const std::string& path, std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string line(text.substr(2, text.find('\n') - 2));
  std::vector<std::string> words;
  bool is_ours = false;
  for (size_t at = 0; at < line.size();) {
    size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string::npos) break;
    at = std::min(line.find_first_of(" \t\r", begin), line.size());
    std::string word = line.substr(begin, at - begin);
    if (is_ours) words.push_back(std::move(word));
    std::string_view name = file_name(std::string_view(line).substr(begin, at - begin));
    is_ours = is_ours || name == "dscope" || name == "dtrace";
  }
  std::vector<const char*> arguments{"dscope"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  arguments.push_back(path.c_str());
  if (words.empty()) return {};
  auto parsed = parse_command_line(arguments);
  return parsed ? std::move(parsed->settings) : std::vector<OptionSetting>{};
}

// The offsets of a line, counted from 1, without the newline.
SourceRange line_range(std::string_view text, uint32_t line) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line && begin < text.size(); ++i) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(std::min(text.find('\n', begin), text.size()))};
}

// Whether the probes of a description depend on processes that run at the time.
bool is_of_processes(std::string_view description) {
  return description.find('$') != std::string_view::npos || description.starts_with("pid") ||
         description.starts_with("uprobe") || description.starts_with("plockstat");
}

void collect_members(Host& host, TypeTable& types, TypeId type, std::vector<TypedName>& result, int depth = 0) {
  constexpr int max_depth = 8;
  TypeId object = types.resolve(type);
  if (!types.get(object).is_complete) host.complete_type(types, object);
  // A copy, because completing a member may add types.
  const std::vector<TypeMember> members = types.get(object).members;
  for (const TypeMember& member : members) {
    if (member.name.empty() && member.bit_size == 0 && types.is_struct_or_union(member.type) && depth < max_depth)
      collect_members(host, types, member.type, result, depth + 1);
    if (member.name.empty()) continue;
    result.push_back({.name = member.name,
                      .type = types.spell(member.type),
                      .detail = member.bit_size == 0 ? "" : fmt::format("{} bits", member.bit_size)});
  }
}

// The text behind the last `before` in the message.
std::string_view type_in_message(std::string_view message, std::string_view before, std::string_view after) {
  size_t begin = message.rfind(before);
  if (begin == std::string_view::npos) return {};
  message.remove_prefix(begin + before.size());
  return after.empty() ? message : message.substr(0, message.find(after));
}

// The machine for a script that nobody has started yet: $target is process 0, whose probes are unknown and no mistake.
class ScriptHost : public AlteredHost {
 public:
  explicit ScriptHost(std::unique_ptr<Host> host) : AlteredHost(*host, {}, {}), host_(std::move(host)) {}

  const MachineFacts& facts() override { return host_->facts(); }
  FunctionMechanisms function_mechanisms() override { return host_->function_mechanisms(); }
  std::vector<const Probe*> match(const ProbeDescription& description) override {
    return is_of_target(description) ? std::vector<const Probe*>{} : host_->match(description);
  }
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override {
    return is_of_target(description) ? std::nullopt : host_->mistake(description);
  }

 private:
  static bool is_of_target(const ProbeDescription& description) {
    return description.provider == "pid0" || description.provider == "plockstat0";
  }

  std::unique_ptr<Host> host_;
};

// The D libraries in one directory.
void read_libraries(const std::string& directory, bool is_built_in, std::vector<LibraryFile>& result) {
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(directory, problem)) {
    if (entry.path().extension() != ".d") continue;
    auto text = read_text(entry.path());
    if (!text) continue;
    LibraryFile& file = result.emplace_back();
    file.path = entry.path();
    file.is_built_in = is_built_in;
    file.dependencies = library_dependencies({.kind = UnitKind::Library, .name = file.path, .text = *text});
    file.text = std::move(*text);
  }
  std::ranges::sort(result, {}, &LibraryFile::path);
}

}  // namespace

Analysis::Analysis(CommandLine base, MakeHost make_host) : base_(std::move(base)), make_host_(std::move(make_host)) {
  read_libraries(library_directory(), true, libraries_);
  for (const LibraryFile& file : libraries_)
    if (file_name(file.path) == "solaris.d") solaris_ = file.text;
  for (const OptionSetting& setting : base_.settings)
    if (setting.name == row(OptionId::Libdir).name) read_libraries(setting.value, false, libraries_);
}

struct Analysis::Run {
  std::unique_ptr<Host> host;
  OptionValues options;
  ArchivedSources sources;
  Compilation compilation;
  CommandLine command_line;
  bool is_preprocessed = false;
  std::string failure;  // of the machine: unreadable files, the preprocessor

  bool failed() const { return !failure.empty() || compilation.diagnostics.has_errors(); }
};

void Analysis::compile_text(Run& run, const std::string& path, const std::string& text, bool allows_unmatched) const {
  run.command_line = base_;
  run.command_line.mode = RunMode::Trace;
  run.command_line.is_compile_only = true;
  run.command_line.programs = {{'s', path}};
  for (OptionSetting& setting : first_line_settings(path, text))
    run.command_line.settings.push_back(std::move(setting));
  auto compiled = catch_exceptions([&]() -> Result<> {
    DS_TRY(run.options, make_options(run.command_line, [](const std::string&) { return nullptr; }));
    // Nobody has passed arguments yet, and the text may use only some of them.
    run.options.set_number(OptionId::Defaultargs, 1);
    run.options.set_number(OptionId::Argref, 1);
    run.options.set_number(OptionId::Empty, 1);
    if (allows_unmatched) run.options.set_number(OptionId::Zdefs, 1);
    run.host = std::make_unique<ScriptHost>(make_host_());
    run.is_preprocessed = run.options.is_on(OptionId::Cpp);
    std::string program = text;
    if (run.is_preprocessed) {
      DS_TRY(program, preprocess(path, text, run.options));
    }
    run.sources = {.programs = {std::move(program)}, .libraries = libraries_};
    run.compilation.archived = &run.sources;
    return compile(run.compilation, run.command_line, run.options, *run.host, 0);
  });
  if (!compiled) run.failure = compiled.error().message();
}

std::vector<Problem> Analysis::check(const std::string& path, const std::string& text) const {
  std::vector<Problem> problems;
  for (bool allows_unmatched : {false, true}) {
    Run run;
    compile_text(run, path, text, allows_unmatched);
    if (!run.failed()) break;
    Problem& problem = problems.emplace_back();
    problem.range = line_range(text, 1);
    if (!run.failure.empty()) {
      problem.message = run.failure;
      break;
    }
    const Diagnostic& error = run.compilation.diagnostics.first();
    problem.tag = to_string(error.tag);
    problem.message = error.message;
    problem.hints = advice(run.compilation.diagnostics, run.options.dialect().emulates_solaris_names() ? "" : solaris_);
    const SourceLocation place = run.compilation.sources.locate(error.at.range.begin);
    const SourceUnit& unit = run.compilation.sources.unit(place.unit);
    bool is_users = !run.compilation.user_units.empty() && place.unit == run.compilation.user_units[0];
    if (is_users && run.is_preprocessed) {
      std::string_view file = run.compilation.diagnostics.file_name(error.at.file);
      if (file.empty() || file == path) problem.range = line_range(text, std::max(1U, error.at.line));
    } else if (is_users) {
      auto size = static_cast<uint32_t>(text.size());
      problem.range = {std::min(error.at.range.begin - unit.base, size),
                       std::min(error.at.range.end - unit.base, size)};
    } else if (!unit.name.empty()) {
      problem.message = fmt::format("{}: {}", unit.name, problem.message);
    }
    if (allows_unmatched || error.tag != Tag::D_PDESC_ZERO) break;
    // A description without probes here may match on the machine that the script is for: check the rest of the program.
    problem.severity = ProblemSeverity::Warning;
    std::string_view marked =
        std::string_view(text).substr(problem.range.begin, problem.range.end - problem.range.begin);
    if (is_users && is_of_processes(marked)) problems.pop_back();
  }
  return problems;
}

std::vector<TypedName> Analysis::arguments(const ProbeDescription& description) const {
  std::vector<TypedName> result;
  std::unique_ptr<Host> host = make_host_();
  TypeTable types;
  size_t tried = 0;
  for (const Probe* probe : host->match(description)) {
    host->load_args(*probe, types);
    for (size_t i = 0; i < probe->args.size(); ++i) {
      const ProbeArg& argument = probe->args[i];
      const std::string& type = argument.translated_text.empty() ? argument.type_text : argument.translated_text;
      result.push_back({.name = argument.name, .type = type, .detail = fmt::format("args[{}]", i)});
    }
    if (!result.empty() || ++tried == 100) break;
  }
  return result;
}

std::vector<TypedName> Analysis::members(const std::string& path, const std::string& text, uint32_t offset) const {
  Run run;
  compile_text(run, path, close_text(text, offset, unknown_member), true);
  if (!run.failure.empty() || !run.compilation.diagnostics.has_errors() || !run.compilation.meaning.types) return {};
  const Diagnostic& error = run.compilation.diagnostics.first();
  std::string_view type;
  if (error.tag == Tag::D_TYPE_MEMBER) type = type_in_message(error.message, " is not a member of ", "");
  if (error.tag == Tag::D_XLATE_NOCONV) type = type_in_message(error.message, " to ", " does not define");
  if (type.empty() || error.message.find(unknown_member) == std::string::npos) return {};
  std::vector<TypedName> result;
  TypeTable& types = *run.compilation.meaning.types;
  auto id = types.find(type);
  if (!id) id = run.host->find_type(types, "", type);
  if (id) collect_members(*run.host, types, *id, result);
  return result;
}

std::vector<TypedName> Analysis::variables(const std::string& path, const std::string& text) const {
  Run run;
  compile_text(run, path, text, true);
  if (run.failed() || !run.compilation.meaning.types) return {};
  std::vector<TypedName> result;
  for (const Variable& variable : run.compilation.meaning.variables) {
    std::string_view scope = variable.scope == VariableScope::Self   ? "self->"
                             : variable.scope == VariableScope::This ? "this->"
                                                                     : "";
    TypedName& name = result.emplace_back();
    name.name = fmt::format("{}{}", scope, variable.name);
    name.type = run.compilation.meaning.types->spell(variable.type);
    for (size_t i = 0; i < variable.keys.size(); ++i)
      name.detail += (i == 0 ? "[" : ", ") + run.compilation.meaning.types->spell(variable.keys[i]);
    if (!name.detail.empty()) name.detail += "]";
  }
  return result;
}

std::vector<TypedName> Analysis::members_of_type(const std::string& type) const {
  std::vector<TypedName> result;
  std::unique_ptr<Host> host = make_host_();
  TypeTable types;
  if (auto id = host->find_type(types, "", type); id) collect_members(*host, types, *id, result);
  return result;
}

}  // namespace dscope
