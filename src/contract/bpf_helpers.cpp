#include "contract/bpf_helpers.h"

#include "support/format.h"

namespace dscope {

namespace {

constexpr BpfHelperRow rows[] = {
#define DS_BPF_HELPER(number, name, ns) {number, #name, ns},
#include "contract/bpf_helpers.def"
#undef DS_BPF_HELPER
};

}  // namespace

const BpfHelperRow* find_bpf_helper(uint32_t number) {
  for (const BpfHelperRow& row : rows)
    if (row.number == number) return &row;
  return nullptr;
}

std::string bpf_helper_name(uint32_t number) {
  const BpfHelperRow* row = find_bpf_helper(number);
  return row != nullptr ? std::string(row->name) : fmt::format("helper {}", number);
}

}  // namespace dscope
