// ValueRows: the rows of --format=csv and folded. A row of CSV has a cell for each value that the actions of its clause
// print; the literal text of formats is for people and is left out. A folded row is a stack. In: records. Out: lines
// for the output stream, text for the message stream.
#pragma once

#include <string>
#include <vector>

#include "runtime/format/output_format.h"
#include "runtime/output/record_decoder.h"

namespace dscope {

class ValueRows {
 public:
  // `plan` outlives this object. Does nothing for formats other than Csv and Folded.
  ValueRows(const ProgramPlan& plan, OutputFormat format);

  // Runs the actions of a record and appends its row. CSV: all rows are one table, whose columns are those of all
  // clauses; only the table of an aggregation interrupts it, after an empty line. Folded: rows without a stack are text
  // for the message stream.
  void append(std::string& out, const PreparedClause& clause, const ds_record_header& header, const std::byte* record,
              const ActionServices& services);

  // CSV: the header of the table of rows, or else the last title; for a program that has printed no table, so that
  // readers of its output find the columns. "" for other formats and for programs without either.
  std::string header_of_empty_table();

  // True if the output has a table.
  bool has_output() const { return has_output_; }

 private:
  // The cells of a row that print the values of one action.
  struct ActionCells {
    std::vector<int32_t> fields;  // one cell each
    // A printf() of string constants that names the columns of a table with as many columns.
    bool is_title = false;
    bool continues_line = false;  // that the action before has begun: parts of a title may depend on options
  };
  struct ClauseCells {
    std::vector<ActionCells> actions;  // parallel to ClausePlan::actions
    size_t count = 0;
    bool has_stack = false;
    std::vector<size_t> columns;  // of the table, one for each cell
  };

  void find_titles();
  bool has_row(const ClauseCells& cells) const {
    return format_ == OutputFormat::Csv ? cells.count != 0 : cells.has_stack;
  }
  std::vector<std::string> cell_names(const ClausePlan& clause, const ClauseCells& cells) const;
  void lay_out_table();
  void append_csv_row(std::string& out, const PreparedClause& clause, const ds_record_header& header,
                      std::vector<std::string> texts);
  void append_folded_row(std::string& out, const PreparedClause& clause, const std::byte* record,
                         const ActionServices& services) const;
  void append_table(std::string& out, std::string table);
  void run_action(std::string& out, const PreparedClause& clause, const PreparedAction& action, const std::byte* record,
                  const ActionServices& services);
  void print_aggregations(std::string& out, const PreparedAction& action, const std::byte* record,
                          const ActionServices& services);

  const ProgramPlan& plan_;
  OutputFormat format_;
  std::vector<ClauseCells> clauses_;  // parallel to ProgramPlan::clauses
  bool has_output_ = false;
  bool is_in_table_ = false;         // the last line is a row of the table of rows
  bool names_probes_ = false;        // the first column is `probe`: clauses print different columns
  std::vector<std::string> header_;  // of the table of rows
  std::vector<std::string> title_;
};

}  // namespace dscope
