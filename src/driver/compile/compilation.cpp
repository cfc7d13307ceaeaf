#include "driver/compile/compilation.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_set>

#include "catalog/foreign_types.h"
#include "catalog/version.h"
#include "contract/types/type.h"
#include "driver/compile/drill_steps.h"
#include "driver/compile/needed_libraries.h"
#include "driver/compile/register_limits.h"
#include "driver/compile/script_reader.h"
#include "driver/compile/skipped_definitions.h"
#include "frontend/check/check.h"
#include "frontend/record/recorded_clauses.h"
#include "frontend/refine/refine.h"
#include "frontend/semantics/scratch_need.h"
#include "frontend/syntax/ast_print.h"
#include "frontend/syntax/parser.h"
#include "support/deep_stack.h"
#include "support/text/words.h"

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

ParseOptions parse_options(const OptionValues& options, UnitKind kind, RunMode mode) {
  return {.default_arguments = options.is_on(OptionId::Defaultargs),
          .allow_unused_argument = options.is_on(OptionId::Argref) || kind == UnitKind::Library,
          .accepts_unknown_types = mode == RunMode::Header || mode == RunMode::Object,
          .allow_empty = options.is_on(OptionId::Empty) || kind == UnitKind::Library,
          .probe_specifiers = options.is_on(OptionId::Pspec)};
}

// Whether a parsed unit declares a typedef of that name.
bool declares_type(const Program& program, std::string_view name) {
  auto has_name = [&](const Declarator* declarator) { return declarator->name == name; };
  for (const ProgramUnit& unit : program.units)
    for (const External& external : unit.externals)
      if (const auto* declaration = std::get_if<Declaration>(&external.form))
        if (declaration->specifiers->storage == StorageClass::Typedef &&
            std::ranges::any_of(declaration->declarators, has_name))
          return true;
  return false;
}

class Parsing {
 public:
  Parsing(Compilation& out, const CommandLine& command_line, OptionValues& options, Host& host, CHeaders& headers,
          int target)
      : out_(out), command_line_(command_line), options_(options), host_(host), headers_(headers), target_(target) {}

  // Parses the libraries in this order. Leaves a mistake in a user's library in the diagnostics.
  void parse_libraries(std::vector<LibraryFile> files) {
    for (LibraryFile& file : files) {
      UnitId id = out_.sources.add(UnitKind::Library, file.path, std::move(file.text));
      parse(id, file.is_built_in ? Origin::Ours : Origin::Users);
      const Diagnostics& diagnostics = out_.diagnostics;
      bool is_skipped =
          diagnostics.has_errors() && (file.is_built_in || diagnostics.first().tag == Tag::D_PRAGMA_DEPEND);
      if (is_skipped) skip_library(out_, id);
      if (diagnostics.has_errors()) return;
      if (is_skipped) continue;
      libraries_.insert(std::string(file_name(file.path)));
      if (file.is_built_in) out_.built_in_libraries.push_back(id);
    }
  }

  enum class Origin : uint8_t { Ours, Users };

  // Pragmas about parsing and checking apply to their own unit only.
  void parse(UnitId id, Origin origin = Origin::Users) {
    constexpr OptionId own[] = {OptionId::Argref,  OptionId::Defaultargs, OptionId::Empty, OptionId::Kdefs,
                                OptionId::Knodefs, OptionId::Pspec,       OptionId::Zdefs};
    int64_t before[std::size(own)];
    for (size_t i = 0; i < std::size(own); ++i) before[i] = options_.number(own[i]);
    parse_text(id);
    out_.program.units.back().rules = {.allows_unmatched = options_.is_on(OptionId::Zdefs),
                                       .allows_unknown_symbols = options_.is_on(OptionId::Knodefs),
                                       .is_checked_at_once = origin == Origin::Users};
    for (size_t i = 0; i < std::size(own); ++i) options_.set_number(own[i], before[i]);
  }

