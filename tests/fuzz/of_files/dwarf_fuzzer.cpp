// Debug information of others: source lines and types. libdw reads it; ours are the limits on depth, sizes and cycles.
#include "foreign_file.h"
#include "location_steps.h"
#include "runtime/dwarf/process_types.h"
#include "runtime/dwarf/source_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const dscope::fuzz::NamedFile file(dscope::fuzz::scratch_path("dwarf"));
  file.write(data, size);
  if (auto lines = dscope::SourceLines::open("", file.path(), ""))
    for (uint64_t address : {uint64_t{0}, uint64_t{0x1000}, uint64_t{0x1139}, uint64_t{0x401136}})
      for (const dscope::SourceLines::Line& line : lines->find(address))
        DS_CHECK(line.file.find('/') == std::string::npos);
  dscope::ProcessTypes process_types;
  dscope::TypeTable types;
  dscope::ProcessScope scope = process_types.of_file(file.path());
  for (const char* name : {"struct node", "union either", "enum kind", "node_t"}) {
    auto type = process_types.find(types, scope, name);
    if (!type) continue;
    process_types.complete(types, *type);
    types.size_of(*type);
    types.spell(*type);
  }
  process_types.find_function(types, scope, "walk", 0x1139);
  if (dscope::TracedCode* code = process_types.find_code(scope)) {
    auto places = code->find_lines([](std::string_view) { return true; }, [](uint32_t line) { return line < 100; });
    for (size_t i = 0; i < places.size() && i < 20; ++i)
      for (const auto& variable :
           code->variables(places[i].address, {.path = places[i].path, .number = places[i].line}))
        dscope::fuzz::check_steps(variable.place);
  }
  return 0;
}
