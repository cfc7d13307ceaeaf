// Parses letters like getopt(3) of the GNU C library: clusters, attached or separate arguments, options after operands,
// and `--`, which ends the options. getopt(3) itself prints messages and has global state. Unlike other DTraces, dscope
// runs the command after `--`.
#include "driver/command_line/command_line.h"

#include <algorithm>
#include <iterator>

#include "driver/command_line/letters.h"
#include "driver/command_line/mode_conflicts.h"
#include "driver/command_line/otlp_settings.h"
#include "driver/command_line/usage.h"
#include "support/text/parse_integer.h"
#include "support/text/probe_text.h"
#include "support/text/shell_words.h"

namespace dscope {

namespace {

constexpr std::pair<DumpStage, std::string_view> dump_names[] = {
    {DumpStage::Summary, "summary"}, {DumpStage::Tokens, "tokens"}, {DumpStage::Ast, "ast"},
    {DumpStage::Source, "source"},   {DumpStage::Types, "types"},   {DumpStage::Probes, "probes"},
    {DumpStage::Plan, "plan"},       {DumpStage::Ir, "ir"},         {DumpStage::IrOpt, "ir-opt"},
    {DumpStage::Asm, "asm"},         {DumpStage::Object, "object"},
};

using Parsed = tl::expected<void, CommandLineError>;

class CommandLineParser {
 public:
  explicit CommandLineParser(std::span<const char* const> arguments) : arguments_(arguments) {
    line_.invoked_as = arguments.empty() ? "dscope" : arguments[0];
    line_.program_name = line_.invoked_as.substr(line_.invoked_as.rfind('/') + 1);
  }

  tl::expected<CommandLine, CommandLineError> parse();

 private:
  Parsed parse_arguments();
  Parsed parse_letters(std::string_view cluster);
  Parsed parse_page(std::string_view value);
  Parsed parse_long(std::string_view word);
  Parsed parse_dumps(std::string_view list);
  Parsed parse_command(std::string_view text);
  void parse_rest();
  bool is_dtrace() const { return line_.is_dtrace(); }
  Parsed apply(const LetterRow& row, std::string_view argument);
  Parsed check_combinations();
  Parsed check_header();
  Parsed check_facts();
  Parsed check_merge();
  // Consumes the next word; null if there is none.
  const char* next_word() { return next_ < arguments_.size() ? arguments_[next_++] : nullptr; }
  void set(std::string name, std::string_view value, bool has_value, std::string flag);

  tl::unexpected<CommandLineError> reject(std::string_view message) const {
    return tl::unexpected(CommandLineError{fmt::format("{}: {}\n", line_.program_name, message)});
  }
  tl::unexpected<CommandLineError> misuse(std::string_view message) const {
    if (!line_.script.is_empty()) return misuse(Error(std::string(message)));
    return tl::unexpected(
        CommandLineError{fmt::format("{}: {}\n{}", line_.program_name, message, usage_text(line_.program_name))});
  }
  // A mistake in the arguments of a script.
  tl::unexpected<CommandLineError> misuse(const Error& error) const {
    return tl::unexpected(CommandLineError{line_.script.error_text(error)});
  }
  Parsed finish_script();

