// ProbeIndex: the names of all probes of a machine, for completion and counts. 16 bytes per probe and one copy of each
// different name: 140,000 probes take a few megabytes, and a query a few milliseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/host.h"

namespace dscope {

// The four fields of a description, in their order.
enum class ProbeField : uint8_t { Provider, Module, Function, Name };

// The fields of a description that is being typed. An empty field matches everything, others are glob patterns.
struct ProbeFields {
  std::string_view field[4];
};

class ProbeIndex {
 public:
  ProbeIndex() = default;
  // Asks the host for all its probes.
  explicit ProbeIndex(Host& host);

  struct Value {
    std::string_view text;
    uint32_t probe_count = 0;
  };
  struct Values {
    std::vector<Value> values;  // sorted by text
    bool is_complete = true;    // false: there are more than the limit
  };
  // The values of `field`, with the prefix `prefix`, of the probes that match the other fields; at most `limit`.
  Values complete(const ProbeFields& fields, ProbeField field, std::string_view prefix, size_t limit) const;

  struct Matches {
    size_t count = 0;
    std::vector<std::string> examples;  // the first names, provider:module:function:name
  };
  Matches match(const ProbeFields& fields, size_t max_examples) const;

  bool has_provider(std::string_view name) const;
  size_t size() const { return probes_.size(); }
  void add(std::string_view provider, std::string_view module, std::string_view function, std::string_view name);

 private:
  struct Row {
    uint32_t field[4];  // indexes into names_
  };
  // For each name: whether it matches the pattern.
  std::vector<bool> matching_names(std::string_view pattern) const;
  template <typename Visit>
  void for_each_match(const ProbeFields& fields, Visit visit) const;
  uint32_t intern(std::string_view name);

  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<Row> probes_;
};

}  // namespace dscope
