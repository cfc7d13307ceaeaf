#include "driver/trace/code_keeping.h"

#include <algorithm>
#include <array>

#include "driver/cache/cache_key.h"
#include "driver/cache/code_cache.h"
#include "driver/trace/program_notices.h"
#include "support/text/words.h"

namespace dscope {

namespace {

constexpr const char* own_program = "/proc/self/exe";

bool is_word_end(std::string_view text, size_t at) { return at >= text.size() || !is_word_char(text[at]); }

// Whether the text may name a process: $pid and the like unless the code leaves them open, $target unless it is 0,
// pid123.
bool names_process(std::string_view text, bool has_target, bool is_open) {
  std::vector<std::string_view> variables = {"pid", "ppid", "pgid", "sid"};
  if (is_open) variables.clear();
  if (has_target) variables.push_back("target");
  for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    std::string_view name = text.substr(at + 1);
    for (std::string_view variable : variables)
      if (name.starts_with(variable) && is_word_end(name, variable.size())) return true;
  }
  for (size_t at = text.find("pid"); at != text.npos; at = text.find("pid", at + 1))
    if (at + 3 < text.size() && (text[at + 3] == '$' || (text[at + 3] >= '0' && text[at + 3] <= '9'))) return true;
  return false;
}

bool includes_headers(std::string_view text) {
  for (size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
    size_t word = std::min(text.find_first_not_of(" \t", at + 1), text.size());
    if (text.substr(word).starts_with("include")) return true;
  }
  return false;
}

// Tracepoints that are defined by writing to files of tracefs.
bool is_defined_at_run_time(const HookTracepoint& hook) {
  constexpr std::array<std::string_view, 4> categories{"kprobes", "uprobes", "synthetic", "fprobes"};
  return std::ranges::find(categories, hook.category) != categories.end();
}

bool is_of_machine(const Hook& hook) {
  if (const auto* tracepoint = std::get_if<HookTracepoint>(&hook)) return !is_defined_at_run_time(*tracepoint);
  if (const auto* watch = std::get_if<HookWatch>(&hook)) return watch->pid == 0;
  return !std::holds_alternative<HookUprobe>(hook);
}

}  // namespace

bool is_reusable(const Compilation& compilation, const GeneratedCode& code, const AwaitedProbes& awaited,
                 bool has_target) {
  if (!awaited.empty()) return false;
  // The user's programs, and the libraries of -L.
  for (const ProgramUnit& unit : compilation.program.units) {
    if (std::ranges::find(compilation.built_in_libraries, unit.source) != compilation.built_in_libraries.end())
      continue;
    const std::string& text = compilation.sources.unit(unit.source).text;
    bool is_users = std::ranges::find(compilation.user_units, unit.source) != compilation.user_units.end();
    if (names_process(text, has_target, is_users && code.open) || includes_headers(text)) return false;
  }
  return std::ranges::all_of(compilation.compiled.plan.programs, [](const BpfProgramPlan& program) {
    return std::ranges::all_of(program.attachments, is_of_machine, &Attachment::hook);
  });
}

KeptCode::KeptCode(const CommandLine& command_line, const OptionValues& options)
    : command_line_(command_line), options_(options), key_(cache_key(command_line, options, own_program)) {}

void KeptCode::store(const Compilation& compilation, const GeneratedCode& code, const AwaitedProbes& awaited,
                     const Recording* recording) const {
  // Only the compiler reads all types of the kernel.
  if (recording != nullptr && recording->program().start.info.has(CapturePart::Types)) return;
  // A pragma may have set an option that prints products of the compiler.
  if (!only_traces(command_line_, compilation.compiled.plan.options)) return;
  if (!key_ || !is_reusable(compilation, code, awaited, !command_line_.targets.empty())) return;
  if (cache_key(command_line_, options_, own_program) != key_) return;
  std::optional<CodeCache> cache = CodeCache::open();
  if (!cache) return;
  Bundle bundle{.notices = program_notices(command_line_, compilation),
                .plan = code.plan,
                .object = code.object,
                .open_numbers = {},
                .recording = recording != nullptr ? pack_recorded_program(recording->program()) : std::string()};
  if (code.open) {
    bundle.object = code.open->object;
    bundle.open_numbers = code.open->numbers;
  }
  cache->store(*key_, bundle);
}

}  // namespace dscope
