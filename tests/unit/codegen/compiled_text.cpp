#include "tests/unit/codegen/compiled_text.h"

#include <sstream>

namespace dscope {

namespace fs = std::filesystem;

namespace {

// The command line that the first line of a golden asks for.
CommandLine command_line_of(const fs::path& path, const std::string& text) {
  CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
  // Goldens must not change when a D library does.
  line.settings.push_back({.name = "nolibs", .flag = "-x nolibs"});
  char letter = 's';
  constexpr std::string_view mark = "/* golden:";
  if (text.starts_with(mark)) {
    std::istringstream words(text.substr(mark.size(), text.find("*/") - mark.size()));
    bool in_arguments = false;
    for (std::string word; words >> word;) {
      size_t equals = word.find('=');
      if (in_arguments) line.operands.push_back(word);
      else if (word == "args") in_arguments = true;
      else if (word == "string") letter = 'n';
      else if (word == "module") letter = 'm';
      else if (equals == std::string::npos) line.settings.push_back({.name = word, .flag = "-x " + word});
      else
        line.settings.push_back({.name = word.substr(0, equals),
                                 .value = word.substr(equals + 1),
                                 .has_value = true,
                                 .flag = "-x " + word});
    }
  }
  line.programs.push_back({.letter = letter, .text = letter == 's' ? path.string() : text});
  return line;
}

}  // namespace

CompiledText::CompiledText(const fs::path& path) : CompiledText(path, [](FakeHost&) {}) {}

CompiledText CompiledText::on_old_machine(const fs::path& path) {
  return CompiledText(
      path, [](FakeHost& host) { host.edit_facts().has_cpu_v4 = host.edit_facts().has_raw_tp_cookie = false; });
}

CompiledText CompiledText::on_large_machine(const fs::path& path, uint32_t cpus, uint64_t gigabytes) {
  return CompiledText(path, [&](FakeHost& host) {
    MachineFacts& facts = host.edit_facts();
    facts.cpu_count = facts.online_cpu_count = cpus;
    facts.page_count = (gigabytes << 30) / facts.page_size;
  });
}

CompiledText CompiledText::on_sparse_machine(const fs::path& path, uint32_t possible, uint32_t online) {
  return CompiledText(path, [&](FakeHost& host) {
    host.edit_facts().cpu_count = possible;
    host.edit_facts().online_cpu_count = online;
  });
}

CompiledText CompiledText::on_other_kernel(const fs::path& path) {
  return CompiledText(path, [](FakeHost& host) { host.move_members(8); });
}

CompiledText CompiledText::on_processor(const fs::path& path, std::string_view name) {
  return CompiledText(path, [&](FakeHost& host) { host.edit_facts().machine = name; });
}

CompiledText::CompiledText(const fs::path& path, const std::function<void(FakeHost&)>& change) {
  change(host_);
  CommandLine line = command_line_of(path, read_file(path));
  auto options = make_options(line, [](const std::string&) -> const char* { return nullptr; });
  if (!options) {
    problem_ = options.error().message();
    return;
  }
  auto done = compile(*compilation_, line, *options, host_, 0);
  if (!done) problem_ = done.error().message();
  else if (compilation_->diagnostics.has_errors()) problem_ = render(compilation_->diagnostics, "dscope", true);
}

IrModule CompiledText::lowered(const LowerOptions& options) const {
  return lower(compilation_->sources, compilation_->meaning, compilation_->compiled, options);
}

ProgramPlan CompiledText::plan() const {
  ProgramPlan plan = compilation_->compiled.plan;
  complete_plan(plan, lowered(), compilation_->compiled.layout.scratch_groups);
  return plan;
}

}  // namespace dscope
