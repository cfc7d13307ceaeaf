#include "pictures/timeline/perfetto_stacks.h"

#include <protozero/pbf_writer.hpp>

#include <functional>

#include "support/text/visible_text.h"

namespace dscope {

namespace {

enum InternedField : uint32_t { FunctionNames = 5, Frames = 6, Callstacks = 7, MappingPaths = 17, Mappings = 19 };

// Appends an entry whose field 1 is its number.
void append_entry(std::string& interned, InternedField field, uint64_t number, const auto& fill) {
  std::string bytes;
  protozero::pbf_writer entry{bytes};
  entry.add_uint64(1, number);
  fill(entry);
  protozero::pbf_writer{interned}.add_message(field, bytes);
}

}  // namespace

uint64_t PerfettoStacks::intern_function(std::string_view name, std::string& interned) {
  auto [found, is_new] = functions_.emplace(name, functions_.size() + 1);
  if (is_new)
    append_entry(interned, FunctionNames, found->second, [&](auto& entry) { entry.add_bytes(2, visible_line(name)); });
  return found->second;
}

// Each mapping has one path, which has the number of the mapping.
uint64_t PerfettoStacks::intern_mapping(std::string_view module, std::string& interned) {
  auto [found, is_new] = modules_.emplace(module, modules_.size() + 1);
  if (is_new) {
    append_entry(interned, MappingPaths, found->second, [&](auto& entry) { entry.add_bytes(2, visible_line(module)); });
    append_entry(interned, Mappings, found->second, [&](auto& entry) { entry.add_uint64(7, found->second); });
  }
  return found->second;
}

uint64_t PerfettoStacks::intern_frame(const PictureFrame& frame, std::string& interned) {
  std::string_view text = frame.text, module;
  if (size_t quote = text.find('`'); quote != text.npos) {
    module = text.substr(0, quote);
    text.remove_prefix(quote + 1);
  }
  uint64_t mapping = intern_mapping(module.empty() ? "[unknown]" : module, interned);
  uint64_t function = intern_function(text, interned);
  auto [found, is_new] = frames_.emplace(std::pair{mapping, function}, frames_.size() + 1);
  if (is_new)
    append_entry(interned, Frames, found->second, [&](auto& entry) {
      entry.add_uint64(2, function);
      entry.add_uint64(3, mapping);
    });
  return found->second;
}

uint64_t PerfettoStacks::intern(const std::vector<PictureFrame>& stack, std::string& interned) {
  std::vector<uint64_t> frames;
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) frames.push_back(intern_frame(*frame, interned));
  auto [found, is_new] = stacks_.emplace(std::move(frames), stacks_.size() + 1);
  if (is_new)
    append_entry(interned, Callstacks, found->second, [&](auto& entry) {
      for (uint64_t frame : found->first) entry.add_uint64(2, frame);
    });
  return found->second;
}

}  // namespace dscope
