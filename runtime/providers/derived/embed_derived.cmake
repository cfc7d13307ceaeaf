# cmake -D FOLDER=... -D NAME=derived_provider_texts -D OUTPUT=derived_provider_texts.cpp -P embed_derived.cmake: the .d
# files of a folder as C++ strings.
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

static constexpr DerivedProviderText texts[] = {
${rows}};
const std::span<const DerivedProviderText> ${NAME} = texts;

}  // namespace dscope
")
