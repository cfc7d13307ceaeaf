// ScriptReader: reads the text of a script. With option cpp it preprocesses the text and removes C headers from it.
// Called by compile() before anything is parsed.
#pragma once

#include <string>

#include "catalog/option_values.h"
#include "contract/host.h"
#include "headers/c_headers.h"
#include "support/result.h"

namespace dscope {

class ScriptReader {
 public:
  // `headers` receives the C headers of the scripts.
  ScriptReader(const OptionValues& options, Host& host, CHeaders& headers)
      : options_(options), host_(host), headers_(headers) {}

  // "-" is standard input. Only files that cannot be opened and failures of the preprocessor are errors.
  Result<std::string> read(const std::string& path);

  // Returns a hint for scripts that do not compile; may be empty.
  std::string hint() const;

 private:
  Result<std::string> preprocessed(const std::string& path, const std::string& text);

  const OptionValues& options_;
  Host& host_;
  CHeaders& headers_;
  bool lacks_libclang_ = false;
};

}  // namespace dscope
