BEGIN { x = 1；}
