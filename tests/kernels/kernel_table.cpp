#include "tests/kernels/kernel_table.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "support/format.h"

namespace dscope {

namespace {

constexpr std::string_view start_mark = "<!-- kernels -->\n", end_mark = "<!-- end -->";
constexpr const char *group_title = "Provider", *missing_title = "Missing";

std::pair<int, int> version(const std::string& kernel) {
  size_t dot = kernel.find('.');
  return {std::atoi(kernel.c_str()), dot == std::string::npos ? 0 : std::atoi(kernel.c_str() + dot + 1)};
}

// The positions of the text between the marks.
std::pair<size_t, size_t> marked_range(std::string_view document) {
  size_t start = document.find(start_mark);
  if (start == std::string_view::npos) return {document.size(), document.size()};
  start += start_mark.size();
  return {start, std::min(document.find(end_mark, start), document.size())};
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" `"));
  text.erase(text.find_last_not_of(" `") + 1);
  return text;
}

// "| a | b |"
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream parts{line.substr(1)};
  for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

}  // namespace

KernelTable KernelTable::parse(std::string_view document) {
  KernelTable table;
  auto [start, end] = marked_range(document);
  std::istringstream lines{std::string{document.substr(start, end - start)}};
  std::map<std::string, Cells>* rows = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('|') || line.starts_with("|-")) continue;
    std::vector<std::string> cells = cells_of(line);
    bool is_title = cells[0] == group_title || cells[0] == missing_title;
    if (is_title) {
      rows = cells[0] == group_title ? &table.groups_ : &table.missing_;
      table.kernels_.assign(cells.begin() + 1, cells.end());
    } else if (rows != nullptr) {
      for (size_t i = 0; i < table.kernels_.size() && i + 1 < cells.size(); ++i)
        if (!cells[i + 1].empty() && cells[i + 1] != "yes") (*rows)[cells[0]][table.kernels_[i]] = cells[i + 1];
    }
  }
  return table;
}

bool KernelTable::has(const std::string& kernel) const { return std::ranges::count(kernels_, kernel) != 0; }

void KernelTable::set(const std::string& kernel, const KernelColumn& column) {
  if (std::ranges::find(kernels_, kernel) == kernels_.end()) kernels_.push_back(kernel);
  std::ranges::sort(kernels_, {}, version);
  for (auto* rows : {&groups_, &missing_}) {
    for (auto& [name, cells] : *rows) cells.erase(kernel);
    std::erase_if(*rows, [](const auto& row) { return row.second.empty(); });
  }
  for (const auto& [group, count] : column.groups)
    groups_[group][kernel] = count.working == count.total ? "all" : fmt::format("{} of {}", count.working, count.total);
  for (const std::string& name : column.missing) missing_[name][kernel] = "no";
}

std::string KernelTable::render_rows(const char* title, const std::map<std::string, Cells>& rows,
                                     const char* missing_cell) const {
  std::string text = fmt::format("| {} |", title), rule = "|---|";
  for (const std::string& kernel : kernels_) {
    text += fmt::format(" {} |", kernel);
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& [name, cells] : rows) {
    text += fmt::format("| `{}` |", name);
    for (const std::string& kernel : kernels_) {
      auto cell = cells.find(kernel);
      text += fmt::format(" {} |", cell == cells.end() ? missing_cell : cell->second);
    }
    text += "\n";
  }
  return text;
}

std::string KernelTable::render() const {
  std::string text = render_rows(group_title, groups_, "");
  if (!missing_.empty()) text += "\n" + render_rows(missing_title, missing_, "yes");
  return text;
}

std::string KernelTable::insert_into(std::string_view document) const {
  auto [start, end] = marked_range(document);
  return std::string{document.substr(0, start)} + render() + std::string{document.substr(end)};
}

}  // namespace dscope
