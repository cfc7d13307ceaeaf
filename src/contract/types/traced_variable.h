// TracedVariable: a variable of a traced program that is in scope at a probe, and the places that hold its value
// there. Plain data that the Host creates from debug information and codegen turns into reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/types/type.h"

namespace dscope {

// An operation on a stack of 64-bit numbers. Registers, frame bases and addresses of the file are already resolved, so
// that a program which has just stopped at the probe can execute it.
enum class LocationOperation : uint8_t {
  Constant,       // pushes `number`
  Register,       // pushes the register at byte `number` of struct pt_regs
  ThreadPointer,  // pushes the address of the thread's control block
  Load,           // replaces the address on top by the `number` bytes of user memory there, zero-extended
  Pick,           // pushes a copy of the entry `number` below the top
  Drop,
  Swap,
  Rotate,  // moves the top below the next two
  ZeroExtend,
  SignExtend,  // extend the lowest `number` bytes of the top
  Negate,
  Not,
  Add,
  Subtract,
  Multiply,
  Divide,  // signed
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  Equal,
  NotEqual,
  Less,  // signed
  LessEqual,
  Greater,
  GreaterEqual,
  Require,  // pops a number; if it is 0, the variable cannot be read
};

struct LocationStep {
  LocationOperation operation{};
  int64_t number = 0;
  bool operator==(const LocationStep&) const = default;
};

// A run of the variable's bytes.
struct LocationPart {
  enum class Kind : uint8_t {
    Memory,  // the steps compute the address
    Value,   // the steps compute the bytes, at most 8
  } kind{};
  uint32_t size = 0;  // bytes; 0: all bytes of the variable
  std::vector<LocationStep> steps;
  bool operator==(const LocationPart&) const = default;
};

// Where a variable is at one instruction.
struct VariablePlace {
  std::vector<LocationPart> parts;  // in the order of their bytes
  std::string problem;              // why the variable cannot be read there, if `parts` is empty
  bool is_readable() const { return !parts.empty(); }
  bool is_memory() const { return parts.size() == 1 && parts[0].kind == LocationPart::Kind::Memory; }
  bool operator==(const VariablePlace&) const = default;
};

// Host::find_variable() has the number of the goroutine that fires a probe under this name, which no variable of a
// program can have. Programs that are not written in Go have none; where it cannot be read, its place states why.
inline constexpr std::string_view goroutine_number = "(goroutine)";

struct TracedVariable {
  std::string name;
  std::string type_text;  // C spelling
  TypeId type;            // in the TypeTable passed to Host::load_variables
  bool is_parameter = false;
  bool is_global = false;             // defined outside functions
  std::vector<VariablePlace> places;  // parallel to Probe::sites; a single one for a probe without sites

  bool is_readable() const {
    for (const VariablePlace& place : places)
      if (place.is_readable()) return true;
    return false;
  }
  // Whether it lies in memory wherever it can be read.
  bool is_in_memory() const {
    for (const VariablePlace& place : places)
      if (place.is_readable() && !place.is_memory()) return false;
    return true;
  }
};

}  // namespace dscope
