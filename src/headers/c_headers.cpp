#include "headers/c_headers.h"

#include <algorithm>
#include <unordered_map>

#include "catalog/catalog.h"
#include "headers/libclang.h"
#include "headers/type_importer.h"
#include "support/format.h"
#include "support/text/words.h"

namespace dscope {

namespace {

// "struct x" -> "struct " and "x". A typedef has no tag.
std::pair<std::string_view, std::string_view> split_tag(std::string_view name) {
  size_t begin = name.find(' ') + 1;  // 0 if there is none
  return {name.substr(0, begin), name.substr(begin)};
}

}  // namespace

bool can_read_c_headers() { return find_libclang() != nullptr; }

// A preprocessed text and, after the first query, Clang's translation unit for it.
class CHeaders::Text {
 public:
  explicit Text(std::string text) : text_(std::move(text)) { add_words(text_, words_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() {
    if (unit_ != nullptr) clang_->disposeTranslationUnit(unit_);
    if (index_ != nullptr) clang_->disposeIndex(index_);
  }

  // Finds a declaration by name: "struct x" and typedefs, or enumerators. Null if there is none.
  const CXCursor* find_type(std::string_view name) {
    return find(types_, name, name.substr(name.find(' ') == std::string_view::npos ? 0 : name.find(' ') + 1));
  }
  const CXCursor* find_enumerator(std::string_view name) { return find(enumerators_, name, name); }
  // The names of all types in the text.
  std::vector<std::string_view> type_names() {
    std::vector<std::string_view> names;
    if (parse())
      for (const auto& [name, declaration] : types_) names.push_back(name);
    return names;
  }
  const LibClang& clang() const { return *clang_; }

  void add_files_with_errors(std::vector<std::string>& files);

 private:
  using Declarations = std::unordered_map<std::string, CXCursor>;

  const CXCursor* find(Declarations& declarations, std::string_view name, std::string_view word) {
    if (!words_.contains(word) || !parse()) return nullptr;
    auto found = declarations.find(std::string(name));
    return found == declarations.end() ? nullptr : &found->second;
  }
  bool parse();
  void index(const CXCursor& cursor);
  static int index_each(CXCursor cursor, CXCursor, void* self);

  std::string text_;
  Words words_;
  const LibClang* clang_ = nullptr;
  bool is_parsed_ = false;
  CXIndex index_ = nullptr;
  CXTranslationUnit unit_ = nullptr;
  Declarations types_, enumerators_;
};

// False if there is no Clang, or if Clang cannot parse the text at all. An error in a declaration only loses that
// declaration.
bool CHeaders::Text::parse() {
  if (is_parsed_) return unit_ != nullptr;
  is_parsed_ = true;
  clang_ = find_libclang();
  if (clang_ == nullptr) return false;
  index_ = clang_->createIndex(0, 0);
  constexpr const char* name = "headers.i";
  CXUnsavedFile file{.filename = name, .contents = text_.data(), .length = text_.size()};
  // The text is preprocessed, so Clang reads no includes from disk.
  constexpr const char* arguments[] = {"-xcpp-output", "-std=gnu17", "-w", "-ferror-limit=0"};
  constexpr unsigned flags =
      CXTranslationUnit_Incomplete | CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_KeepGoing;
  int problem = clang_->parseTranslationUnit2(index_, name, arguments, std::size(arguments), &file, 1, flags, &unit_);
  if (problem != 0) unit_ = nullptr;
  if (unit_ == nullptr) return false;
  clang_->visitChildren(clang_->getTranslationUnitCursor(unit_), index_each, this);
  return true;
}

int CHeaders::Text::index_each(CXCursor cursor, CXCursor, void* self) {
  auto& text = *static_cast<Text*>(self);
  text.index(cursor);
  // C has no scopes within structs: the types that a struct defines are visible everywhere.
  switch (text.clang_->getCursorKind(cursor)) {
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl: return CXVisit_Recurse;
    default: return CXVisit_Continue;
  }
}

void CHeaders::Text::index(const CXCursor& cursor) {
  switch (clang_->getCursorKind(cursor)) {
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
      if (has_name(*clang_, cursor)) types_.try_emplace(tagged_name(*clang_, cursor), cursor);
      break;
    case CXCursor_TypedefDecl: types_.try_emplace(clang_->spelling(cursor), cursor); break;
    case CXCursor_EnumConstantDecl: enumerators_.try_emplace(clang_->spelling(cursor), cursor); break;
    default: break;
  }
}

void CHeaders::Text::add_files_with_errors(std::vector<std::string>& files) {
  if (!parse()) return;
  for (unsigned i = 0; i < clang_->getNumDiagnostics(unit_); ++i) {
    CXDiagnostic diagnostic = clang_->getDiagnostic(unit_, i);
    if (clang_->getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      CXString file{};
      unsigned line = 0, column = 0;
      clang_->getPresumedLocation(clang_->getDiagnosticLocation(diagnostic), &file, &line, &column);
      std::string name = clang_->text(file);
      if (std::find(files.begin(), files.end(), name) == files.end()) files.push_back(std::move(name));
    }
    clang_->disposeDiagnostic(diagnostic);
  }
}

CHeaders::CHeaders() = default;
CHeaders::~CHeaders() = default;

void CHeaders::add(std::string text) { texts_.push_back(std::make_unique<Text>(std::move(text))); }

std::optional<TypeId> CHeaders::find_type(TypeTable& types, std::string_view name) {
  for (const auto& text : texts_)
    if (const CXCursor* declaration = text->find_type(name))
      return TypeImporter(text->clang(), types).import_declaration(*declaration);
  return std::nullopt;
}

std::string CHeaders::nearest_type(std::string_view name) {
  auto [tag, own_name] = split_tag(name);
  std::vector<std::string_view> candidates;
  for (const auto& text : texts_)
    for (std::string_view candidate : text->type_names())
      if (split_tag(candidate).first == tag) candidates.push_back(split_tag(candidate).second);
  // Sorts, because the hint must not depend on the order of a hash table.
  std::sort(candidates.begin(), candidates.end());
  std::string_view near = nearest_name(own_name, candidates);
  return near.empty() ? "" : fmt::format("{}{}", tag, near);
}

std::optional<HeaderEnumerator> CHeaders::find_enumerator(TypeTable& types, std::string_view name) {
  for (const auto& text : texts_) {
    const CXCursor* enumerator = text->find_enumerator(name);
    if (enumerator == nullptr) continue;
    const LibClang& clang = text->clang();
    // Imports the enumeration, because the enumerator's own type is int in C.
    CXCursor enumeration = clang.getCursorSemanticParent(*enumerator);
    return HeaderEnumerator{.type = TypeImporter(clang, types).import_declaration(enumeration),
                            .value = clang.getEnumConstantDeclValue(*enumerator)};
  }
  return std::nullopt;
}

std::vector<std::string> CHeaders::files_with_errors() {
  std::vector<std::string> files;
  for (const auto& text : texts_) text->add_files_with_errors(files);
  return files;
}

}  // namespace dscope
