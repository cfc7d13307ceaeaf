#include "driver/compile/header_choice.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/token.h"
#include "headers/included_text.h"
#include "support/text/words.h"

namespace dscope {

namespace {

enum class Reader : uint8_t {
  D,             // clauses, inlines, translators: not valid C
  Declarations,  // valid in D and in C
  C,             // rejected by D's grammar or rules
};

bool holds_only_declarations(const Program& program) {
  const std::vector<External>& externals = program.units.back().externals;
  return std::all_of(externals.begin(), externals.end(),
                     [](const External& external) { return std::holds_alternative<Declaration>(external.form); });
}

// Compiles `text`, headers with their line markers, only to determine whether it is valid D.
Reader try_header(std::string text, const OptionValues& options, Host& host, HeaderTypes& headers) {
  SourceSet sources;
  UnitId unit = sources.add(UnitKind::Script, "header", std::move(text));
  Diagnostics diagnostics(sources);
  Program program;
  TypeTable names;
  ParseOptions parse_options{.allow_unused_argument = true, .allow_empty = true};
  ParseContext context;
  context.options = &parse_options;
  context.is_type = [&](std::string_view name) {
    return names.find(name) || headers.find_type(names, name) || host.find_type(names, "", name);
  };
  context.is_identifier = is_built_in_name;
  parse_unit(program, unit, context, diagnostics);
  if (diagnostics.has_errors()) return Reader::C;
  if (!holds_only_declarations(program)) return Reader::D;
  check(program, host, options, diagnostics, &headers);
  return diagnostics.has_errors() ? Reader::C : Reader::Declarations;
}

class HeaderChoice {
 public:
  HeaderChoice(std::string text, const PreprocessForC& preprocess_for_c, const OptionValues& options, Host& host)
      : included_(std::move(text)),
        preprocess_for_c_(preprocess_for_c),
        options_(options),
        host_(host),
        readers_(included_.files().size(), Reader::D) {}

  void choose() {
    for (size_t file = 1; file < readers_.size(); ++file)
      if (included_.files()[file].is_system && !included_.is_empty(file)) readers_[file] = Reader::C;
    CHeaders system;
    if (has_c_headers()) system.add(c_text());
    bool is_any_rejected = false;
    for (size_t file : included_.in_include_order()) {
      if (included_.files()[file].is_system || included_.is_empty(file)) continue;
      readers_[file] = try_header(
          included_.text_of([&](size_t other) { return other == file || readers_[other] == Reader::Declarations; }),
          options_, host_, system);
      if (readers_[file] == Reader::Declarations && needs_c_layout(file)) readers_[file] = Reader::C;
      is_any_rejected = is_any_rejected || readers_[file] == Reader::C;
    }
    if (is_any_rejected) return_invalid_c_to_d();
  }

  bool has_c_headers() const { return std::find(readers_.begin(), readers_.end(), Reader::C) != readers_.end(); }
  std::string d_text() const {
    return included_.text_of([&](size_t file) { return readers_[file] != Reader::C; });
  }
  // Returns the text of the C headers, preprocessed as GNU C, in which the same headers may include others. Contains
  // declarations that D reads too, because C headers refer to them.
  std::string c_text() {
    const std::vector<IncludedFile>& files = as_c().files();
    return as_c().text_of([&](size_t file) { return file != IncludedText::script && is_for_c(files[file]); });
  }

 private:
  const IncludedText& as_c() {
    if (!as_c_) {
      std::optional<std::string> text = preprocess_for_c_();
      as_c_.emplace(text ? std::move(*text) : included_.text_of([](size_t) { return true; }));
    }
    return *as_c_;
  }

  // Whether the struct layouts of a header need a C compiler. Headers of the C library remove __attribute__ for
  // compilers other than GNU C.
  bool needs_c_layout(size_t file) {
    auto is_same = [&](size_t other) { return other == file; };
    if (included_.text_of(is_same).find("#pragma pack") != std::string::npos) return true;
    if (!has_c_headers()) return false;
    const std::string& name = included_.files()[file].name;
    return as_c().text_of([&](size_t other) { return as_c_->files()[other].name == name; }).find("__attribute__") !=
           std::string::npos;
  }

  bool is_for_c(const IncludedFile& file) const {
    if (file.is_system) return true;
    for (size_t i = 1; i < readers_.size(); ++i)
      if (included_.files()[i].name == file.name && readers_[i] != Reader::D) return true;
    return false;
  }

  // Treats a header that is invalid in both languages as D, so that the message comes from the D parser.
  void return_invalid_c_to_d() {
    CHeaders headers;
    headers.add(c_text());
    std::vector<std::string> wrong = headers.files_with_errors();
    for (size_t file = 1; file < readers_.size(); ++file) {
      const IncludedFile& header = included_.files()[file];
      bool is_wrong = !can_read_c_headers() || std::find(wrong.begin(), wrong.end(), header.name) != wrong.end();
      if (readers_[file] == Reader::C && !header.is_system && is_wrong) readers_[file] = Reader::D;
    }
  }

  IncludedText included_;
  const PreprocessForC& preprocess_for_c_;
  const OptionValues& options_;
  Host& host_;
  std::vector<Reader> readers_;       // by file; D for the script itself
  std::optional<IncludedText> as_c_;  // set by the first use
};

// Whether `text` contains a word that `headers` declare.
bool may_use(std::string_view text, std::string_view headers) {
  Words used, declared;
  add_words(text, used);
  add_words(headers, declared);
  return std::any_of(used.begin(), used.end(), [&](std::string_view word) {
    return declared.contains(word) && keyword_kind(word) == TokenKind::Identifier && !is_built_in_name(word);
  });
}

// Undoes macros of C headers for words of D: errno expands to a function call. Blanks preserve the columns.
void undo_macros(std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {"(*__errno_location ())", "errno"}, {"(*__errno_location())", "errno"}, {"__builtin_offsetof", "offsetof"}};
  for (const auto& [expansion, word] : rows)
    for (size_t at = 0; (at = text.find(expansion, at)) != std::string::npos; at += expansion.size())
      text.replace(at, expansion.size(), fmt::format("{:<{}}", word, expansion.size()));
}

}  // namespace

ChosenText choose_headers(std::string text, const PreprocessForC& preprocess_for_c, const OptionValues& options,
                          Host& host, CHeaders& headers) {
  HeaderChoice choice(text, preprocess_for_c, options, host);
  choice.choose();
  if (!choice.has_c_headers()) return {.text = std::move(text)};
  std::string d_text = choice.d_text(), c_text = choice.c_text();
  undo_macros(d_text);
  if (!may_use(d_text, c_text)) return {.text = std::move(d_text)};
  if (!can_read_c_headers()) return {.text = std::move(text), .lacks_libclang = true};
  headers.add(std::move(c_text));
  return {.text = std::move(d_text)};
}

}  // namespace dscope
