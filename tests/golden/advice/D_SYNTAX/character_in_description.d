uprobe:libstdc++.so.6:f:entry { }
