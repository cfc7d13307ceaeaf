"""Python code for the comparison of unwinders: recursion, generators, sorting, regular expressions, JSON."""
import json
import re


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def walk(tree):
    for key, value in tree.items():
        yield key
        if isinstance(value, dict):
            yield from walk(value)


def main():
    tree = {f"key{i}": {f"inner{j}": {"leaf": j * i} for j in range(20)} for i in range(20)}
    while True:
        fibonacci(15)
        names = sorted(walk(json.loads(json.dumps(tree))), key=lambda name: (len(name), name))
        re.sub(r"(\w+?)(\d+)", lambda match: match.group(2) + match.group(1), " ".join(names))


main()
