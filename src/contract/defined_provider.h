// Provider definitions (`provider foo { probe bar(int); };`) as plain values. The checker creates them, -h and -G write
// them, and the runtime reads them back from the notes of objects that -G wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/probe.h"

namespace dscope {

// How the machine passes an argument.
enum class ArgumentForm : uint8_t { Signed, Unsigned, Float, Pointer, String, Other };

// An argument as the traced program passes it.
struct DefinedArgument {
  std::string type_text;  // as the definition spells it: "uint32_t", "char *"
  std::string base_text;  // typedefs resolved: "unsigned int"
  ArgumentForm form = ArgumentForm::Signed;
  uint32_t size = 8;  // bytes
  bool operator==(const DefinedArgument&) const = default;
};

// args[n]: one of the arguments, perhaps with another type.
struct ViewedArgument {
  uint32_t input = 0;  // index among the arguments that the program passes
  std::string type_text;
  bool operator==(const ViewedArgument&) const = default;
};

struct DefinedProbe {
  std::string name;  // with dashes: "go-now"
  std::vector<DefinedArgument> input;
  std::vector<ViewedArgument> view;  // all arguments in order, unless the definition maps them
  bool operator==(const DefinedProbe&) const = default;
};

struct DefinedProvider {
  std::string name;
  ProviderAttributes attributes;
  std::vector<DefinedProbe> probes;
};

// Replaces each two underscores by a dash ("go__now" -> "go-now"), and back.
std::string with_dashes(std::string_view name);
std::string without_dashes(std::string_view name);
// Name of the USDT semaphore of the probe go-now: "prov_go__now_semaphore".
std::string semaphore_name(std::string_view provider, std::string_view probe);

// The ELF note in which -G stores a definition has this owner and type.
inline constexpr std::string_view defined_provider_owner = "dscope";
inline constexpr uint32_t defined_provider_note = 1;
std::string write_note(const DefinedProvider& provider);
// nullopt if the text is malformed; ignores lines that a later version added.
std::optional<DefinedProvider> parse_note(std::string_view text);

}  // namespace dscope