  std::span<const char* const> arguments_;
  size_t next_ = 1;
  CommandLine line_;
  // Letters that are checked once the whole line is parsed.
  bool has_header_ = false, has_object_ = false, has_list_ = false, has_version_ = false;
  bool has_anonymous_ = false, has_merge_ = false;
  std::string saved_facts_, described_bundle_;  // arguments of --save-facts and --info
};

void CommandLineParser::set(std::string name, std::string_view value, bool has_value, std::string flag) {
  line_.settings.push_back(
      {.name = std::move(name), .value = std::string(value), .has_value = has_value, .flag = std::move(flag)});
}

Parsed CommandLineParser::apply(const LetterRow& row, std::string_view argument) {
  switch (row.effect) {
    case LetterEffect::Program:
      line_.programs.push_back({row.letter, std::string(argument)});
      if (!line_.programs.back().is_script()) break;
      if (Result<> added = line_.script.add_script(line_.programs.back().text); !added)
        return reject(added.error().message());
      break;
    case LetterEffect::Setting: {
      bool has_value = !row.argument.empty();
      set(std::string(row.option), argument, has_value,
          has_value ? fmt::format("-{} {}", row.letter, argument) : fmt::format("-{}", row.letter));
      break;
    }
    case LetterEffect::AnySetting: {
      size_t equals = argument.find('=');
      std::string name{argument.substr(0, equals)};
      bool has_value = equals != std::string_view::npos;
      set(name, has_value ? argument.substr(equals + 1) : "", has_value, "-x " + name);
      break;
    }
    case LetterEffect::Command: return parse_command(argument);
    case LetterEffect::Process: line_.targets.push_back({.text = std::string(argument)}); break;
    case LetterEffect::OutputFile: line_.output_file = std::string(argument); break;
    case LetterEffect::List: has_list_ = true; break;
    case LetterEffect::Verbose: line_.is_very_verbose = std::exchange(line_.is_verbose, true); break;
    case LetterEffect::CompileOnly: line_.is_compile_only = true; break;
    case LetterEffect::Version: has_version_ = true; break;
    case LetterEffect::DataModel:
      if (argument != row.argument) return misuse(fmt::format("illegal option -- {}{}", row.letter, argument));
      line_.data_model = row.letter == '3' ? DataModel::Ilp32 : DataModel::Lp64;
      break;
    case LetterEffect::Anonymous: has_anonymous_ = true; break;
    case LetterEffect::BufferedHandler: line_.shows_fragments = true; break;
    case LetterEffect::Object: has_object_ = true; break;
    case LetterEffect::Header: has_header_ = true; break;
  }
  return {};
}

// The argument of -c. Other DTraces do not interpret quotes.
Parsed CommandLineParser::parse_command(std::string_view text) {
  TargetRequest request{.is_command = true, .text = std::string(text)};
  if (!is_dtrace()) {
    auto words = split_shell_words(text);
    if (!words) return reject("-c: " + words.error().message());
    request.words = std::move(*words);
  }
  line_.targets.push_back(std::move(request));
  return {};
}

// The words after `--`: a command with its arguments. No command starts with a dash, so a first word that does is an
// operand, as are the words up to another `--`.
void CommandLineParser::parse_rest() {
  bool takes_command = !is_dtrace() && !has_object_;
  bool starts_with_operand = next_ < arguments_.size() && arguments_[next_][0] == '-';
  while (!takes_command || starts_with_operand) {
    const char* word = next_word();
    if (word == nullptr || (takes_command && std::string_view{word} == "--")) break;
    line_.operands.emplace_back(word);
  }
  if (next_ == arguments_.size()) return;
  TargetRequest request{.is_command = true, .text = arguments_[next_]};
  while (const char* word = next_word()) request.words.emplace_back(word);
  line_.targets.push_back(std::move(request));
  line_.has_command_words = true;
}

Parsed CommandLineParser::parse_letters(std::string_view cluster) {
  while (!cluster.empty()) {
    auto is_of_script = line_.script.take_letter(cluster, [this] { return next_word(); });
    if (!is_of_script) return misuse(is_of_script.error());
    if (*is_of_script) continue;
    char letter = cluster.front();
    cluster.remove_prefix(1);
    const LetterRow* row = find_letter(letter);
    if (!row) return misuse(fmt::format("invalid option -- '{}'", letter));
    std::string_view argument;
    if (!row->argument.empty()) {
      if (cluster.empty()) {
        const char* word = next_word();
        if (!word) return misuse(fmt::format("option requires an argument -- '{}'", letter));
        argument = word;
      } else {
        argument = std::exchange(cluster, {});
      }
    }
    if (Parsed done = apply(*row, argument); !done) return done;
  }
  return {};
}

Parsed CommandLineParser::parse_dumps(std::string_view list) {
  line_.is_dry_run = true;
  while (!list.empty()) {
    size_t end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    auto found =
        std::find_if(std::begin(dump_names), std::end(dump_names), [&](auto& row) { return row.second == name; });
    if (found == std::end(dump_names)) {
      std::string known;
      for (const auto& row : dump_names) known += fmt::format("{}{}", known.empty() ? "" : ", ", row.second);
      return reject(fmt::format("invalid --dump stage '{}': expected one of {}", name, known));
    }
    line_.dumps.push_back(found->first);
  }
  return {};
}

// The value of --live: "http" or "http:PORT".
Parsed CommandLineParser::parse_page(std::string_view value) {
  std::string_view port = value.substr(std::min(value.find(':'), value.size()));
  bool is_page = value.substr(0, value.size() - port.size()) == "http";
  if (!port.empty()) {
    std::optional<uint16_t> number = parse_integer<uint16_t>(port.substr(1));
    is_page = is_page && number.value_or(0) != 0;
    line_.page_port = number.value_or(0);
  }
  if (!is_page) return reject(fmt::format("invalid --live value '{}': expected http or http:PORT", value));
  line_.has_page = true;
  return {};
}

// `word` starts with "--" and is longer.
Parsed CommandLineParser::parse_long(std::string_view word) {
  size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  bool has_value = equals != std::string_view::npos;
  std::string_view value = has_value ? word.substr(equals + 1) : std::string_view{};
  auto is_of_script = line_.script.take_name(word, [this] { return next_word(); });
  if (!is_of_script) return misuse(is_of_script.error());
  if (*is_of_script) return {};
  bool requires_value = name != "--help" && name != "--version" && name != "--dry-run" && name != "--live" &&
                        name != "--merge" && name != "--serve-anyone";
  if (std::ranges::find(long_options, name) == std::end(long_options)) {
    std::string_view near = nearest_name(name, {std::begin(long_options), std::end(long_options)});
    std::string of_script = line_.script.near_name(name.substr(2));
    if (!of_script.empty()) near = of_script;
    std::string hint = near.empty() ? std::string{} : fmt::format("; did you mean '{}'?", near);
    return misuse(fmt::format("unrecognized option '{}'{}", name, hint));
  }
  if (name == "--fmt" || name == "--lsp")
    return misuse(fmt::format("option '{}' must be the first one, before its own arguments", name));
  if (name == "--live" && has_value) return parse_page(value);
  if (has_value && !requires_value) return misuse(fmt::format("option '{}' doesn't allow an argument", name));
  if (requires_value && !has_value) {
    const char* next = next_word();
    if (!next) return misuse(fmt::format("option '{}' requires an argument", name));
    value = next;
  }
  if (name == "--help") line_.mode = RunMode::Help;
  else if (name == "--version") has_version_ = true;
  else if (name == "--dry-run") line_.is_dry_run = true;
  else if (name == "--merge") has_merge_ = true;
  else if (name == "--dump") return parse_dumps(value);
  else if (name == "--facts") line_.machines.emplace_back(line_.facts_file = value);
  else if (name == "--save-facts") saved_facts_ = value;
  else if (name == "--build") line_.bundle_file = value;
  else if (name == "--bind") line_.bound_kernels.emplace_back(value);
  else if (name == "--info") described_bundle_ = value;
  else if (name == "--report") line_.report_file = value;
  else if (name == "--record") line_.record_file = value;
  else if (name == "--redact") line_.redacted_parts = value;
  else if (name == "--timeline") line_.timeline_path = value;
  else if (name == "--replay") line_.replay_file = value;
  else if (name == "--live") line_.is_live = true;
  else if (name == "--serve") line_.serve.address = value;
  else if (name == "--serve-token-file") line_.serve.token_file = value;
  else if (name == "--serve-cert") line_.serve.certificate_file = value;
  else if (name == "--serve-key") line_.serve.key_file = value;
  else if (name == "--serve-anyone") line_.serve.permits_anyone = true;
  else if (name.starts_with("--otlp")) {
    if (std::string problem = set_otlp(line_.otlp, name, value); !problem.empty()) return reject(problem);
  } else set("format", value, true, fmt::format("--format={}", value));
  return {};
}

Parsed CommandLineParser::parse_arguments() {
  while (const char* word = next_word()) {
    std::string_view text = word;
    if (text == "--") {
      parse_rest();
      break;
    }
    bool is_operand = text.size() < 2 || text[0] != '-';
    if (is_operand) line_.operands.emplace_back(text);
    else if (Parsed done = text[1] == '-' ? parse_long(text) : parse_letters(text.substr(1)); !done) return done;
  }
  return {};
}

Parsed CommandLineParser::check_header() {
  line_.mode = RunMode::Header;
  if (line_.programs.empty()) return reject("-h requires one or more scripts or enabling options");
  if (line_.output_file) return {};
  if (line_.programs.size() > 1) return reject("-h requires an output file if multiple scripts are specified");
  if (!line_.programs[0].is_script()) return reject("-h requires an output file if no scripts are specified");
  return {};
}

Parsed CommandLineParser::check_facts() {
  if (!described_bundle_.empty()) {
    if (!line_.programs.empty() || line_.mode != RunMode::Trace || !line_.bundle_file.empty())
      return reject("--info only describes its file: omit programs and other modes");
    line_.mode = RunMode::Info;
    line_.bundle_file = described_bundle_;
    return {};
  }
  if (!line_.bundle_file.empty() && (line_.mode != RunMode::Trace || line_.is_dry_run || line_.is_compile_only))
    return reject("--build only writes its file: omit other modes");
  if (line_.bundle_file.empty() && !line_.bound_kernels.empty())
    return reject("--bind adds a kernel to a bundle: add --build=FILE");
  if (!saved_facts_.empty()) {
    if (!line_.programs.empty() || line_.mode != RunMode::Trace || !line_.facts_file.empty())
      return reject("--save-facts only writes its file: omit programs and other modes");
    line_.mode = RunMode::SaveFacts;
    line_.facts_file = saved_facts_;
  } else if (!line_.facts_file.empty() && line_.mode == RunMode::Trace && !line_.is_dry_run && !line_.is_compile_only &&
             !line_.builds()) {
    return reject("--facts cannot trace another machine: add --dry-run, --dump, --build, -e or -l");
  }
  return {};
}

Parsed CommandLineParser::check_merge() {
  bool is_alone = line_.programs.empty() && line_.targets.empty() && line_.mode == RunMode::Trace && !has_header_ &&
                  !has_object_ && !line_.is_dry_run && !line_.is_compile_only && !line_.has_pictures() &&
                  line_.facts_file.empty() && line_.bundle_file.empty() && saved_facts_.empty() &&
                  described_bundle_.empty();
  if (!is_alone) return reject("--merge only adds up results: omit programs, targets and other modes");
  if (line_.operands.empty())
    return reject("--merge requires results of --format=json: files, or - for standard input");
  line_.mode = RunMode::Merge;
  return {};
}

// In the order of dtrace: first modes that exclude each other, then features that are not available.
Parsed CommandLineParser::check_combinations() {
  int modes = has_header_ + has_object_ + has_list_ + has_version_;
  if (modes > 1) return reject("only one of the [-GhlV] options can be specified at a time");
  if (has_list_) line_.mode = RunMode::List;
  if (has_version_) line_.mode = RunMode::Version;
  if (line_.mode == RunMode::Version) return {};
  if (has_merge_) return check_merge();
  if (!line_.redacted_parts.empty()) {
    if (std::string_view conflict = redaction_conflict(line_); !conflict.empty()) return reject(conflict);
    line_.mode = RunMode::Redact;
    return {};
  }
  if (has_anonymous_) return reject("anonymous tracing is not supported");
  if (line_.shows_fragments && (has_object_ || has_list_))
    return reject("-B not valid in combination with [-Gl] options");
  if (line_.shows_fragments && line_.output_file) return reject("-B not valid in combination with -o option");
  if (has_header_) return check_header();
  if (has_object_) {
    line_.mode = RunMode::Object;
    if (line_.programs.empty()) return reject("-G requires one or more scripts or enabling options");
  }
  if (Parsed done = check_facts(); !done) return done;
  for (auto conflict_of : {replay_conflict, recording_conflict, pictures_conflict})
    if (std::string_view conflict = conflict_of(line_); !conflict.empty()) return reject(conflict);
  if (line_.has_pictures()) set("rowstamps", {}, false, "--report");
  return {};
}

Parsed CommandLineParser::finish_script() {
  if (line_.script.is_empty()) return {};
  if (Result<> taken = line_.script.take_operands(line_.operands); !taken) return misuse(taken.error());
  if (std::string duration = line_.script.text_of("duration"); !duration.empty())
    set("duration", duration, true, "-d " + duration);
  return {};
}

tl::expected<CommandLine, CommandLineError> CommandLineParser::parse() {
  if (arguments_.size() < 2) return tl::unexpected(CommandLineError{help_text(line_.program_name)});
  if (Parsed done = parse_arguments(); !done) return tl::unexpected(done.error());
  if (line_.script.wants_help()) line_.mode = RunMode::Help;
  if (line_.mode == RunMode::Help) return std::move(line_);
  if (Parsed done = finish_script(); !done) return tl::unexpected(done.error());
  if (Parsed done = check_combinations(); !done) return tl::unexpected(done.error());
  if (line_.is_dry_run && line_.dumps.empty()) line_.dumps = {DumpStage::Summary, DumpStage::Plan, DumpStage::Ir};
  std::sort(line_.dumps.begin(), line_.dumps.end());
  line_.dumps.erase(std::unique(line_.dumps.begin(), line_.dumps.end()), line_.dumps.end());
  return std::move(line_);
}

}  // namespace

std::string_view to_string(DumpStage stage) { return dump_names[static_cast<size_t>(stage)].second; }

tl::expected<CommandLine, CommandLineError> parse_command_line(std::span<const char* const> arguments) {
  return CommandLineParser{arguments}.parse();
}

std::string_view notice_name(std::string_view program_text) { return leading_descriptions(program_text); }

}  // namespace dscope
