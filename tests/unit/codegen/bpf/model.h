// Reference models of the support library, written for clarity from the definitions of D on std::string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dscope::model {

int order(const std::string& left, const std::string& right);
std::string substr(const std::string& text, int64_t index, std::optional<int64_t> count);
int64_t index_of(const std::string& text, const std::string& needle, int64_t start);
int64_t last_index_of(const std::string& text, const std::string& needle, std::optional<int64_t> start);
std::string basename(const std::string& path);
std::string dirname(const std::string& path);
std::string cleanpath(const std::string& path);
std::vector<std::string> tokens(const std::string& text, const std::string& delimiters);
// The value at the path in a JSON text that is well formed up to there; empty if the path does not exist.
std::optional<std::string> json(const std::string& text, const std::vector<std::string>& path);
std::string lltostr(int64_t value, unsigned base);
int64_t strtoll(const std::string& text, unsigned base);

uint64_t quantize_bucket(int64_t value);
uint64_t lquantize_bucket(int64_t value, int64_t base, uint64_t levels, uint64_t step);

struct LlquantizeShape {
  uint64_t factor, low, high, steps;
  uint64_t bins() const { return (high - low + 1) * (steps - steps / factor); }
};
uint64_t llquantize_bucket(int64_t value, const LlquantizeShape& shape);

}  // namespace dscope::model
