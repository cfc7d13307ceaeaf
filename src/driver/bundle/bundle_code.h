// BundleCode: the code of a bundle, completed for this machine.
#pragma once

#include "archive/portable_bundle.h"
#include "driver/compile/code_source.h"

namespace dscope {

class BundleCode : public CodeSource {
 public:
  // `bundle` must outlive the result.
  explicit BundleCode(const PortableBundle& bundle) : bundle_(bundle) {}
  // Fails if the bundle has no code for the shape of this machine, and names the first difference.
  Result<GeneratedCode> generate(const Compilation& compilation, CodeForm form) override;

 private:
  const PortableBundle& bundle_;
};

// Completes code for the machine of the compilation, whose shape must be the code's. Fails if a fixed value differs.
Result<BpfObject> bind_code(const BundledCode& code, const Compilation& compilation);

}  // namespace dscope
