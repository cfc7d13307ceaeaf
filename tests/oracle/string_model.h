// Models of the string subroutines in consumer-and-actions.md 7, on std::string. Written independently of the support
// library that they are compared with. They ignore strsize: the caller truncates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dscope::oracle {

constexpr int64_t no_start = INT64_MIN;  // of index and rindex

std::string substr_of(const std::string& text, int64_t index, int64_t count);
int64_t index_of(const std::string& text, const std::string& part, int64_t start);
int64_t rindex_of(const std::string& text, const std::string& part, int64_t start);
std::optional<std::string> strchr_of(const std::string& text, char character);
std::optional<std::string> strrchr_of(const std::string& text, char character);
std::optional<std::string> strstr_of(const std::string& text, const std::string& part);
std::string basename_of(const std::string& path);
std::string dirname_of(const std::string& path);
// A key of an aggregation as it is printed: characters that end a line are visible.
std::string key_text(const std::string& text);

}  // namespace dscope::oracle
