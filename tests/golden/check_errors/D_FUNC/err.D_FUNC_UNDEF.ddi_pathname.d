BEGIN { trace(ddi_pathname(NULL, 0)); }
