// KeyLayout: the keys of merged elements as the bytes and fields that AggregationSet prints.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/merge/merged_aggregations.h"
#include "runtime/format/symbolizer.h"

namespace dscope {

// A Symbolizer for texts that other machines have resolved: each text has a number that stands for its address.
class ResolvedSymbols final : public Symbolizer {
 public:
  // Returns the number of a text, not 0. `without_offset` is the text of a folded stack. `address` is the number of a
  // new text unless it is 0 or the number of another text, so that keys of equal value are sorted as in a run.
  uint64_t number_of(const std::string& text, const std::string& without_offset, uint64_t address);

  std::string kernel_symbol(uint64_t number, bool with_offset) override { return text_of(number, with_offset); }
  std::string kernel_module(uint64_t number) override { return text_of(number, true); }
  std::string user_symbol(uint32_t, uint64_t number, bool with_offset) override { return text_of(number, with_offset); }
  std::string user_module(uint32_t, uint64_t number) override { return text_of(number, true); }
  uint64_t kernel_symbol_start(uint64_t number) override { return number; }
  uint64_t kernel_module_start(uint64_t number) override { return number; }
  uint64_t user_symbol_start(uint32_t, uint64_t number) override { return number; }
  uint64_t user_module_start(uint32_t, uint64_t number) override { return number; }
  bool is_tracer_frame(uint64_t) override { return false; }

 private:
  struct Texts {
    std::string text, without_offset;
  };

  std::string text_of(uint64_t number, bool with_offset) const;

  std::map<std::pair<std::string, std::string>, uint64_t> numbers_;  // by text, with and without its offset
  std::unordered_map<uint64_t, Texts> texts_;
  uint64_t next_ = 1;
};

struct KeyLayout {
  std::vector<Field> fields;                 // AggregationPlan::keys
  uint32_t key_size = 0;                     // bytes, a multiple of 8
  std::vector<std::vector<std::byte>> keys;  // by element
};

// Lays out all keys of an aggregation. Adds the texts of its symbols and frames to `symbols`.
KeyLayout lay_out_keys(const MergedAggregation& aggregation, ResolvedSymbols& symbols);

}  // namespace dscope
