#include "driver/merge/merged_results.h"

#include <algorithm>

#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr std::pair<std::string_view, std::string_view> drop_names[] = {
    {"DTRACEDROP_PRINCIPAL", "drop"},
    {"DTRACEDROP_AGGREGATION", "aggregation drop"},
    {"DTRACEDROP_DYNAMIC", "dynamic variable drop"},
    {"DTRACEDROP_SPEC", "speculative drop"},
    {"DTRACEDROP_SPECBUSY", "failed speculation"},
    {"DTRACEDROP_SPECUNAVAIL", "failed speculation"},
    {"DTRACEDROP_DBLERROR", "fault"},
};

std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string_view name_of_drop(const std::string& kind) {
  for (auto [known, name] : drop_names)
    if (kind == known) return name;
  return "drop";
}

std::string text_member(const Json& object, const char* name) {
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? traced_text(*found) : std::string{};
}

uint64_t count_member(const Json& object, const char* name) {
  auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

bool is_aggregation(const Json& item) { return item.is_object() && item.contains("aggregation-name"); }

// Removes the aggregations of printa(), which have been added up, from a row. False if it had nothing else.
bool remove_aggregations(Json& row) {
  Json& output = row["output"];
  Json rest = Json::array();
  for (Json& item : output)
    if (!is_aggregation(item)) rest.push_back(std::move(item));
  bool had_only_aggregations = rest.empty() && !output.empty();
  output = std::move(rest);
  return !had_only_aggregations;
}

}  // namespace

// A result ends with its exit line: further lines of the machine start another one.
MergedResults::ResultState& MergedResults::result_of(std::string_view stream, const std::string& machine) {
  auto [found, is_new] = current_.try_emplace({std::string{stream}, machine});
  if (is_new || results_[found->second].has_end) {
    std::string name = machine.empty() ? std::string{stream} : machine;
    if (size_t number = ++names_[name]; number > 1) name += fmt::format(" ({})", number);
    found->second = results_.size();
    results_.push_back({.name = std::move(name)});
  }
  return results_[found->second];
}

void MergedResults::read(std::istream& stream, std::string_view name) {
  LeftOut left_out;
  size_t number = 0, events = 0;
  for (std::string text; std::getline(stream, text);) {
    ++number;
    ResultLine line = read_result_line(text);
    switch (line.kind) {
      case LineKind::Event:
        ++events;
        add_event(result_of(name, line.machine), std::move(line.event));
        break;
      case LineKind::Damaged:
        if (left_out.damaged++ == 0) left_out.first_damaged = number;
        break;
      case LineKind::Foreign:
        if (text.empty()) break;
        if (left_out.foreign++ == 0) left_out.first_foreign = text.substr(0, 60);
        break;
    }
  }
  if (stream.bad()) add_problem(fmt::format("{} cannot be read to its end", name));
  if (events == 0) add_problem(fmt::format("{} has no result of --format=json", name));
  report(left_out, name);
}

void MergedResults::add_problem(std::string message) {
  is_incomplete_ = true;
  messages_.push_back(std::move(message));
}

void MergedResults::report(const LeftOut& lines, std::string_view name) {
  if (lines.damaged > 0)
    add_problem(fmt::format("{} has {}, which {} left out: line {} is cut off", name,
                            counted(lines.damaged, "damaged line"), lines.damaged == 1 ? "is" : "are",
                            lines.first_damaged));
  if (lines.foreign > 0)
    messages_.push_back(fmt::format("{} has {} of other output: `{}`{}", name, counted(lines.foreign, "line"),
                                    visible_line(lines.first_foreign), lines.foreign > 1 ? " ..." : ""));
}

void MergedResults::add_event(ResultState& result, Json event) {
  const std::string type = event["type"].get<std::string>();
  if (type == "aggregation") {
    add_aggregation(result, event);
  } else if (type == "row") {
    add_row(result, std::move(event));
  } else if (type == "exit") {
    result.has_end = true;
    uint64_t status = std::min<uint64_t>(count_member(event, "status"), 255);
    highest_status_ = std::max(highest_status_, static_cast<int>(status));
  } else {
    add_loss(result, std::move(event));
  }
}

void MergedResults::add_row(ResultState& result, Json event) {
  auto output = event.find("output");
  if (output == event.end() || !output->is_array())
    return add_problem(fmt::format("{} has a row without output, which is left out", result.name));
  for (const Json& item : *output)
    if (is_aggregation(item)) add_aggregation(result, item);
  if (!remove_aggregations(event)) return;
  // The result of another merge names the machine itself.
  std::string name = text_member(event, "input");
  auto timestamp = event["timestamp"].get<int64_t>();
  rows_.push_back(
      {.timestamp = timestamp, .result = name.empty() ? result.name : std::move(name), .event = std::move(event)});
}

void MergedResults::add_loss(ResultState& result, Json event) {
  if (event["type"] == "fault") {
    if (result.faults++ == 0) result.first_fault = text_member(event, "fault");
  } else {
    result.drops[text_member(event, "kind")] += count_member(event, "count");
  }
  std::string name = text_member(event, "input");
  auto timestamp = event["timestamp"].get<int64_t>();
  losses_.push_back(
      {.timestamp = timestamp, .result = name.empty() ? result.name : std::move(name), .event = std::move(event)});
}

// The last snapshot of a result counts: an earlier one is part of it.
void MergedResults::add_aggregation(ResultState& result, const Json& item) {
  Result<AggregationPart> part = parse_aggregation(item);
  if (!part) {
    if (first_refusal_) first_refusal_ = fail(std::move(part).error().with_context(result.name));
    return;
  }
  auto earlier =
      std::ranges::find(result.parts, part->plan.name, [](const AggregationPart& known) { return known.plan.name; });
  if (earlier == result.parts.end()) result.parts.push_back(std::move(*part));
  else *earlier = std::move(*part);
}

void MergedResults::report_end(const ResultState& result) {
  for (const auto& [kind, count] : result.drops)
    messages_.push_back(fmt::format("merged: {} in {}", counted(count, name_of_drop(kind)), result.name));
  if (result.faults > 0)
    messages_.push_back(
        fmt::format("merged: {} in {}: {}", counted(result.faults, "fault"), result.name, result.first_fault));
  if (!result.has_end)
    add_problem(fmt::format("{} has no end: the run was killed, or its output was cut off", result.name));
}

Result<> MergedResults::finish() {
  DS_TRY_VOID(std::move(first_refusal_));
  for (ResultState& result : results_) {
    DS_TRY_VOID(aggregations_.add(result.parts, result.name));
    result.parts.clear();
    report_end(result);
  }
  std::ranges::stable_sort(rows_, {}, &MergedRow::timestamp);
  return {};
}

int MergedResults::exit_status() const { return std::max(highest_status_, is_incomplete_ ? 1 : 0); }

}  // namespace dscope
