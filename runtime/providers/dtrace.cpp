// dtrace provider: BEGIN, END and ERROR (providers.md 2). All their arguments are 0, except those of ERROR, which the
// code that raises a fault passes directly.
#include <array>

#include "runtime/providers/provider.h"
#include "support/result.h"

namespace dscope {
namespace {

class DtraceProvider final : public Provider {
 public:
  std::string_view name() const override { return "dtrace"; }

  bool could_match(const ProbeDescription& description) const override {
    if (!field_matches(description.provider, name())) return false;
    for (std::string_view row : names)
      if (field_matches(description.name, row)) return true;
    return false;
  }

  size_t count() override { return names.size(); }
  ProbeName probe_name(size_t index) override { return {.name = names[index]}; }

  void describe(size_t index, Probe& probe) override {
    constexpr HookTestRun::Role roles[] = {HookTestRun::Role::Begin, HookTestRun::Role::End, HookTestRun::Role::Error};
    probe.hook = HookTestRun{roles[index]};
  }

 private:
  static constexpr std::array<std::string_view, 3> names = {"BEGIN", "END", "ERROR"};
};

}  // namespace

std::unique_ptr<Provider> make_dtrace_provider() { return std::make_unique<DtraceProvider>(); }

}  // namespace dscope
