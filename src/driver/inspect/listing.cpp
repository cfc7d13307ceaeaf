#include "driver/inspect/listing.h"

#include <algorithm>
#include <optional>

#include "driver/inspect/stability_report.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

Listing::Listing(Host& host, TypeTable& types, std::string_view program_name, ListingForm form)
    : host_(host), types_(types), program_name_(program_name), form_(form) {
  if (form_.detail == ListingForm::Detail::Signatures) form_.fits_columns = false;
  else if (!form_.fits_columns) append_titles();
}

void Listing::append_titles() { append_row("ID", "PROVIDER", "MODULE", "FUNCTION", "NAME"); }

void Listing::append_row(std::string_view id, std::string_view provider, std::string_view module,
                         std::string_view function, std::string_view name) {
  text_ += fmt::format("{:>{}} {:>{}} {:>{}} {:>{}} {}\n", id, widths_[0], provider, widths_[1], module, widths_[2],
                       function, widths_[3], name);
}

void Listing::append_probe(const Probe& probe) {
  append_row(fmt::format("{}", probe.id), visible_line(probe.provider), visible_line(probe.module),
             visible_line(probe.function), visible_line(probe.name));
}

// Prints the rows in columns that are as wide as the titles and texts, up to the default widths.
void Listing::fit_columns() {
  widths_ = {std::string_view{"ID"}.size(), std::string_view{"PROVIDER"}.size(), std::string_view{"MODULE"}.size(),
             std::string_view{"FUNCTION"}.size()};
  for (const Row& row : rows_) {
    const size_t sizes[] = {fmt::formatted_size("{}", row.probe->id), visible_line(row.probe->provider).size(),
                            visible_line(row.probe->module).size(), visible_line(row.probe->function).size()};
    for (size_t i = 0; i < widths_.size(); ++i)
      widths_[i] = std::max(widths_[i], std::min(sizes[i], default_widths[i]));
  }
  append_titles();
  for (const Row& row : rows_) {
    append_probe(*row.probe);
    text_ += row.details;
  }
  rows_.clear();
}

void Listing::add_all() {
  ProbeDescription all;
  all.dialect = form_.dialect;
  all.is_for_listing = true;
  add_matches(host_.match(all), false);
  add_absent(all);
}

void Listing::add_program(std::span<const ProbeDescription> descriptions) {
  std::optional<std::string> previous;
  for (const ProbeDescription& description : descriptions) {
    std::string spelled = to_string(description);
    if (!description.id && spelled == previous) continue;
    std::vector<const Probe*> probes = host_.match(description);
    if (probes.empty()) add_failure(description);
    add_matches(probes, description.id || !description.provider.empty());
    add_absent(description);
    previous = std::move(spelled);
  }
}

void Listing::add_failure(const ProbeDescription& description) {
  messages_ += fmt::format("{}: failed to match {}: No probe matches description\n", program_name_,
                           visible_line(to_string(description)));
  std::string reason = form_.has_hints ? host_.why_missing(description) : "";
  if (!reason.empty()) messages_ += fmt::format("{}: {}\n", program_name_, reason);
}

// Lists the probes that this kernel cannot fire, with the reasons.
void Listing::add_absent(const ProbeDescription& description) {
  if (!form_.shows_hooks) return;
  for (const std::string& reason : host_.absent(description))
    messages_ += fmt::format("{}: unavailable: {}\n", program_name_, reason);
}

void Listing::add_matches(const std::vector<const Probe*>& probes, bool names_provider) {
  for (const Probe* probe : probes) {
    if (!probe->is_available && !names_provider && !form_.lists_unavailable) {
      ++unavailable_[probe->provider];
      continue;
    }
    if (form_.detail == ListingForm::Detail::Signatures)
      text_ += signature_report(host_, types_, *probe, form_.defined);
    else if (form_.fits_columns) rows_.push_back({.probe = probe, .details = ""});
    else append_probe(*probe);
    std::string& details = form_.fits_columns ? rows_.back().details : text_;
    if (form_.detail == ListingForm::Detail::Reports) details += probe_report(host_, types_, *probe, form_.defined);
    if (form_.detail != ListingForm::Detail::Names && form_.shows_hooks) details += origin_report(*probe);
  }
}

void Listing::finish() {
  if (form_.fits_columns) fit_columns();
  if (unavailable_.empty() || !form_.has_hints) return;
  size_t count = 0;
  for (const auto& [provider, probes] : unavailable_) count += probes;
  auto largest = std::ranges::max_element(unavailable_, {}, [](const auto& each) { return each.second; });
  messages_ += fmt::format("{}: {} probe{} that cannot fire here {} hidden; to list: -l -P {}\n", program_name_, count,
                           count == 1 ? "" : "s", count == 1 ? "is" : "are", largest->first);
}

}  // namespace dscope
