// Provider definitions (`provider foo { probe bar(int); };`) as plain values: what the checker makes of them, what -h
// and -G write, and what objects that -G made say of their probes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"

namespace dscope {

// What an argument is to the machine.
enum class ArgumentForm : uint8_t { Signed, Unsigned, Float, Pointer, String, Other };

// An argument as the traced program gives it.
struct DefinedArgument {
  std::string type_text;  // as the definition names the type: "uint32_t", "char *"
  std::string base_text;  // without typedefs: "unsigned int"
  ArgumentForm form = ArgumentForm::Signed;
  uint32_t size = 8;  // bytes
  bool operator==(const DefinedArgument&) const = default;
};

// args[n]: one of the arguments, perhaps as another type.
struct ViewedArgument {
  uint32_t input = 0;  // index among the arguments that the program gives
  std::string type_text;
  bool operator==(const ViewedArgument&) const = default;
};

struct DefinedProbe {
  std::string name;  // with dashes: "go-now"
  std::vector<DefinedArgument> input;
  std::vector<ViewedArgument> view;  // of all arguments in their order, unless the definition says otherwise
  bool operator==(const DefinedProbe&) const = default;
};

struct DefinedProvider {
  std::string name;
  ProviderAttributes attributes;
  std::vector<DefinedProbe> probes;
};

// Two underscores in a definition or in a program stand for a dash, and back.
std::string with_dashes(std::string_view name);
std::string without_dashes(std::string_view name);
// "prov_go__now_semaphore": what counts those who watch the probe go-now.
std::string semaphore_name(std::string_view provider, std::string_view probe);

// What -G keeps of a definition in the note of type defined_provider_note named defined_provider_owner.
inline constexpr std::string_view defined_provider_owner = "dscope";
inline constexpr uint32_t defined_provider_note = 1;
std::string to_note(const DefinedProvider& provider);
// Nothing if it cannot be read; lines of a later version are passed over.
std::optional<DefinedProvider> read_note(std::string_view text);

}  // namespace dscope
