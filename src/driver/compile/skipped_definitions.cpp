#include "driver/compile/skipped_definitions.h"

#include <algorithm>

#include "driver/compile/library_files.h"
#include "support/text/words.h"

namespace dscope {

namespace {

uint32_t start_of(const Position& at) { return at.range.begin; }

// Removes the member of the translator that contains `offset`. Returns its name; empty if no member contains it.
std::string remove_member(TranslatorDefinition& translator, uint32_t offset) {
  // A member ends where the next one starts.
  auto next = std::ranges::find_if(translator.members, [&](const auto& each) { return start_of(each.at) > offset; });
  if (next == translator.members.begin()) return {};
  auto member = std::prev(next);
  std::string name = member->name;
  translator.members.erase(member);
  return name;
}

// Removes the definition of the unit that contains `offset`. Returns its name, or an empty string if it is neither an
// inline nor a translator.
std::string remove_definition(ProgramUnit& unit, uint32_t offset) {
  auto external = std::ranges::find_if(unit.externals, [&](const External& each) {
    return each.at.range.begin <= offset && offset < each.at.range.end;
  });
  if (external == unit.externals.end()) return {};
  std::string name;
  if (auto* translator = std::get_if<TranslatorDefinition>(&external->form)) {
    name = remove_member(*translator, offset);
    if (!name.empty()) return name;
    name = "translator";
  } else if (const auto* definition = std::get_if<InlineDefinition>(&external->form)) {
    name = definition->declarator->name;
  }
  if (!name.empty()) unit.externals.erase(external);
  return name;
}

bool names_any(const Words& words, const SkippedLibrary& skipped) {
  return !skipped.definition.empty() && words.contains(skipped.definition);
}

// The first error, or its cause if it is the use of a definition that was removed before.
std::string reason_of(const Compilation& out) {
  const std::string& message = out.diagnostics.first().message;
  Words words;
  add_words(message, words);
  auto cause = std::ranges::find_if(out.skipped_libraries, [&](const auto& each) { return names_any(words, each); });
  return cause == out.skipped_libraries.end() ? message : cause->reason;
}

std::string describe(const SkippedLibrary& skipped) {
  std::string_view file = file_name(skipped.path);
  if (skipped.definition.empty()) return fmt::format("D library {} was skipped: {}", file, skipped.reason);
  return fmt::format("{} of D library {} does not compile on this kernel: {}", skipped.definition, file,
                     skipped.reason);
}

}  // namespace

void skip_library(Compilation& out, UnitId id) {
  out.skipped_libraries.push_back({.path = out.sources.unit(id).name, .definition = {}, .reason = reason_of(out)});
  out.diagnostics.clear();
  std::erase_if(out.program.units, [&](const ProgramUnit& unit) { return unit.source == id; });
  std::erase(out.built_in_libraries, id);
}

bool skip_definition_with_error(Compilation& out) {
  uint32_t offset = start_of(out.diagnostics.first().at);
  UnitId id = out.sources.locate(offset).unit;
  if (std::ranges::find(out.built_in_libraries, id) == out.built_in_libraries.end()) return false;
  auto unit = std::ranges::find_if(out.program.units, [&](const ProgramUnit& each) { return each.source == id; });
  std::string name = unit == out.program.units.end() ? std::string{} : remove_definition(*unit, offset);
  if (name.empty()) {
    skip_library(out, id);
    return true;
  }
  std::string reason = reason_of(out);
  out.skipped_libraries.push_back({.path = out.sources.unit(id).name, .definition = name, .reason = std::move(reason)});
  out.diagnostics.clear();
  return true;
}

void hint_at_skipped(Compilation& out) {
  Words words;
  add_words(out.diagnostics.first().message, words);
  std::string named, all;
  for (const SkippedLibrary& skipped : out.skipped_libraries) {
    std::string& text = names_any(words, skipped) ? named : all;
    text += fmt::format("{}{}", text.empty() ? "" : "; ", describe(skipped));
  }
  if (!named.empty() || !all.empty()) out.diagnostics.hint(named.empty() ? all : named);
}

}  // namespace dscope