  // Replaces the user's units by the programs that look closer at elements of their aggregations.
  Result<> refine_units(const LibrarySearch& search) {
    DS_TRY(std::vector<Refinement> steps, parse_drill_steps(command_line_.drill_steps));
    for (Refinement& step : steps) {
      step.sources = out_.key_sources;
      std::vector<ProgramUnit*> units;
      for (ProgramUnit& unit : out_.program.units)
        if (std::ranges::count(out_.user_units, unit.source) != 0) units.push_back(&unit);
      DS_TRY_VOID(refine(out_.program, units, step));
      std::string text;
      for (const ProgramUnit* unit : units) text += print_unit(*unit);
      std::erase_if(out_.program.units,
                    [&](const ProgramUnit& unit) { return std::ranges::count(out_.user_units, unit.source) != 0; });
      DS_TRY_VOID(parse_more_libraries(search, {text}));
      // The printed text has the values of $1 and so on.
      options_.set_number(OptionId::Argref, 1);
      out_.user_units = {out_.sources.add(UnitKind::Script, "the refined program", std::move(text))};
      parse(out_.user_units.front());
      if (out_.diagnostics.has_errors()) return {};
    }
    return {};
  }

  Result<> record_units(const LibrarySearch& search) {
    Result<> parsed;
    auto add_libraries = [&](const auto& words) {
      parsed = parse_more_libraries(search, {words.begin(), words.end()});
    };
    find_recorded_clauses(out_.program, out_.user_units, host_, types_, options_.dialect(), add_libraries,
                          *out_.recording);
    if (!parsed || out_.recording->groups.empty()) return parsed;
    auto middle = static_cast<ptrdiff_t>(out_.program.units.size());
    for (RecordingPart part : {RecordingPart::Unconditional, RecordingPart::Conditional}) {
      std::string text = recording_text(*out_.recording, part);
      if (text.empty() || out_.diagnostics.has_errors()) continue;
      UnitId id = out_.sources.add(UnitKind::Library, "the recording", std::move(text));
      parse(id, Origin::Ours);
      if (part == RecordingPart::Conditional) continue;
      move_before_users(middle);
      first_recording_ = id;
    }
    return parsed;
  }

  // Parses the derivations of the probes that the user's clauses match, and the libraries that these use. Called after
  // the clauses are parsed, which name the probes.
  Result<> parse_derivations(const LibrarySearch& search) {
    std::vector<std::string_view> words;
    std::vector<std::vector<ProbeDescription>> clauses = clause_descriptions();
    host_.announce(clauses);
    for (const std::vector<ProbeDescription>& clause : clauses) find_derived(clause);
    if (options_.dialect().emulates_solaris_names()) words.push_back(Dialect::library_words);
    int64_t default_scratchsize = row(OptionId::Scratchsize).default_value;
    if (options_.number(OptionId::Scratchsize) == default_scratchsize)
      options_.set_number(OptionId::Scratchsize, options_.dialect().default_scratchsize(default_scratchsize));
    words.insert(words.end(), translations_.begin(), translations_.end());
    if (derived_.empty() && words.empty()) return {};
    for (const Probe* probe : derived_) {
      for (const Derivation& derivation : probe->derivations) words.push_back(derivation.clause);
      words.insert(words.end(), probe->preparations.begin(), probe->preparations.end());
      host_.load_args(*probe, types_);
      for (const ProbeArg& argument : probe->args) words.push_back(argument.translated_text);
    }
    DS_TRY_VOID(parse_more_libraries(search, words));
    for (const Probe* probe : derived_)
      for (const Derivation& derivation : probe->derivations)
        if (!out_.diagnostics.has_errors()) parse_derivation(*probe, derivation);
    std::unordered_set<std::string> prepared;
    for (const Probe* probe : derived_)
      for (const std::string& clause : probe->preparations)
        if (!out_.diagnostics.has_errors() && prepared.insert(clause).second)
          parse(out_.sources.add(UnitKind::Library, name_of(*probe), clause), Origin::Ours);
    return {};
  }

 private:
  std::vector<std::vector<ProbeDescription>> clause_descriptions() const {
    std::vector<std::vector<ProbeDescription>> clauses;
    for (const ProgramUnit& unit : out_.program.units)
      for (const External& external : unit.externals) {
        const auto* clause = std::get_if<Clause>(&external.form);
        if (clause == nullptr) continue;
        std::vector<ProbeDescription>& descriptions = clauses.emplace_back();
        for (const ProbeSpecifier& specifier : clause->probes) {
          descriptions.push_back(description_of(specifier));
          descriptions.back().dialect = options_.dialect();
        }
      }
    return clauses;
  }

  void find_derived(const std::vector<ProbeDescription>& clause) {
    for (const ProbeDescription& description : clause) {
      for (const Probe* probe : host_.match(description)) {
        bool is_new = std::find(derived_.begin(), derived_.end(), probe) == derived_.end();
        if (!probe->derivations.empty() && is_new) derived_.push_back(probe);
        for (const ProbeArg& argument : probe->args) translations_.insert(argument.translated_text);
      }
    }
  }

