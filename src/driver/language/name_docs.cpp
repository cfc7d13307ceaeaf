#include "driver/language/name_docs.h"

#include <algorithm>
#include <map>

#include "catalog/catalog.h"
#include "support/format.h"

// The text of man/reference.txt, by embed_reference.cmake.
extern const char dscope_reference_text[];

namespace dscope {

namespace {

// "KIND NAME" -> text.
const std::map<std::string_view, std::string_view>& reference_texts() {
  static const std::map<std::string_view, std::string_view> texts = [] {
    std::map<std::string_view, std::string_view> result;
    std::string_view rest = dscope_reference_text;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      size_t bar = line.find(" | ");
      if (!line.starts_with('#') && bar != std::string_view::npos)
        result.emplace(line.substr(0, bar), line.substr(bar + 3));
    }
    return result;
  }();
  return texts;
}

std::string_view reference_text(std::string_view kind, std::string_view name) {
  auto found = reference_texts().find(fmt::format("{} {}", kind, name));
  return found == reference_texts().end() ? std::string_view{} : found->second;
}

// "string(char *, [int])" and "f" make "string f(char *, [int])".
std::string with_name(std::string_view prototype, std::string_view name) {
  size_t open = prototype.find('(');
  if (open == std::string_view::npos) return fmt::format("{} {}", prototype, name);
  std::string_view result = prototype.substr(0, open);
  bool is_pointer = result.ends_with('*');
  return fmt::format("{}{}{}{}", result, is_pointer ? "" : " ", name, prototype.substr(open));
}

template <typename Row>
void add_row(std::vector<NameDoc>& docs, NameKind kind, std::string_view word, const Row& row,
             std::string_view declared) {
  if (row.name.starts_with("__")) return;
  docs.push_back({kind, row.name, with_name(declared, row.name), reference_text(word, row.name)});
}

std::vector<NameDoc> make_docs() {
  std::vector<NameDoc> docs;
  for (std::string_view name : all_names()) {
    if (const VariableRow* row = find_variable(name); row != nullptr && row->release == Release::Now)
      add_row(docs, NameKind::Variable, "variable", *row, row->type);
    else if (const SubroutineRow* call = find_subroutine(name); call != nullptr && call->release == Release::Now)
      add_row(docs, NameKind::Subroutine, "subroutine", *call, call->prototype);
    else if (const ActionRow* action = find_action(name); action != nullptr && action->release == Release::Now)
      add_row(docs, NameKind::Action, "action", *action, action->prototype);
    else if (const AggregationRow* aggregation = find_aggregation(name))
      add_row(docs, NameKind::Aggregation, "aggregation", *aggregation, aggregation->prototype);
  }
  docs.push_back({NameKind::Variable, "args", "args[n]",
                  "The arguments of the probe with their types: args[0] is the "
                  "first. `dscope -lv -n PROBE` lists them."});
  docs.push_back({NameKind::Variable, "arg0", "int64_t arg0, ... arg9", "The arguments of the probe as integers."});
  for (std::string_view word : {"if", "else", "sizeof", "stringof", "offsetof", "xlate", "self", "this"})
    docs.push_back({NameKind::Keyword, word, std::string(word), ""});
  std::ranges::sort(docs, {}, &NameDoc::name);
  return docs;
}

}  // namespace

const std::vector<NameDoc>& all_name_docs() {
  static const std::vector<NameDoc> docs = make_docs();
  return docs;
}

const NameDoc* find_name_doc(std::string_view name) {
  if (find_raw_argument(name)) name = "arg0";
  const std::vector<NameDoc>& docs = all_name_docs();
  auto found = std::ranges::lower_bound(docs, name, {}, &NameDoc::name);
  return found != docs.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string_view> prototype_parameters(std::string_view prototype) {
  std::vector<std::string_view> parameters;
  size_t open = prototype.find('('), close = prototype.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open + 1) return parameters;
  std::string_view list = prototype.substr(open + 1, close - open - 1);
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    bool ends = i == list.size() || (list[i] == ',' && depth == 0);
    if (!ends) {
      depth += list[i] == '(';
      depth -= list[i] == ')';
      continue;
    }
    std::string_view part = list.substr(begin, i - begin);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    parameters.push_back(part);
    begin = i + 1;
  }
  return parameters;
}

}  // namespace dscope
