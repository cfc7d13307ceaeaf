#include "runtime/providers/derived/derived_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "support/check.h"
#include "support/format.h"
#include "support/text/word_list.h"
#include "support/text/words.h"

namespace dscope {
namespace {

// Where the comment at text[start] ends; `start` if there is none.
size_t end_of_comment(std::string_view text, size_t start) {
  if (start + 1 >= text.size() || text[start] != '/') return start;
  if (text[start + 1] == '/') return std::min(text.find('\n', start), text.size());
  if (text[start + 1] == '*') return std::min(text.find("*/", start), text.size() - 2) + 2;
  return start;
}

// Where the white space and comments at text[start] end.
size_t end_of_blanks(std::string_view text, size_t start) {
  while (true) {
    size_t end = start;
    while (end < text.size() && is_blank(text[end])) ++end;
    end = end_of_comment(text, end);
    if (end == start) return start;
    start = end;
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool is_at_end() {
    skip_blanks();
    return rest_.empty();
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) { DS_CHECK(take(word)); }

  // Up to a blank or one of `ends`.
  std::string_view word(std::string_view ends) {
    skip_blanks();
    size_t size = 0;
    while (size < rest_.size() && !is_blank(rest_[size]) && ends.find(rest_[size]) == std::string_view::npos) ++size;
    DS_CHECK(size != 0);
    return take_bytes(size);
  }

  std::string_view until(std::string_view end) {
    skip_blanks();
    std::string_view part = take_bytes(std::min(rest_.find(end), rest_.size()));
    expect(end);
    return part;
  }

  uint32_t number() {
    skip_blanks();
    uint32_t value = 0;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    DS_CHECK(error == std::errc{});
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }
  bool is_at_digit() const { return !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_[0])) != 0; }

  // Predicate and body, up to the closing brace.
  std::string_view clause() {
    skip_blanks();
    size_t depth = 0;
    for (size_t at = 0; at < rest_.size(); ++at) {
      if (rest_[at] == '{') ++depth;
      else if (rest_[at] == '}' && --depth == 0) return take_bytes(at + 1);
      else if (rest_[at] == '/') at = std::max(end_of_comment(rest_, at), at + 1) - 1;
    }
    DS_UNREACHABLE();
  }

 private:
  void skip_blanks() { rest_.remove_prefix(end_of_blanks(rest_, 0)); }
  std::string_view take_bytes(size_t size) {
    std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }

  std::string_view rest_;
};

// The attributes in brackets after a site.
void read_attributes(Reader& reader, DerivationRow& row) {
  if (!reader.take("[")) return;
  do {
    if (reader.take("parameters")) {
      row.min_parameters = row.max_parameters = reader.number();
      if (reader.take("..")) row.max_parameters = reader.is_at_digit() ? reader.number() : SIZE_MAX;
    } else if (reader.take("order")) {
      row.order = reader.number();
    } else if (reader.take("subject")) {
      row.subject = reader.number();
    } else {
      reader.expect("on exec");
      row.may_lack_pages = true;
    }
  } while (reader.take(","));
  reader.expect("]");
}

// "sched:::on-cpu, sched:::off-cpu <-"
std::vector<std::string_view> read_probes(Reader& reader) {
  std::vector<std::string_view> names;
  do {
    std::string_view probe = reader.word(",");
    size_t separator = probe.find(":::");
    DS_CHECK(separator != std::string_view::npos);
    names.push_back(probe.substr(separator + 3));
  } while (reader.take(","));
  reader.expect("<-");
  return names;
}

// Reads the clause of the sites and appends a row for each site of each probe.
template <typename Row>
void append_rows(Reader& reader, const std::vector<std::string_view>& probes, const std::vector<Row>& sites,
                 std::vector<Row>& rows) {
  std::string_view clause = reader.clause();
  for (std::string_view probe : probes)
    for (Row row : sites) {
      row.probe = probe;
      row.clause = clause;
      rows.push_back(std::move(row));
    }
}

void read_derivation(Reader& reader, std::vector<DerivationRow>& rows) {
  std::vector<std::string_view> probes = read_probes(reader);
  std::vector<DerivationRow> sites;
  do {
    DerivationRow& row = sites.emplace_back();
    row.is_otherwise = reader.take("otherwise ");
    row.site = reader.word(",[{/");
    read_attributes(reader, row);
  } while (reader.take(","));
  append_rows(reader, probes, sites, rows);
}

void read_preparation(Reader& reader, std::vector<PreparationRow>& rows) {
  std::vector<std::string_view> probes = read_probes(reader);
  std::vector<PreparationRow> sites;
  do {
    PreparationRow& row = sites.emplace_back();
    row.is_otherwise = reader.take("otherwise ");
    do row.sites.push_back(reader.word(",[{/"));
    while (reader.take("or "));
  } while (reader.take(","));
  append_rows(reader, probes, sites, rows);
}

// Removes the name behind a type and returns it. The tag of a structure and the only word of a type are no names.
std::string_view take_name(std::string_view& type) {
  size_t start = type.size();
  while (start > 0 && is_word_char(type[start - 1])) --start;
  std::string_view name = type.substr(start), before = type.substr(0, start);
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (name.empty() || before.empty() || before == "struct" || before == "union" || before == "enum") return {};
  type = before;
  return name;
}

// "psinfo" for "psinfo_t *"; empty for other types.
std::string_view name_of_type(std::string_view type) {
  constexpr std::string_view pointer = "_t *";
  if (!type.ends_with(pointer)) return {};
  return type.substr(0, type.size() - pointer.size());
}

std::vector<DeclaredProbe> read_block(Reader& reader) {
  std::vector<DeclaredProbe> probes;
  reader.expect("provider");
  reader.word("{");
  reader.expect("{");
  while (!reader.take("};")) {
    reader.expect("probe");
    size_t first = probes.size();
    do probes.push_back({.name = reader.word(",("), .arguments = {}});
    while (reader.take(","));
    reader.expect("(");
    std::string_view arguments = reader.until(");");
    for (size_t i = first; i < probes.size(); ++i) probes[i].arguments = arguments;
  }
  return probes;
}

}  // namespace

std::vector<DeclaredProbe> read_declared_probes(std::string_view text) {
  Reader reader(text);
  return read_block(reader);
}

DerivedClauses read_derived_clauses(std::string_view text) {
  Reader reader(text);
  read_block(reader);
  DerivedClauses clauses;
  while (!reader.is_at_end()) {
    if (reader.take("prepare ")) read_preparation(reader, clauses.preparations);
    else read_derivation(reader, clauses.derivations);
  }
  return clauses;
}

std::vector<DeclaredArgument> read_declared_arguments(std::string_view arguments) {
  std::vector<DeclaredArgument> result;
  while (!arguments.empty()) {
    std::string_view translated = split_front(arguments, ", ");
    std::string_view native = split_front(translated, " : ");
    std::string_view& type = translated.empty() ? native : translated;
    std::string_view name = take_name(type);
    if (name.empty()) name = name_of_type(type);
    result.push_back({.native = native, .translated = translated, .name = name});
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (size_t at = 0; at < text.size();) {
    size_t end = end_of_blanks(text, at);
    line += end == at ? text[at] : ' ';
    at = std::max(end, at + 1);
  }
  return line;
}

std::string clause_on(std::string_view site, std::string_view clause) {
  return fmt::format("{} {}", site, one_line(clause));
}

}  // namespace dscope