  // Inserts libraries before the user's units, whose clauses use them.
  Result<> parse_more_libraries(const LibrarySearch& search, const std::vector<std::string_view>& words) {
    DS_TRY(std::vector<LibraryFile> files, needed_libraries(search, words, library_dependencies_of));
    std::erase_if(files,
                  [&](const LibraryFile& file) { return libraries_.contains(std::string(file_name(file.path))); });
    auto middle = static_cast<ptrdiff_t>(out_.program.units.size());
    parse_libraries(std::move(files));
    move_before_users(middle);
    return {};
  }

  // Moves the units from index `middle` on in front of the user's units and of the recording.
  void move_before_users(ptrdiff_t middle) {
    std::vector<ProgramUnit>& units = out_.program.units;
    auto first = std::ranges::find_if(units, [&](const ProgramUnit& unit) {
      return out_.sources.unit(unit.source).kind != UnitKind::Library || unit.source == first_recording_;
    });
    if (first - units.begin() < middle) std::rotate(first, units.begin() + middle, units.end());
  }

  static std::string name_of(const Probe& probe) {
    return fmt::format("<{}:{}:{}:{}>", probe.provider, probe.module, probe.function, probe.name);
  }

  void parse_derivation(const Probe& probe, const Derivation& derivation) {
    UnitId id = out_.sources.add(UnitKind::Library, name_of(probe), derivation.clause);
    parse(id);
    std::vector<ProgramUnit>& units = out_.program.units;
    out_.program.derivations[probe.id].push_back(std::move(units.back()));
    units.pop_back();
  }

  void parse_text(UnitId id) {
    UnitKind kind = out_.sources.unit(id).kind;
    ParseOptions current = parse_options(options_, kind, command_line_.mode);
    ParseContext context{
        .macros = {},
        .options = &current,
        .is_type = [&](std::string_view name) { return is_type(name); },
        .is_identifier = [&](std::string_view name) { return is_known_name(name); },
        .has_probe = [&](uint32_t number) { return !host_.match({.id = number}).empty(); },
        .apply_option = [&](std::string_view name, std::string_view value,
                            bool has_value) { return apply(name, value, has_value, current, kind); },
        .is_available = [&](std::string_view word, std::string_view name) { return is_available(word, name); }};
    context.macros.program_name = command_line_.invoked_as;
    context.macros.target = static_cast<uint32_t>(target_);
    context.macros.tracer = out_.tracer;
    context.macros.format = options_.text(OptionId::Format);
    bool has_arguments = kind != UnitKind::Library && command_line_.mode != RunMode::Object;
    if (has_arguments) context.macros.arguments = command_line_.operands;
    if (has_arguments) context.macros.options = command_line_.script.values();
    bool dumps_tokens = std::ranges::count(command_line_.dumps, DumpStage::Tokens) != 0;
    if (dumps_tokens && kind != UnitKind::Library) context.tokens = &out_.tokens;
    parse_unit(out_.program, id, context, out_.diagnostics);
  }

  bool is_known_name(std::string_view name) const {
    auto version = parse_version(options_.text(OptionId::Version));
    if (version && version_of(name) > *version) return false;
    return is_built_in_name(name);
  }

  bool is_type(std::string_view name) {
    if (options_.dialect().emulates_solaris_names() && declares_type(out_.program, Dialect::emulated_name(name)))
      return true;
    auto [entry, is_new] = known_types_.try_emplace(std::string(name), false);
    if (!is_new) return entry->second;
    if (size_t mark = name.find('`'); mark != std::string_view::npos)
      return entry->second = name.starts_with("C`")
                                 ? headers_.find_type(types_, name.substr(mark + 1)).has_value()
                                 : host_.find_type(types_, name.substr(0, mark), name.substr(mark + 1)).has_value();
    return entry->second = types_.find(name) || headers_.find_type(types_, name) || host_.find_type(types_, "", name) ||
                           !find_foreign_type(name).empty();
  }

  bool is_available(std::string_view kind, std::string_view name) {
    if (kind == "library") return libraries_.contains(std::string(name));
    if (kind == "module") return host_.has_module(name);
    ProbeDescription description;
    description.provider = name;
    return !host_.match(description).empty();
  }

  std::string apply(std::string_view name, std::string_view value, bool has_value, ParseOptions& current,
                    UnitKind kind) {
    auto result = options_.set(name, value, has_value, OptionOrigin::Pragma);
    if (!result) return result.error().message();
    current = parse_options(options_, kind, command_line_.mode);
    return "";
  }

