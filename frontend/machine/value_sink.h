// ValueSink: receives the shape of a program and its machine-dependent numbers, in order.
#pragma once

#include <cstdint>
#include <string>

namespace dscope {

class ValueSink {
 public:
  virtual void line(std::string text) = 0;
  // `holder`: see MachineValues::find(). Ignores a holder that it has received before.
  virtual void value(const void* holder, std::string name, uint64_t value) = 0;
  virtual void text(const void* holder, std::string text) = 0;

 protected:
  ~ValueSink() = default;
};

}  // namespace dscope
