#include "tests/unit/codegen/compiled_text.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace dscope {

namespace fs = std::filesystem;

namespace {

// What the first line of a golden asks for.
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

CompiledText::CompiledText(const fs::path& path) : CompiledText(path, false) {}

CompiledText::CompiledText(const fs::path& path, bool is_old_machine) {
  if (is_old_machine) host_.edit_facts().has_cpu_v4 = host_.edit_facts().has_raw_tp_cookie = false;
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
  complete_plan(plan, lowered());
  return plan;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> golden_inputs(const char* folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_GOLDEN_DIR) / folder))
    if (entry.path().extension() == ".d") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string golden_test_name(const ::testing::TestParamInfo<fs::path>& info) {
  const fs::path& path = info.param;
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

void expect_golden(const fs::path& expected, const std::string& actual) {
  if (std::getenv("DSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(read_file(expected), actual) << "DSCOPE_UPDATE_GOLDEN=1 accepts the new text of " << expected;
}

}  // namespace dscope
