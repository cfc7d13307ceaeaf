#include "pictures/report/report_writer.h"

#include <cstdint>
#include <string_view>

#include "pictures/gzip.h"
#include "pictures/report/page_text.h"
#include "pictures/report/report_json.h"

namespace dscope {

namespace {

void append_base64(std::string& out, std::string_view bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  auto byte = [&](size_t i) { return i < bytes.size() ? uint32_t{static_cast<uint8_t>(bytes[i])} : 0U; };
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (size_t digit = 0; digit < 4; ++digit)
      out += i + digit <= bytes.size() ? digits[group >> (18 - 6 * digit) & 63] : '=';
  }
}

// The page with the data `packed`.
std::string page_with(std::string_view packed, std::string_view policy) {
  static constexpr std::string_view offline_policy = "default-src 'none'";
  std::string html{report_page_start};
  if (!policy.empty()) html.replace(html.find(offline_policy), offline_policy.size(), policy);
  append_base64(html, gzip(report_page_script, GzipEffort::Best));
  html += report_page_middle;
  append_base64(html, packed);
  html += report_page_end;
  return html;
}

}  // namespace

std::string report_html(const RunModel& model) { return page_with(gzip(report_json(model), GzipEffort::Best), {}); }

std::string live_page_html() { return page_with({}, "default-src 'none'; connect-src 'self'"); }

}  // namespace dscope
