pid$1:::entry { }
