// The names of global functions of BPF programs. The verifier checks a global function once instead of at each call,
// and knows only the types of its parameters. The loader derives those types from the name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

inline constexpr std::string_view global_function_prefix = "ds_global_";

// Functions of a BPF program have up to five parameters (Linux, Documentation/bpf/standardization/abi.rst).
inline constexpr size_t max_function_parameters = 5;

// A parameter is described by the number of bytes that it points to, or by 0 if it is a number.
using GlobalParameters = std::vector<uint32_t>;

// "ds_global_strcpy_1.264.16.0" for the stem "strcpy_1" and two pointers and a number.
std::string global_function_name(std::string_view stem, std::span<const uint32_t> parameters);

// The parameters of the global function `name`: two numbers if the name does not list them. Nothing if the name does
// not start with global_function_prefix or lists too many parameters or something else.
std::optional<GlobalParameters> global_parameters(std::string_view name);

}  // namespace dscope
