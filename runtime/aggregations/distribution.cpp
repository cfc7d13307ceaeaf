#include "runtime/aggregations/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/format/append_text.h"

namespace dscope {

namespace {

enum class Signs : uint8_t { NonNegative, NonPositive, Both };

Signs signs_of(const std::vector<DistributionLine>& lines) {
  bool has_negative = std::any_of(lines.begin(), lines.end(), [](auto& line) { return line.count < 0; });
  bool has_positive = std::any_of(lines.begin(), lines.end(), [](auto& line) { return line.count > 0; });
  return !has_negative ? Signs::NonNegative : has_positive ? Signs::Both : Signs::NonPositive;
}

long double magnitude(int64_t count) { return std::fabs(static_cast<long double>(count)); }

void append_bar(std::string& out, Signs signs, bool is_negative, size_t length) {
  size_t room = signs == Signs::Both ? 20 : 40;
  length = std::min(length, room);
  bool grows_left = signs == Signs::NonPositive || (signs == Signs::Both && is_negative);
  if (grows_left) {
    append_blanks(out, room - length);
    out.append(length, '@');
    out += '|';
    if (signs == Signs::Both) append_blanks(out, room);
  } else {
    if (signs == Signs::Both) append_blanks(out, room);
    out += '|';
    out.append(length, '@');
    append_blanks(out, room - length);
  }
}

// The count that a full-length bar stands for.
long double full_bar_count(const std::vector<DistributionLine>& lines, bool is_zoomed) {
  long double total = 0, longest = 0;
  for (const DistributionLine& line : lines) {
    total += magnitude(line.count);
    longest = std::max(longest, magnitude(line.count));
  }
  return is_zoomed ? longest / 0.95L : total;
}

void append_table(std::string& out, const std::vector<DistributionLine>& lines, uint64_t normal,
                  long double full_count) {
  out += "\n           value  ------------- Distribution ------------- count    \n";
  Signs signs = signs_of(lines);
  long double scale = signs == Signs::Both ? 20 : 40;
  for (const DistributionLine& line : lines) {
    long double length = full_count == 0 ? 0 : std::floor(magnitude(line.count) * scale / full_count + 0.5L);
    append_right(out, line.label, 16);
    out += ' ';
    append_bar(out, signs, line.count <= 0, static_cast<size_t>(length));
    out += ' ';
    fmt::format_int count(normalized(line.count, normal));
    append_left(out, {count.data(), count.size()}, 9);
    out += '\n';
  }
}

// One bucket of the packed form: a character of eight heights, or a blank for a count of 0.
void append_packed_bucket(std::string& out, int64_t count, long double full_count, bool is_utf8) {
  static constexpr const char* blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (count == 0 || full_count == 0) {
    out += ' ';
    return;
  }
  auto height = static_cast<size_t>(std::min(magnitude(count) * 8 / full_count, 7.0L));
  if (count < 0) out += "vvvvvvVV"[height];
  else if (is_utf8) out += blocks[height];
  else out += "__xxxxXX"[height];
}

void append_packed(std::string& out, const std::vector<DistributionLine>& lines, uint64_t normal,
                   long double full_count, bool is_utf8) {
  int64_t total = 0;
  for (const DistributionLine& line : lines) total += line.count;
  out += fmt::format(" {} :", lines.empty() ? "" : lines.front().label);
  for (const DistributionLine& line : lines) append_packed_bucket(out, line.count, full_count, is_utf8);
  out += fmt::format(": {} | {}", lines.empty() ? "" : lines.back().label, normalized(total, normal));
}

}  // namespace

void append_distribution(std::string& out, const std::vector<DistributionLine>& lines, uint64_t normal,
                         DistributionStyle style) {
  long double full_count = full_bar_count(lines, style.is_zoomed);
  if (style.is_packed) append_packed(out, lines, normal, full_count, style.is_utf8);
  else append_table(out, lines, normal, full_count);
}

void append_share_bar(std::string& out, long double share) {
  append_bar(out, Signs::NonNegative, false, static_cast<size_t>(std::floor(share * 40 + 0.5L)));
}

std::optional<BucketRange> printed_range(AggregationWords counts) {
  auto is_used = [](int64_t count) { return count != 0; };
  auto first = std::find_if(counts.begin(), counts.end(), is_used);
  if (first == counts.end()) return std::nullopt;
  auto last = std::find_if(counts.rbegin(), counts.rend(), is_used);
  auto first_index = static_cast<size_t>(first - counts.begin());
  auto last_index = counts.size() - 1 - static_cast<size_t>(last - counts.rbegin());
  return BucketRange{first_index == 0 ? 0 : first_index - 1, std::min(last_index + 1, counts.size() - 1)};
}

int64_t normalized(int64_t value, uint64_t normal) {
  if (normal > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return 0;
  return value / static_cast<int64_t>(normal);
}

}  // namespace dscope