  Compilation& out_;
  const CommandLine& command_line_;
  OptionValues& options_;
  Host& host_;
  CHeaders& headers_;
  int target_;
  // Used only to decide whether a name is a type. The checker imports types into its own table.
  TypeTable& types_ = out_.names;
  std::unordered_map<std::string, bool> known_types_;
  std::unordered_set<std::string> libraries_;  // file names of the compiled libraries
  std::optional<UnitId> first_recording_;      // the part of the recording that precedes the user's units
  std::vector<const Probe*> derived_;
  std::set<std::string> translations_;  // the types to which arguments of the user's probes are translated
};

// Definitions of built-in libraries that do not compile on this kernel are skipped: the rest is checked again without
// them.
void check_programs(Compilation& out, const OptionValues& options, Host& host, CHeaders& headers,
                    TargetProcess target) {
  do out.meaning = check(out.program, host, options, out.diagnostics, &headers, target);
  while (out.diagnostics.has_errors() && skip_definition_with_error(out));
  if (out.diagnostics.has_errors()) hint_at_skipped(out);
}

// Without option scratchsize, a copyin() of constant size gets the memory that it needs.
void raise_default_scratchsize(const Semantics& meaning, OptionValues& options) {
  int64_t default_bytes = row(OptionId::Scratchsize).default_value;
  if (options.number(OptionId::Scratchsize) != default_bytes) return;
  int64_t needed = static_cast<int64_t>(needed_scratch_bytes(meaning));
  options.set_number(OptionId::Scratchsize, std::max(default_bytes, needed));
}

// Adds a unit for each program of the command line.
Result<> add_programs(Compilation& out, const CommandLine& command_line, ScriptReader& scripts) {
  for (const ProgramArgument& argument : command_line.programs) {
    std::string text = argument.text;
    if (out.archived != nullptr) {
      text = out.archived->programs[out.user_units.size()];
    } else if (argument.is_script()) {
      DS_TRY(text, scripts.read(argument.text));
    }
    UnitKind kind = argument.is_script() ? UnitKind::Script : UnitKind::String;
    out.user_units.push_back(out.sources.add(kind, argument.text, std::move(text), last_field(argument.letter)));
  }
  return {};
}

}  // namespace

Result<> compile(Compilation& out, const CommandLine& command_line, OptionValues& options, Host& host, int target,
                 Progress* progress, const CompiledPlan* before) {
  // A listing continues after a description that matches nothing; -h and -G need no probes.
  bool is_traced = command_line.mode == RunMode::Trace;
  DeepStack stack;
  if (stack.is_deep()) out.program.max_levels = 10'000;
  if (!is_traced) options.set_number(OptionId::Zdefs, 1);
  CHeaders headers;
  ScriptReader scripts(options, host, headers);
  DS_TRY_VOID(add_programs(out, command_line, scripts));
  out.uses_headers = !headers.empty();
  // The progress line starts here, because the preprocessor prints its own messages before.
  if (progress != nullptr) progress->show("compiling");
  DS_TRY(std::vector<LibraryFile> libraries, find_libraries(out, command_line, options));
  Parsing parsing(out, command_line, options, host, headers, target);
  parsing.parse_libraries(std::move(libraries));
  for (UnitId id : out.user_units)
    if (!out.diagnostics.has_errors()) parsing.parse(id);
  if (!out.diagnostics.has_errors()) DS_TRY_VOID(parsing.refine_units(library_search(options, out)));
  if (!out.diagnostics.has_errors() && out.recording != nullptr)
    DS_TRY_VOID(parsing.record_units(library_search(options, out)));
  if (!out.diagnostics.has_errors()) DS_TRY_VOID(parsing.parse_derivations(library_search(options, out)));
  if (!out.diagnostics.has_errors())
    check_programs(out, options, host, headers, target != 0 ? TargetProcess::Given : TargetProcess::None);
  if (out.diagnostics.has_errors()) {
    if (std::string hint = scripts.hint(); !hint.empty()) out.diagnostics.hint(std::move(hint));
    return {};
  }
  if (!is_traced) return {};
  raise_default_scratchsize(out.meaning, options);
  if (auto exceeded = exceeded_registers(out, options)) return fail(std::move(*exceeded));
  out.compiled = build_plan(out.meaning, options, host, before);
  return {};
}

}  // namespace dscope
