#include "driver/compilation.h"

#include <filesystem>

#include "contract/type.h"
#include "driver/library_files.h"
#include "frontend/check.h"
#include "frontend/parser.h"

namespace dscope {

namespace {

SpecifierField last_field(char letter) {
  switch (letter) {
    case 'P': return SpecifierField::Provider;
    case 'm': return SpecifierField::Module;
    case 'f': return SpecifierField::Function;
    default: return SpecifierField::Name;
  }
}

// The directory of the D libraries: option syslibdir, the one installed with this program, that of the configured
// prefix, or the source tree's for a program that is not installed.
std::string library_directory(const OptionValues& options) {
  if (!options.text(OptionId::Syslibdir).empty()) return options.text(OptionId::Syslibdir);
  std::error_code problem;
  std::string here = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path().string();
  for (const std::string& candidate :
       {here + "/../share/dscope/library", std::string(DSCOPE_LIBRARY_DIR), std::string(DSCOPE_SOURCE_LIBRARY_DIR)})
    if (std::filesystem::is_directory(candidate, problem)) return candidate;
  return "";
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
  std::vector<std::string> texts;
  for (const ProgramArgument& argument : command_line.programs) {
    if (!argument.is_script()) {
      texts.push_back(argument.text);
      continue;
    }
    DS_TRY(std::string text, read_text(argument.text));
    texts.push_back(std::move(text));
  }
  if (!options.is_on(OptionId::Nolibs)) {
    std::vector<std::string_view> words(texts.begin(), texts.end());
    words.insert(words.end(), command_line.operands.begin(), command_line.operands.end());
    DS_TRY(std::vector<LibraryFile> libraries, needed_libraries(library_directory(options), words));
    for (LibraryFile& library : libraries) {
      parsing.parse(out.sources.add(UnitKind::Library, library.path, std::move(library.text)));
      if (out.diagnostics.has_errors()) return {};
    }
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    const ProgramArgument& argument = command_line.programs[i];
    UnitKind kind = argument.is_script() ? UnitKind::Script : UnitKind::String;
    UnitId id = out.sources.add(kind, argument.text, std::move(texts[i]), last_field(argument.letter));
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
