// check(): resolves and types a parsed program (phases P2 definitions, P4 of d-language.md 0). Units are checked in
// order into one name space; the first mistake is reported and checking stops.
#pragma once

#include "catalog/option_values.h"
#include "contract/header_types.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast.h"
#include "support/diagnostic.h"

namespace dscope {

// program: all units parsed without error. options: after all pragmas. The Semantics is usable only if `diagnostics`
// has no error. `unmatched_allowed` is option zdefs: descriptions matching nothing give an instance without probes
// (typed leniently) instead of D_PDESC_ZERO.
// headers: the C headers of the programs, or null. With a target, %A takes any address.
Semantics check(const Program& program, Host& host, const OptionValues& options, Diagnostics& diagnostics,
                HeaderTypes* headers = nullptr, TargetProcess target = TargetProcess::None);

}  // namespace dscope
