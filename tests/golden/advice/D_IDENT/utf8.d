BEGIN { printf("größe %d\n", sizeee); }
