/* The names of the indices of uregs[], such as R_PC, depend on the processor: dscope defines them without this file,
   which exists for scripts that depend on it. */
