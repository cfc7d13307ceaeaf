#include "runtime/session/later_privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "contract/stacks/unwind_tables.h"

namespace dscope {

namespace {

bool names_kernel(const Field& field) {
  return field.kind == FieldKind::Stack || field.kind == FieldKind::KernelAddr ||
         std::ranges::any_of(field.variants, names_kernel);
}

bool starts_programs(const ClausePlan& clause) {
  return std::ranges::any_of(clause.actions, [](const ActionPlan& action) {
    return action.action == Action::Pcap || action.action == Action::Cat || action.action == Action::System;
  });
}

bool prints_address(const FormatPlan& format) {
  return std::ranges::any_of(
      format.pieces, [](const FormatPiece& piece) { return piece.conversion == 'a' || piece.conversion == 'A'; });
}

}  // namespace

bool names_kernel_addresses(const ProgramPlan& plan) {
  bool is_printed = std::ranges::any_of(plan.clauses, [](const ClausePlan& clause) {
    return std::ranges::any_of(
        clause.actions, [](const ActionPlan& action) { return std::ranges::any_of(action.fields, names_kernel); });
  });
  return is_printed || std::ranges::any_of(plan.formats, prints_address) ||
         std::ranges::any_of(plan.aggregations, [](const AggregationPlan& aggregation) {
           return std::ranges::any_of(aggregation.keys, names_kernel);
         });
}

bool needs_privileges_later(const ProgramPlan& plan, const SessionOptions& options, const Targets& targets) {
  bool attaches_later = options.extend_by_file || options.modules != nullptr || !targets.pids().empty() ||
                        (options.awaits_probes && options.awaits_probes()) || plan.options.is_set(OptionId::Cpubudget);
  bool reads_processes = names_user_addresses(plan) || has_unwind_tables(plan);
  return attaches_later || reads_processes || plan.is_destructive || plan.options.is_on(OptionId::Destructive) ||
         std::ranges::any_of(plan.clauses, starts_programs);
}

bool drop_capabilities() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct none[2] = {};
  return ::syscall(SYS_capset, &header, none) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

}  // namespace dscope
