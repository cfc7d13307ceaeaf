#include "runtime/providers/process/goroutines.h"

#include "arch/go_functions.h"
#include "support/text/parse_integer.h"

namespace dscope {

namespace {

struct Layout {
  uint32_t first, last;  // minor versions
  uint64_t goid;
};
// 1.23 added a word before it.
constexpr Layout layouts[] = {{18, 22, 152}, {23, 24, 160}};

}  // namespace

bool has_go_convention(std::string_view function) {
  return function.find('.') != std::string_view::npos && !function.ends_with(".abi0");
}

std::optional<uint64_t> goid_offset(std::string_view version) {
  constexpr std::string_view major = "go1.";
  if (!version.starts_with(major)) return std::nullopt;
  std::string_view minor = version.substr(major.size());
  minor = minor.substr(0, minor.find_first_not_of("0123456789"));
  auto number = parse_integer<uint32_t>(minor);
  for (const Layout& layout : layouts)
    if (number && *number >= layout.first && *number <= layout.last) return layout.goid;
  return std::nullopt;
}

VariablePlace goid_place(uint64_t offset) {
  const Architecture& machine = native_architecture();
  LocationPart part{.kind = LocationPart::Kind::Memory,
                    .steps = {{LocationOperation::Register, go_goroutine_register(machine)},
                              {LocationOperation::Constant, static_cast<int64_t>(offset)},
                              {LocationOperation::Add}}};
  return {.parts = {std::move(part)}, .problem = {}};
}

}  // namespace dscope
