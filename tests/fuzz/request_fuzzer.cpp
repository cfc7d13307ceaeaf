// Headers of requests, rules of option metric, and texts of keys, which must come out as valid labels in all formats:
// clients, scripts and traced processes choose them. The first byte chooses the kind.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "metrics/family_names.h"
#include "metrics/metric_format.h"
#include "support/text/utf8.h"
#include "support/text/word_list.h"
#include "web/page_access.h"

namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    size_t length = dscope::first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::vector<dscope::MetricFamily> families(const std::string& label) {
  dscope::MetricFamily family{.name = "dscope_test", .help = label, .kind = dscope::MetricKind::Counter};
  family.points.push_back({.labels = {{.name = "key", .value = label}},
                           .value = dscope::MetricNumber::of_unsigned(7),
                           .stack = label,
                           .stack_value = dscope::MetricNumber::of_unsigned(7)});
  return {family};
}

void check_labels(const std::string& content) {
  std::string label = dscope::label_text(content);
  for (const char* accept : {"text/plain", "application/openmetrics-text"}) {
    std::string text = dscope::accepted_format(accept).text(families(label));
    bool is_whole = is_utf8(text) && text.ends_with('\n') && text.find('\0') == text.npos;
    // No label begins a line of its own.
    for (std::string_view line : dscope::parts_of(text, "\n"))
      is_whole = is_whole && (line.starts_with("# ") || line.starts_with("dscope_test"));
    if (!is_whole) std::abort();
  }
  (void)dscope::accepted_format("application/vnd.google.protobuf").text(families(label));
}

void check_access(const std::string& content) {
  static dscope::PageAccess access = *dscope::PageAccess::create();
  dscope::HttpRequest request{.method = "GET", .path = "/metrics", .query = {}, .headers = {}, .body = {}};
  for (std::string_view line : dscope::parts_of(content, "\n")) {
    size_t colon = line.find(':');
    if (colon != line.npos) request.headers[std::string{line.substr(0, colon)}] = line.substr(colon + 1);
  }
  request.query["token"] = request.header("token");
  (void)dscope::PageAccess::refusal(request);
  // Nobody guesses a secret.
  if (access.role_of(request) != dscope::PageRole::None || !access.redeem(request).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0: (void)dscope::accepted_format(content).text({}); break;
    case 1: check_access(content); break;
    case 2: (void)dscope::parse_metric_rule(content); break;
    case 3: check_labels(content); break;
  }
  return 0;
}
