#include "metrics/family_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "support/text/visible_text.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

// Letters, digits and single underscores between them.
std::string as_name(std::string_view text) {
  std::string name;
  for (unsigned char c : text) {
    if (c < 128 && std::isalnum(c) != 0) name += static_cast<char>(std::tolower(c));
    else if (!name.empty() && name.back() != '_') name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

std::string unit_of_word(std::string_view word) {
  for (std::string_view time : {"ns", "nanoseconds", "time", "latency", "delay", "duration"})
    if (word == time) return "nanoseconds";
  for (std::string_view size : {"bytes", "byte", "size"})
    if (word == size) return "bytes";
  return {};
}

bool is_name_of_unit(std::string_view word) {
  return word == "ns" || word == "nanoseconds" || word == "bytes" || word == "byte";
}

std::string base_name(std::string_view script) {
  std::string_view file = script.substr(script.rfind('/') + 1);
  for (std::string_view ending : {".dsb", ".d"})
    if (file.ends_with(ending)) file.remove_suffix(ending.size());
  return as_name(file);
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string name;
  for (std::string_view word : words)
    if (!word.empty()) name += fmt::format("{}{}", name.empty() ? "" : "_", word);
  return name;
}

void append_unit(FamilyNames& names) {
  if (!names.unit.empty() && !names.name.ends_with("_" + names.unit)) names.name += "_" + names.unit;
}

std::string default_help(const PictureAggregation& aggregation) {
  std::string keys;
  for (const std::string& key : aggregation.keys) keys += (keys.empty() ? "" : ", ") + key;
  std::string name = aggregation.name == "_" ? "" : aggregation.name;
  return fmt::format("{}() of @{}{}", row(aggregation.function).name, name, keys.empty() ? "" : "[" + keys + "]");
}

std::vector<std::string> label_names(const std::vector<std::string>& keys) {
  std::vector<std::string> labels;
  std::set<std::string> used = {"le", "quantile", "overflow", "instance", "job"};
  for (const std::string& key : keys) {
    std::string name = as_name(key);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "key_");
    if (used.contains(name)) name.insert(0, "key_");
    for (int i = 2; used.contains(name); ++i) name = fmt::format("{}_{}", as_name(key), i);
    used.insert(name);
    labels.push_back(name);
  }
  return labels;
}

// The next word of `text`, which is removed from it.
std::string_view take_word(std::string_view& text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    size_t end = text.find(',');
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<> apply_type(MetricRule& rule, std::string_view value) {
  if (value != "gauge" && value != "counter")
    return fail(Error::make("invalid type in option metric: {}", value).hint("a sum is a counter or a gauge"));
  rule.is_gauge = value == "gauge";
  return {};
}

Result<> apply_scale(MetricRule& rule, std::string_view value) {
  auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), rule.scale);
  if (problem != std::errc{} || end != value.data() + value.size() || !(rule.scale > 0))
    return fail(Error::make("invalid scale in option metric: {}", value));
  return {};
}

Result<> apply(MetricRule& rule, std::string_view name, std::string_view value) {
  if (name == "name") rule.name = as_name(value);
  else if (name == "unit") rule.unit = as_name(value);
  else if (name == "keys") rule.keys = split_at_commas(value);
  else if (name == "help") rule.help = value;
  else if (name == "type") return apply_type(rule, value);
  else if (name == "scale") return apply_scale(rule, value);
  else
    return fail(Error::make("unknown setting of option metric: {}", name)
                    .hint("settings are name=, unit=, scale=, type=, keys= and help="));
  return {};
}

}  // namespace

Result<MetricRule> parse_metric_rule(std::string_view text) {
  MetricRule rule;
  std::string_view aggregation = take_word(text);
  if (!aggregation.starts_with('@'))
    return fail(Error::make("option metric must begin with an aggregation: {}", text)
                    .hint("for example: metric=\"@latency unit=seconds scale=1e-9\""));
  rule.aggregation = aggregation.size() == 1 ? "_" : aggregation.substr(1);
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    size_t equals = word.find('=');
    if (equals == word.npos) return fail(Error::make("option metric has no value for: {}", word));
    std::string_view name = word.substr(0, equals);
    std::string_view value = word.substr(equals + 1);
    if (name == "help") {
      value = {value.data(), value.size() + text.size()};
      text = {};
    }
    DS_TRY_VOID(apply(rule, name, value));
  }
  return rule;
}

FamilyNames names_of(const PictureAggregation& aggregation, std::string_view script,
                     const std::vector<MetricRule>& rules) {
  FamilyNames names;
  std::string own = aggregation.name == "_" ? std::string{row(aggregation.function).name} : as_name(aggregation.name);
  std::vector<std::string_view> words = parts_of(own, "_");
  bool has_unit = aggregation.function != AggregationFunction::Count;
  for (std::string_view word : words)
    if (has_unit && names.unit.empty()) names.unit = unit_of_word(word);
  if (!names.unit.empty()) std::erase_if(words, [](std::string_view word) { return is_name_of_unit(word); });
  std::string base = base_name(script), rest = joined(words);
  names.name = joined({"dscope", base, rest});
  names.help = default_help(aggregation);
  std::vector<std::string> keys = aggregation.keys;
  auto rule = std::ranges::find(rules, aggregation.name, &MetricRule::aggregation);
  if (rule != rules.end()) {
    if (!rule->name.empty()) names.name = rule->name;
    if (!rule->unit.empty()) names.unit = rule->unit == "none" ? "" : rule->unit;
    if (!rule->help.empty()) names.help = rule->help;
    for (size_t i = 0; i < keys.size() && i < rule->keys.size(); ++i) keys[i] = rule->keys[i];
    names.scale = rule->scale;
    names.is_gauge = rule->is_gauge;
  }
  append_unit(names);
  names.labels = label_names(keys);
  return names;
}

std::string label_text(std::string_view text) { return visible_line(text); }

}  // namespace dscope
