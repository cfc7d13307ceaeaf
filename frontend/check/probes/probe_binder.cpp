#include "frontend/check/probes/probe_binder.h"

#include <algorithm>

#include "contract/follow.h"
#include "contract/process_provider.h"
#include "frontend/check/expressions/stability_rules.h"
#include "frontend/check/probes/derivations.h"

namespace dscope {

namespace {

bool is_of_process(const Probe* probe) {
  if (is_of_all_processes(probe->provider)) return true;
  const auto* uprobe = std::get_if<HookUprobe>(probe->sites.empty() ? &probe->hook : &probe->sites.front().hook);
  return uprobe != nullptr && uprobe->pid != 0;
}

ProbeDescription name_of(const Probe& probe) {
  return {.provider = probe.provider, .module = probe.module, .function = probe.function, .name = probe.name};
}

}  // namespace

bool ProbeBinder::bind(const Clause& clause, const ProbeSpecifier& specifier, ClauseInstance& instance) {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  ProbeDescription description = description_of(specifier);
  description.dialect = context_.semantics.dialect;
  instance.probes = host_.match(description);
  // If no probe can fire here, the clause is typed with those that cannot, so that other mistakes are reported first.
  if (std::ranges::any_of(instance.probes, &Probe::is_available))
    std::erase_if(instance.probes, [](const Probe* probe) { return !probe->is_available; });
  instance.infos.resize(clause.end_node.index - clause.first_node.index);
  instance.description = to_string(description);
  if (instance.probes.empty()) {
    if (!allows_unmatched()) report_no_probes(specifier, description);
  } else if (specifier.id) {
    instance.description = to_string(name_of(*instance.probes.front()));
  }
  for (const Probe* probe : instance.probes) derivations_.derive(*probe);
  bool are_of_process = std::ranges::any_of(instance.probes, is_of_process);
  instance.gains_probes =
      may_gain_probes(context_.options) && (are_of_process || host_.may_match_later_modules(description));
  if (!failed()) stability_.require(specifier, instance);
  return !failed();
}

void ProbeBinder::report_no_probes(const ProbeSpecifier& specifier, const ProbeDescription& description) {
  if (auto mistake = host_.mistake(description)) {
    fail(mistake->tag, specifier.at, "{}", mistake->message);
    if (!mistake->hint.empty()) diagnostics_.hint(std::move(mistake->hint));
    return;
  }
  fail(Tag::D_PDESC_ZERO, specifier.at, "probe description {} does not match any probes", to_string(description));
  std::string reason = host_.why_missing(description);
  if (!reason.empty()) diagnostics_.hint(std::move(reason));
}

// Drops probes that can be listed on this machine but cannot fire.
void ProbeBinder::drop_unavailable(const ProbeSpecifier& specifier, ClauseInstance& instance) {
  if (instance.probes.empty() || instance.probes.front()->is_available) return;
  ProbeDescription listed = name_of(*instance.probes.front());
  ProbeDescription written = specifier.id ? listed : description_of(specifier);
  instance.probes.clear();
  if (allows_unmatched()) return;
  std::string reason = host_.why_missing(written);
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  fail(Tag::D_PDESC_ZERO, specifier.at, "probe description {} does not match any probes that can fire here: {}",
       to_string(written), reason.empty() ? host_.why_missing(listed) : reason);
}

}  // namespace dscope
