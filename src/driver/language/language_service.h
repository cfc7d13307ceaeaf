// LanguageService: what an editor asks about D programs, as plain values. The language server translates them to LSP.
// It answers from the text (outlines), from the catalog, from the names of all probes, and from compilations for the
// machine. Every function accepts any text and any offset.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/language/analysis.h"
#include "driver/language/cursor.h"
#include "driver/language/name_docs.h"
#include "driver/language/outline.h"
#include "driver/language/probe_index.h"

namespace dscope {

enum class SuggestionKind : uint8_t {
  Variable,
  Function,
  Keyword,
  Member,
  Type,
  Constant,
  Option,
  Value,
  Probe,
  Snippet
};

struct Suggestion {
  std::string label;
  SuggestionKind kind{};
  std::string detail;         // a type or a signature, in one line
  std::string documentation;  // Markdown; may be empty
};

struct Suggestions {
  std::vector<Suggestion> items;
  SourceRange range;        // the text that a suggestion replaces
  bool is_complete = true;  // false: ask again when the prefix has grown
};

struct HoverText {
  std::string markdown;
  SourceRange range;
};

// A place in a document or in a D library.
struct DefinitionPlace {
  std::string path;
  std::string text;  // of that file
  SourceRange range;
};

struct Signature {
  std::string label;                    // "string basename(const char *)"
  std::vector<SourceRange> parameters;  // offsets in the label
  uint32_t active_parameter = 0;
  std::string documentation;
};

struct Edit {
  SourceRange range;
  std::string text;
};

// A change that mends a problem: the program then compiles, or fails later.
struct QuickFix {
  std::string title;
  std::vector<Edit> edits;
};

class LanguageService {
 public:
  LanguageService(CommandLine base, MakeHost make_host) : analysis_(std::move(base), std::move(make_host)) {}

  std::vector<Problem> check(const std::string& path, const std::string& text) const {
    return analysis_.check(path, text);
  }
  Suggestions complete(const std::string& path, const std::string& text, uint32_t offset);
  std::optional<HoverText> hover(const std::string& path, const std::string& text, uint32_t offset);
  std::vector<DefinitionPlace> find_definition(const std::string& path, const std::string& text, uint32_t offset);
  std::optional<Signature> signature(const std::string& text, uint32_t offset) const;
  // The fixes for the problems of check(), each tried by compiling the changed text.
  std::vector<QuickFix> quick_fixes(const std::string& path, const std::string& text, const Problem& problem) const;

  // The names of all probes. The first call asks the machine, which may take a second.
  const ProbeIndex& probes();
  bool has_probes() const { return probes_.has_value(); }

 private:
  struct LibraryOutline {
    Scan scan;
    std::string path;
    std::vector<Definition> definitions;
  };
  const std::vector<LibraryOutline>& libraries();

  void complete_description(const Cursor& cursor, Suggestions& out);
  void complete_members(const std::string& path, const std::string& text, const Cursor& cursor, Suggestions& out);
  void complete_names(const std::string& text, const Cursor& cursor, Suggestions& out);
  void complete_types(const std::string& text, const Cursor& cursor, Suggestions& out);
  void add_definitions(const Scan& scan, const std::vector<Definition>& definitions, const Cursor& cursor,
                       Suggestions& out) const;
  const std::vector<TypedName>& members_at(const std::string& path, const std::string& text, uint32_t begin);

  std::optional<HoverText> hover_description(const std::string& description, SourceRange range);
  std::optional<HoverText> hover_member(const std::string& path, const std::string& text, const WordAt& word);
  std::optional<HoverText> hover_name(const std::string& path, const std::string& text, const WordAt& word);
  std::string definition_text(const std::string& name);

  Analysis analysis_;
  std::optional<ProbeIndex> probes_;
  std::optional<std::vector<LibraryOutline>> libraries_;
  // The members for the last text before a member's name: typing the name asks for them again.
  std::string members_key_;
  std::vector<TypedName> members_;
};

}  // namespace dscope
