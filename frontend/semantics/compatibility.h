// Which types go together (d-language.md 3.5) and what integers become when they meet (3.6): pure functions over the
// type table, used by every part of the checker.
#pragma once

#include <cstdint>
#include <optional>

#include "contract/type.h"
#include "frontend/syntax/operators.h"

namespace dscope {

// The same type once typedefs are resolved; structs, unions and enums by name, forward declarations included.
bool is_same_type(const TypeTable& types, TypeId a, TypeId b);

// What a value of type `actual` may be given to. `is_zero`: the value is the integer constant 0, which is also a
// pointer and an absent string.
bool is_compatible(const TypeTable& types, TypeId formal, TypeId actual, bool is_zero);

// Both are pointers or arrays to compatible bases, or one of them points to void.
bool are_pointer_compatible(const TypeTable& types, TypeId a, TypeId b);

bool is_pointer_or_array(const TypeTable& types, TypeId id);
bool is_function(const TypeTable& types, TypeId id);
bool is_void(const TypeTable& types, TypeId id);
// What a pointer points to, or an array holds. The type must be one of these.
TypeId target_of(const TypeTable& types, TypeId id);
// Arrays become pointers to their first element; anything else stays.
TypeId decay(TypeTable& types, TypeId id);

// The type in which two integers are combined: the wider one, unsigned if equally wide; no promotion to int.
TypeId arithmetic_type(const TypeTable& types, TypeId left, TypeId right);
// The type an integer operand computes in: enums are int, truth values unsigned char.
TypeId operand_type(const TypeTable& types, TypeId id);

// `value` cut to the size of integer type `id` and sign- or zero-extended to 64 bits.
uint64_t narrow(const TypeTable& types, TypeId id, uint64_t value);

// Value of `left op right`, computed in `type` and narrowed to it. Comparisons give 0 or 1. Division by zero must have
// been excluded.
uint64_t fold(const TypeTable& types, BinaryOp op, TypeId type, uint64_t left, uint64_t right);

}  // namespace dscope
