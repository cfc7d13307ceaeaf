#include "driver/compile/needed_libraries.h"

#include <sys/utsname.h>

#include <algorithm>

#include "catalog/dialect.h"
#include "driver/compile/script_reader.h"
#include "frontend/syntax/parser.h"
#include "support/text/words.h"

namespace dscope {

namespace {

// Adds the name in library kernel.d of each kernel symbol that `text` names by a backquote.
void add_kernel_symbols(std::string_view text, std::vector<std::string>& words) {
  for (size_t mark = text.find('`'); mark != text.npos; mark = text.find('`', mark + 1)) {
    size_t end = mark + 1;
    while (end < text.size() && is_word_char(text[end])) ++end;
    words.push_back(fmt::format("__kernel_{}", text.substr(mark + 1, end - mark - 1)));
  }
}

}  // namespace

LibrarySearch library_search(const OptionValues& options, const Compilation& out) {
  LibrarySearch search;
  if (out.archived != nullptr) search.files = &out.archived->libraries;
  search.replaced = &out.replaced_libraries;
  if (options.is_set(OptionId::Syslibdir)) search.directories.push_back(options.text(OptionId::Syslibdir));
  else search.built_in_directory = library_directory();
  for (std::string& directory : options.list(OptionId::Libdir)) search.directories.push_back(std::move(directory));
  utsname names{};
  if (uname(&names) == 0) search.kernel_release = names.release;
  return search;
}

std::vector<std::string> library_dependencies_of(const std::string& text) {
  SourceUnit unit{.kind = UnitKind::Library, .name = {}, .text = text};
  return library_dependencies(unit);
}

Result<std::vector<LibraryFile>> find_libraries(const Compilation& out, const CommandLine& command_line,
                                                const OptionValues& options) {
  // DTrace loads libraries for the first program only.
  if (options.is_on(OptionId::Nolibs) || out.user_units.empty()) return std::vector<LibraryFile>{};
  std::vector<std::string_view> words(command_line.operands.begin(), command_line.operands.end());
  for (UnitId id : out.user_units) words.push_back(out.sources.unit(id).text);
  // A library implements the built-in variable vtimestamp.
  if (std::ranges::any_of(words, [](std::string_view text) { return text.find("vtimestamp") != text.npos; }))
    words.push_back("__vtimestamp");
  // A pragma may set the option, and the parser needs the types before it reads the pragma.
  if (options.dialect().emulates_solaris_names() || std::ranges::any_of(words, Dialect::may_be_set_by))
    words.push_back(Dialect::library_words);
  std::vector<std::string> symbols;
  for (std::string_view text : words) add_kernel_symbols(text, symbols);
  words.insert(words.end(), symbols.begin(), symbols.end());
  auto libraries = needed_libraries(library_search(options, out), words, library_dependencies_of);
  if (!libraries)
    return fail(std::move(libraries.error()).with_context(failure_text(out.sources.unit(out.user_units[0]))));
  return libraries;
}

}  // namespace dscope
