# cmake -D FOLDER=... -D OUTPUT=derived_texts.cpp -P embed_derived.cmake: the .d files of a folder as C++ strings.
file(GLOB files ${FOLDER}/*.d)
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(provider ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "    {\"${provider}\", R\"~~(${text})~~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"runtime/providers/derived/derived_text.h\"

namespace dscope {

const DerivedProviderText derived_provider_texts[] = {
${rows}};
const size_t derived_provider_count = sizeof derived_provider_texts / sizeof derived_provider_texts[0];

}  // namespace dscope
")
