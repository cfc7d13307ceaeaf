// check(): resolves and types a parsed program (phases P2 and P4 of d-language.md 0). All units share one name space
// and are checked in order. Checking stops at the first mistake.
#pragma once

#include "catalog/option_values.h"
#include "contract/types/header_types.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast.h"
#include "support/diagnostic.h"

namespace dscope {

class Host;

// program: all units parsed without error. options: after all pragmas. The Semantics is usable only if `diagnostics`
// has no error. With option zdefs, a description that matches nothing gives an instance without probes, whose args[]
// has no types, instead of D_PDESC_ZERO. headers: the C headers of the programs, or null. With a target, %A takes any
// address.
Semantics check(const Program& program, Host& host, const OptionValues& options, Diagnostics& diagnostics,
                HeaderTypes* headers = nullptr, TargetProcess target = TargetProcess::None);

}  // namespace dscope
