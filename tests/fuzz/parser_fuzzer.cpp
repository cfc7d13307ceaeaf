// Lexes and parses arbitrary bytes, as a script and as a -n string. Every program that parses must print to text that
// parses again.
#include <cstddef>
#include <cstdint>

#include "frontend/advice/advice.h"
#include "frontend/syntax/ast_print.h"
#include "frontend/syntax/parser.h"
#include "support/check.h"

namespace {

bool parses(const std::string& text, dscope::UnitKind kind, std::string& tree, std::string& source) {
  dscope::SourceSet sources;
  dscope::UnitId unit = sources.add(kind, "fuzz.d", text);
  dscope::Diagnostics diagnostics(sources);
  dscope::Program program;
  dscope::ParseOptions options{.allow_unused_argument = true};
  dscope::ParseContext context;
  context.options = &options;
  context.macros.arguments = {"42", "name", "some text"};
  context.is_type = [](std::string_view name) { return name.ends_with("_t"); };
  dscope::parse_unit(program, unit, context, diagnostics);
  if (diagnostics.has_errors()) {
    render_full(diagnostics, "fuzz", true, advice(diagnostics));
    return false;
  }
  tree = dump_tree(program);
  source = print_source(program);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size), tree, source, second_tree, second_source;
  parses(text, dscope::UnitKind::String, tree, source);
  if (text.find('$') != std::string::npos || !parses(text, dscope::UnitKind::Script, tree, source)) return 0;
  DS_CHECK(parses(source, dscope::UnitKind::Library, second_tree, second_source));
  DS_CHECK(tree == second_tree);
  return 0;
}
