#!/usr/bin/env python3
"""Checks every line of a file against a JSON schema: validate_json.py SCHEMA LINES. Exit status 77: no validator."""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = 0
with open(sys.argv[2], encoding="utf-8") as file:
    for number, line in enumerate(file, 1):
        for error in validator.iter_errors(json.loads(line)):
            failures += 1
            best = jsonschema.exceptions.best_match([error])
            print(f"line {number}: {best.message}\n  {line.rstrip()[:400]}")
sys.exit(1 if failures else 0)
