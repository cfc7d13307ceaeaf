#include "runtime/aggregations/distribution.h"

#include <algorithm>
#include <cmath>

#include "runtime/output/append_text.h"

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

}  // namespace

void append_distribution(std::string& out, const std::vector<DistributionLine>& lines, uint64_t normal) {
  out += "\n           value  ------------- Distribution ------------- count    \n";
  Signs signs = signs_of(lines);
  long double scale = signs == Signs::Both ? 20 : 40;
  long double total = 0;
  for (const DistributionLine& line : lines) total += magnitude(line.count);
  for (const DistributionLine& line : lines) {
    long double length = total == 0 ? 0 : std::floor(magnitude(line.count) * scale / total + 0.5L);
    append_right(out, line.label, 16);
    out += ' ';
    append_bar(out, signs, line.count <= 0, static_cast<size_t>(length));
    out += ' ';
    fmt::format_int count(normalized(line.count, normal));
    append_left(out, {count.data(), count.size()}, 9);
    out += '\n';
  }
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

}  // namespace dscope
