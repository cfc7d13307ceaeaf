#include "pictures/profile/picture_text.h"

#include <algorithm>
#include <chrono>

#include "catalog/catalog.h"
#include "support/format.h"
#include "support/text/format_join.h"
#include "support/text/utf8.h"
#include "support/text/visible_text.h"

namespace dscope {

std::string aggregation_title(const PictureAggregation& info) {
  std::string title = "@";
  if (info.name != "_") title += info.name;
  if (!info.keys.empty()) title += fmt::format("[{}]", fmt::join(info.keys, ", "));
  return visible_line(fmt::format("{}: {}", title, row(info.function).name));
}

std::string keys_text(const std::vector<PictureKey>& keys) {
  if (keys.empty()) return "(no key)";
  std::string text;
  for (const PictureKey& key : keys) {
    if (&key != &keys.front()) text += ", ";
    if (key.kind != KeyKind::Stack) text += key.text;
    else text += key.frames.empty() ? "(empty stack)" : key.frames.front().text;
  }
  return visible_line(text);
}

std::string grouped_number(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string grouped_number(int64_t number) {
  if (number >= 0) return grouped_number(static_cast<uint64_t>(number));
  return "-" + grouped_number(0 - static_cast<uint64_t>(number));
}

std::string number_text(const PictureAggregation& info, int64_t number) {
  return info.is_unsigned ? grouped_number(static_cast<uint64_t>(number)) : grouped_number(number);
}

std::string percent_text(double share) { return fmt::format("{:.{}f} %", share * 100, share < 0.001 ? 3 : 1); }

std::string shortened(std::string_view text, size_t max_characters) {
  std::string out;
  std::string_view rest = text;
  for (size_t count = 0, last = 0; !rest.empty(); ++count) {
    if (count == max_characters) return out.substr(0, last) + "…";
    last = out.size();
    size_t length = std::max<size_t>(first_character(rest).length, 1);
    out += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return out;
}

std::string duration_text(int64_t nanoseconds) {
  constexpr int64_t second = 1'000'000'000;
  if (nanoseconds == 0) return "0 s";
  if (nanoseconds < 1'000'000) return fmt::format("{} µs", nanoseconds / 1000);
  if (nanoseconds < second) return fmt::format("{} ms", nanoseconds / 1'000'000);
  if (nanoseconds < 60 * second) return fmt::format("{:.2f} s", static_cast<double>(nanoseconds) / second);
  return fmt::format("{} min {} s", nanoseconds / (60 * second), nanoseconds / second % 60);
}

std::string time_text(int64_t nanoseconds_since_1970) {
  using namespace std::chrono;
  sys_time<nanoseconds> time{nanoseconds{nanoseconds_since_1970}};
  auto day = floor<days>(time);
  year_month_day date{day};
  hh_mm_ss clock{floor<seconds>(time - day)};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace dscope
