#include "driver/compilation.h"

#include <dirent.h>

#include <algorithm>
#include <cstdio>

#include "contract/type.h"
#include "frontend/check.h"
#include "frontend/parser.h"

namespace dscope {

namespace {

Result<std::string> read_text(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return fail(Error::from_errno(errno, "failed to open {}", path));
  std::string text;
  char buffer[65536];
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) != 0) text.append(buffer, count);
  int problem = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (problem != 0) return fail(Error::from_errno(problem, "failed to open {}", path));
  return text;
}

SpecifierField last_field(char letter) {
  switch (letter) {
    case 'P': return SpecifierField::Provider;
    case 'm': return SpecifierField::Module;
    case 'f': return SpecifierField::Function;
    default: return SpecifierField::Name;
  }
}

// The directory of the D libraries: option syslibdir, the installed one, or the source tree's for an uninstalled build.
std::string library_directory(const OptionValues& options) {
  if (!options.text(OptionId::Syslibdir).empty()) return options.text(OptionId::Syslibdir);
  for (const char* candidate : {DSCOPE_LIBRARY_DIR, DSCOPE_SOURCE_LIBRARY_DIR})
    if (DIR* directory = opendir(candidate); directory != nullptr) {
      closedir(directory);
      return candidate;
    }
  return "";
}

std::vector<std::string> library_files(const std::string& directory) {
  std::vector<std::string> files;
  DIR* open = directory.empty() ? nullptr : opendir(directory.c_str());
  if (open == nullptr) return files;
  while (const dirent* entry = readdir(open)) {
    std::string name = entry->d_name;
    if (name.size() > 2 && name.ends_with(".d") && name[0] != '.') files.push_back(directory + "/" + name);
  }
  closedir(open);
  std::sort(files.begin(), files.end());
  return files;
}

ParseOptions parse_options(const OptionValues& options, UnitKind kind) {
  return {.default_arguments = options.is_on(OptionId::Defaultargs),
          .allow_unused_argument = options.is_on(OptionId::Argref) || kind == UnitKind::Library,
          .allow_empty = options.is_on(OptionId::Empty) || kind == UnitKind::Library,
          .probe_specifiers = options.is_on(OptionId::Pspec)};
}

class Parsing {
 public:
  Parsing(Compilation& out, const CommandLine& command_line, OptionValues& options, Host& host, int target)
      : out_(out), command_line_(command_line), options_(options), host_(host), target_(target) {}

  void parse(UnitId id) {
    UnitKind kind = out_.sources.unit(id).kind;
    ParseOptions current = parse_options(options_, kind);
    ParseContext context{.macros = {},
                         .options = &current,
                         .is_type = [&](std::string_view name) { return is_type(name); },
                         .is_identifier = [](std::string_view name) { return is_known_name(name); },
                         .apply_option = [&](std::string_view name, std::string_view value,
                                             bool has_value) { return apply(name, value, has_value, current, kind); }};
    context.macros.program_name = command_line_.invoked_as;
    context.macros.target = static_cast<uint32_t>(target_);
    if (kind != UnitKind::Library) context.macros.arguments = command_line_.operands;
    parse_unit(out_.program, id, context, out_.diagnostics);
  }

 private:
  static bool is_known_name(std::string_view name) {
    return find_variable(name) != nullptr || find_subroutine(name) != nullptr || find_action(name) != nullptr ||
           find_aggregation(name) != nullptr || find_raw_argument(name).has_value() || name == "args" || name == "NULL";
  }

  bool is_type(std::string_view name) {
    auto [entry, is_new] = known_types_.try_emplace(std::string(name), false);
    if (is_new) entry->second = types_.find(name).has_value() || host_.find_type(types_, "", name).has_value();
    return entry->second;
  }

  std::string apply(std::string_view name, std::string_view value, bool has_value, ParseOptions& current,
                    UnitKind kind) {
    auto result = options_.set(name, value, has_value, OptionOrigin::Pragma);
    if (!result) return result.error().message();
    current = parse_options(options_, kind);
    return "";
  }

  Compilation& out_;
  const CommandLine& command_line_;
  OptionValues& options_;
  Host& host_;
  int target_;
  // Only for the question "is this a type?": what the checker imports lives in a table of its own.
  TypeTable& types_ = out_.names;
  std::unordered_map<std::string, bool> known_types_;
};

}  // namespace

Result<> compile(Compilation& out, const CommandLine& command_line, OptionValues& options, Host& host, int target) {
  Parsing parsing(out, command_line, options, host, target);
  if (!options.is_on(OptionId::Nolibs)) {
    for (const std::string& path : library_files(library_directory(options))) {
      DS_TRY(std::string text, read_text(path));
      UnitId id = out.sources.add(UnitKind::Library, path, std::move(text));
      parsing.parse(id);
      if (out.diagnostics.has_errors()) return {};
    }
  }
  for (const ProgramArgument& argument : command_line.programs) {
    UnitId id;
    if (argument.is_script()) {
      DS_TRY(std::string text, read_text(argument.text));
      id = out.sources.add(UnitKind::Script, argument.text, std::move(text));
    } else {
      id = out.sources.add(UnitKind::String, argument.text, argument.text, last_field(argument.letter));
    }
    out.user_units.push_back(id);
    parsing.parse(id);
    if (out.diagnostics.has_errors()) return {};
  }
  // Listing needs the descriptions only, and goes on where one matches nothing.
  if (command_line.mode == RunMode::List) return {};
  out.meaning = check(out.program, host, options, out.diagnostics);
  if (out.diagnostics.has_errors()) return {};
  out.compiled = build_plan(out.meaning, options, host);
  return {};
}

}  // namespace dscope
