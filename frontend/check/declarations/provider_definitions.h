// ProviderDefinitions: providers that the program defines, their probes and the translated view of the arguments
// (d-language.md 2.5).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class Translators;
class TypeBuilder;

// A probe of a provider definition. `output` is the translated view of its arguments. sources[i] is the index of the
// input argument that output[i] is translated from. Without a translated view, output equals input.
struct ProbeInterface {
  std::string name;  // with dashes
  std::vector<TypeId> input, output;
  std::vector<uint32_t> sources;
};

class ProviderDefinitions : private CheckerPart {
 public:
  ProviderDefinitions(CheckContext& context, Translators& translators, TypeBuilder& type_builder)
      : CheckerPart(context), translators_(translators), type_builder_(type_builder) {}

  void define(const External& external, const ProviderDefinition& provider);
  const ProbeInterface* find_interface(const Probe& probe) const;
  std::vector<ProbeArg> arguments_of(const ProbeInterface& defined);

 private:
  DefinedProbe plain_probe(const ProbeInterface& probe) const;
  DefinedArgument plain_argument(TypeId type) const;
  std::optional<ProbeInterface> define_probe(const ProviderProbe& probe);
  bool check_translated_view(const ProviderProbe& probe, ProbeInterface& defined);
  TypeId in_user_memory(TypeId type);
  bool is_same_interface(const std::vector<ProbeInterface>& known, const std::vector<ProbeInterface>& probes) const;

  Translators& translators_;
  TypeBuilder& type_builder_;

  std::unordered_map<std::string, std::vector<ProbeInterface>> interfaces_;  // by provider
};

}  // namespace dscope
