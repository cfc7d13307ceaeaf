// ValueRows: the rows of --format=csv and folded. A row has one value for each argument that the actions of its clause
// print; the literal text of formats is for people and is left out. In: records. Out: lines for the output stream.
#pragma once

#include <string>
#include <vector>

#include "runtime/format/output_format.h"
#include "runtime/output/record_decoder.h"

namespace dscope {

class ValueRows {
 public:
  // `format`: Csv or Folded.
  explicit ValueRows(OutputFormat format) : format_(format) {}

  // Runs the actions of a record and appends its row. CSV: a header line precedes the first row and every change of the
  // columns, after an empty line. A printf() that prints only string constants is a title: it names the columns of
  // later tables with as many columns. Text without values goes to the message stream if the clause ends the run.
  void append(std::string& out, const PreparedClause& clause, const std::byte* record, const ActionServices& services);

  // True if the output has a table.
  bool has_output() const { return has_output_; }

 private:
  struct Column {
    std::string name;
    std::string text;
  };

  void append_csv_row(std::string& out, const std::vector<Column>& columns);
  void append_table(std::string& out, std::string table);
  // Returns the names of the last title if it has `count` columns, else `names`.
  std::vector<std::string> titled(const std::vector<std::string>& names) const;
  void run_action(std::string& out, const PreparedClause& clause, const PreparedAction& action, const std::byte* record,
                  const ActionServices& services);

  OutputFormat format_;
  bool has_output_ = false;
  std::vector<std::string> header_;  // of the current table of rows; empty after other tables
  std::vector<std::string> title_;
};

}  // namespace dscope
