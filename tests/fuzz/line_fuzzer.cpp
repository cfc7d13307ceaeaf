// Line mapping: the input bytes select pieces of a script, including line markers, and a model counts the lines. The
// error at the end must be reported at the model's file and line. The bytes themselves, parsed as text, must not break
// the mapping.
#include <cstddef>
#include <cstdint>

#include "frontend/syntax/parser.h"
#include "support/check.h"
#include "support/line_marker.h"

namespace {

struct Model {
  std::string text;
  uint32_t line = 1;
  std::string file;  // empty: the script itself

  // Adds a piece without a marker.
  void add(const std::string& piece) {
    text += piece;
    for (char c : piece) line += c == '\n' ? 1 : 0;
  }
  void mark(uint32_t number, unsigned choice, bool is_word) {
    static constexpr std::pair<const char*, const char*> names[] = {
        {"", nullptr}, {" \"a.h\" 1", "a.h"}, {" \"b.h\" 2 3", "b.h"}, {" \"/dev/stdin\" 2", ""}, {" \"fuzz.d\"", ""}};
    const auto& [words, name] = names[choice % std::size(names)];
    if (!text.empty() && text.back() != '\n') add("\n");
    text += fmt::format("{} {}{}\n", is_word ? "#line" : "#", number, words);
    line = number;
    if (name != nullptr) file = name;
  }
};

Model build(const uint8_t* data, size_t size) {
  static constexpr const char* pieces[] = {"\n",
                                           " \t",
                                           "BEGIN { trace(1); }\n",
                                           "BEGIN\n{\n\n}\n",
                                           "/* a\nb\n\nc */",
                                           "int x\\\n;\n",
                                           "typedef\nint a_t ;",
                                           "BEGIN\n/1\n/\n{ x = 1\n; }",
                                           "// comment\n",
                                           "#pragma D option quiet\n",
                                           "#\n"};
  Model model;
  for (size_t i = 0; i < size; ++i) {
    uint8_t byte = data[i];
    if (byte >= 128 && i + 1 < size) {
      model.mark(uint32_t{data[++i]} * 7 + 1, byte & 63U, (byte & 64) != 0);
      continue;
    }
    const char* piece = pieces[byte % std::size(pieces)];
    if (piece[0] == '#' && !model.text.empty() && model.text.back() != '\n') model.add("\n");
    model.add(piece);
  }
  return model;
}

void parse(dscope::Diagnostics& diagnostics, dscope::UnitId unit) {
  dscope::Program program;
  dscope::ParseOptions options;
  dscope::ParseContext context;
  context.options = &options;
  context.apply_option = [](std::string_view, std::string_view, bool) { return std::string(); };
  dscope::parse_unit(program, unit, context, diagnostics);
}

void check_place(Model model) {
  model.add("\n}");
  dscope::SourceSet sources;
  dscope::UnitId unit = sources.add(dscope::UnitKind::Script, "fuzz.d", model.text);
  dscope::Diagnostics diagnostics(sources);
  parse(diagnostics, unit);
  DS_CHECK(diagnostics.has_errors());
  const dscope::Diagnostic& error = diagnostics.first();
  DS_CHECK(error.at.line == model.line);
  DS_CHECK(diagnostics.file_name(error.at.file) == model.file);
  DS_CHECK(dscope::marked_line(model.text, model.text.size()) == model.line);
  std::string shown = render_full(diagnostics, "fuzz", false, {});
  DS_CHECK(shown.find(fmt::format("line {}: ", model.line)) != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check_place(build(data, size));
  std::string text(reinterpret_cast<const char*>(data), size);
  for (size_t at = 0; at <= size; ++at) {
    size_t end = std::min(text.find('\n', at), size);
    dscope::parse_line_marker(std::string_view(text).substr(at, end - at));
    at = end;
  }
  dscope::marked_line(text, size);
  return 0;
}
