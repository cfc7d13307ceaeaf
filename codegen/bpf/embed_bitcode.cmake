# cmake -D INPUT=support.bc -D OUTPUT=support_bitcode.c -P embed_bitcode.cmake: writes a file as a C array.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"support_bitcode.h\"
const unsigned char ds_support_bitcode[] __attribute__((aligned(16))) = {
${bytes}};
const unsigned long ds_support_bitcode_size = sizeof ds_support_bitcode;
")
