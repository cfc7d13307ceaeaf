// Prints the table and the JSON lines.
#include "figure.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "machine.h"

namespace dscope::bench {

namespace {

std::string number(double value) {
  if (value >= 10000) return fmt::format("{:.0f}", value);
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.{}f}", value, value >= 10 ? 1 : 2);
}

// The median, marked with "~" if half of the measurements lie more than a fifth apart.
std::string cell(const Samples& samples) {
  if (samples.empty()) return "-";
  return fmt::format("{}{}", noise(samples) > 0.1 ? "~" : "", number(median(samples)));
}

std::string ratio(const Figure& figure, Peer peer) {
  const double divisor = median(figure.of(peer));
  if (figure.of(peer).empty() || figure.of(Peer::Ours).empty() || divisor <= 0) return "-";
  return fmt::format("{:.2f}", median(figure.of(Peer::Ours)) / divisor);
}

std::string budget_text(const Figure& figure) {
  if (!figure.budget) return "";
  switch (figure.budget->limit) {
    case Limit::AtMost: return fmt::format("<= {:g}", figure.budget->value);
    case Limit::AtLeast: return fmt::format(">= {:g}", figure.budget->value);
    case Limit::TimesHand: return fmt::format("<= {:g} x hand", figure.budget->value);
    case Limit::TimesBpftrace: return fmt::format("<= {:g} x bpftrace", figure.budget->value);
  }
  return "";
}

std::string column_title(Peer peer) { return peer == Peer::Hand ? "hand-written" : std::string(peer_name(peer)); }
std::string short_title(Peer peer) { return peer == Peer::Hand ? "hand" : std::string(peer_name(peer)); }

bool within(double ours, const Samples& peer, double times) { return ours <= median(peer) * times; }

}  // namespace

std::string_view peer_name(Peer peer) {
  switch (peer) {
    case Peer::Ours: return "dscope";
    case Peer::Hand: return "the hand-written program";
    case Peer::Bpftrace: return "bpftrace";
    case Peer::Perf: return "perf";
    case Peer::Sysdig: return "sysdig";
  }
  return "";
}

std::string_view verdict(const Figure& figure) {
  if (!figure.budget || figure.of(Peer::Ours).empty()) return "";
  const double ours = median(figure.of(Peer::Ours));
  const auto [limit, value] = *figure.budget;
  if (limit == Limit::TimesHand && figure.of(Peer::Hand).empty()) return "";
  if (limit == Limit::TimesBpftrace && figure.of(Peer::Bpftrace).empty()) return "";
  const bool kept = limit == Limit::AtMost      ? ours <= value
                    : limit == Limit::AtLeast   ? ours >= value
                    : limit == Limit::TimesHand ? within(ours, figure.of(Peer::Hand), value)
                                                : within(ours, figure.of(Peer::Bpftrace), value);
  return kept ? "ok" : "MISSED";
}

void print_table(const Report& report) {
  constexpr auto row = "{:<58} {:>6} {:>9} {:>12} {:>9} {:>7} {:>9}  {:<16} {}\n";
  fmt::print("{}\n", machine_text());
  const Figure* before = nullptr;
  for (const Figure& figure : report.figures) {
    const auto [first, second] = figure.others;
    if (before == nullptr || before->others != figure.others)
      fmt::print("\n{}", fmt::format(row, "measurement (medians; ~ noisy)", "unit", "ours", column_title(first),
                                     column_title(second), "/" + short_title(first), "/" + short_title(second),
                                     "budget", "ok?"));
    before = &figure;
    fmt::print(row, figure.label, figure.unit, cell(figure.of(Peer::Ours)), cell(figure.of(first)),
               cell(figure.of(second)), ratio(figure, first), ratio(figure, second), budget_text(figure),
               verdict(figure));
  }
  for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
}

void print_json(const Report& report) {
  constexpr std::array names = {"ours", "hand_written", "bpftrace", "perf", "sysdig"};
  static_assert(names.size() == peer_count);
  fmt::print("{}\n", nlohmann::json{{"machine", machine_text()}}.dump());
  for (const Figure& figure : report.figures) {
    nlohmann::json line = {{"what", figure.label}, {"unit", figure.unit}};
    for (size_t i = 0; i < names.size(); i++) {
      const Samples& samples = figure.samples[i];
      if (samples.empty()) continue;
      line[names[i]] = {{"median", median(samples)},
                        {"quartiles", {quantile(samples, 0.25), quantile(samples, 0.75)}},
                        {"lowest", quantile(samples, 0)},
                        {"samples", samples}};
    }
    if (figure.budget) line["budget"] = budget_text(figure);
    if (!verdict(figure).empty()) line["ok"] = verdict(figure) == "ok";
    fmt::print("{}\n", line.dump());
  }
  for (const std::string& note : report.notes) fmt::print("{}\n", nlohmann::json{{"note", note}}.dump());
}

}  // namespace dscope::bench
