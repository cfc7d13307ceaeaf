// Compatibility of types and integer arithmetic (d-language.md 3.5 and 3.6): pure functions over the type table, which
// every part of the checker uses.
#pragma once

#include <cstdint>
#include <optional>

#include "contract/types/type.h"
#include "frontend/syntax/operators.h"

namespace dscope {

// Whether both are the same type after resolving typedefs. Compares structs, unions, enums and forward declarations by
// name.
bool is_same_type(const TypeTable& types, TypeId a, TypeId b);

// Whether a value of type `actual` can initialize a variable or parameter of type `formal`. `is_zero`: the value is the
// integer constant 0, which also serves as a null pointer and a missing string.
bool is_compatible(const TypeTable& types, TypeId formal, TypeId actual, bool is_zero);

// Whether both are pointers or arrays with the same base type, or one of them points to void.
bool are_pointer_compatible(const TypeTable& types, TypeId a, TypeId b);

bool is_pointer_or_array(const TypeTable& types, TypeId id);
bool is_function(const TypeTable& types, TypeId id);
bool is_void(const TypeTable& types, TypeId id);
// Returns the type of a pointer's target or of an array's elements. `id` must be a pointer or an array.
TypeId target_of(const TypeTable& types, TypeId id);
// Turns an array into a pointer to its first element; returns other types unchanged.
TypeId decay(TypeTable& types, TypeId id);

// Returns the result type of arithmetic on two integers: the wider type, or the unsigned one of two equally wide types.
// D does not promote to int.
TypeId arithmetic_type(const TypeTable& types, TypeId left, TypeId right);
// Returns the type in which arithmetic treats an integer operand: int for enums, unsigned char for booleans. As in C, a
// bit-field of `bit_size` bits is an int if that has all its values; 0: no bit-field.
TypeId operand_type(const TypeTable& types, TypeId id, uint32_t bit_size = 0);

// Truncates `value` to the size of the integer type `id` and sign- or zero-extends it to 64 bits.
uint64_t narrow(const TypeTable& types, TypeId id, uint64_t value);

// Returns `left op right`, computed with 64 bits and the sign of `type`; 0 or 1 for comparisons. The caller must rule
// out division by zero.
uint64_t fold(const TypeTable& types, BinaryOp op, TypeId type, uint64_t left, uint64_t right);

}  // namespace dscope
