// PerFunction: the part of a lowerer's state that belongs to the function being emitted. Emission may switch to another
// function and back at any time (Functions::in_function), so each function has its own value.
#pragma once

#include <unordered_map>

#include "codegen/core/bpf_builder.h"

namespace dscope {

template <typename T>
class PerFunction {
 public:
  explicit PerFunction(BpfBuilder& builder) : builder_(builder) {}
  T& operator*() { return values_[builder_.function()]; }
  T* operator->() { return &**this; }

 private:
  BpfBuilder& builder_;
  std::unordered_map<const llvm::Function*, T> values_;
};

}  // namespace dscope
