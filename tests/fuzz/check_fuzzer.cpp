// Parses and checks arbitrary bytes for the machine of FakeHost, as a script and as a -n string.
#include <cstddef>
#include <cstdint>

#include "frontend/advice/advice.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parser.h"
#include "support/check.h"
#include "tests/support/fake_host.h"

namespace {

void check_text(const std::string& text, dscope::UnitKind kind, bool allow_unmatched) {
  dscope::SourceSet sources;
  dscope::UnitId unit = sources.add(kind, "fuzz.d", text);
  dscope::Diagnostics diagnostics(sources);
  dscope::Program program;
  dscope::FakeHost host;
  dscope::TypeTable names;
  dscope::ParseOptions parse_options{.allow_unused_argument = true};
  dscope::ParseContext context;
  context.options = &parse_options;
  context.macros.arguments = {"42", "name", "some text"};
  context.is_type = [&](std::string_view name) {
    return names.find(name).has_value() || host.find_type(names, "", name).has_value();
  };
  dscope::parse_unit(program, unit, context, diagnostics);
  if (diagnostics.has_errors()) return;
  dscope::OptionValues options;
  if (allow_unmatched) DS_CHECK(options.set("zdefs", "", false, dscope::OptionOrigin::CommandLine).has_value());
  dscope::Semantics meaning = check(program, host, options, diagnostics);
  if (diagnostics.has_errors()) {
    render_full(diagnostics, "fuzz", true, advice(diagnostics));
    return;
  }
  for (const dscope::ClauseInstance& clause : meaning.clauses) {
    DS_CHECK(clause.infos.size() == clause.clause->end_node.index - clause.clause->first_node.index);
    for (const dscope::ExprInfo& info : clause.infos) DS_CHECK(info.type.index < meaning.types->size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  check_text(text, dscope::UnitKind::String, true);
  check_text(text, dscope::UnitKind::Script, false);
  return 0;
}
