// The options of a run as plain values, for archives.
#include "catalog/option_values.h"

namespace dscope {

std::vector<OptionValues::Saved> OptionValues::save() const {
  const OptionValues defaults;
  std::vector<Saved> saved;
  for (size_t i = 0; i < all_option_names().size(); ++i) {
    const OptionRow& option = row(static_cast<OptionId>(i));
    if (number(option.id) == defaults.number(option.id) && text(option.id) == defaults.text(option.id)) continue;
    saved.push_back({.name = std::string(option.name), .number = number(option.id), .text = text(option.id)});
  }
  return saved;
}

bool OptionValues::restore(const std::vector<Saved>& saved) {
  DataModel model = data_model_;
  *this = {};
  data_model_ = model;
  for (const Saved& one : saved) {
    const OptionRow* option = find_option(one.name);
    if (option == nullptr) return false;
    set_number(option->id, one.number);
    texts_[static_cast<size_t>(option->id)] = one.text;
  }
  return true;
}

}  // namespace dscope
