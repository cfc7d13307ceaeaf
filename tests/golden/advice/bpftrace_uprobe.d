uprobe:/bin/bash:readline { }
