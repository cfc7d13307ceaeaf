# Writes OUTPUT, a C++ source with the lines of the text file INPUT as an array of string literals.
file(READ ${INPUT} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(WRITE ${OUTPUT} "extern const char dscope_reference_text[];\nconst char dscope_reference_text[] =\n    \"${text}\";\n")
