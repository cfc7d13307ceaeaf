#!/usr/bin/env python3
"""Lints the files of packaging/: units of systemd, rules and configuration of Prometheus, manifests of Kubernetes.

check_packaging.py PACKAGING FOLDER
FOLDER/node_modules has the packages of package.json beside this file. Works offline, and names each check that it skips
because its program is missing.
"""
import json
import pathlib
import shutil
import subprocess
import sys

VALIDATE = """
const fs = require('fs'), path = require('path'), modules = process.argv[1] + '/node_modules/';
const yaml = require(modules + 'js-yaml');
const packages = { 'monitoring.coreos.com': '@kubernetes-models/prometheus-operator' };
for (const document of yaml.loadAll(fs.readFileSync(process.argv[2], 'utf8'))) {
  const parts = document.apiVersion.split('/'), [group, version] = parts.length > 1 ? parts : ['', parts[0]];
  const name = packages[group] ?? 'kubernetes-models';
  const Model = require(modules + path.join(name, group, version))[document.kind];
  new Model(document).validate();
  console.log('valid: ' + document.apiVersion + ' ' + document.kind + ' ' + document.metadata.name);
}
"""


def run(*command):
    print("+", *(argument for argument in command if "\n" not in argument), flush=True)
    subprocess.run(command, check=True)


def verify_units(packaging, folder):
    # The program of the unit need not be installed: verify a copy that names one that is.
    units = folder / "units"
    shutil.rmtree(units, ignore_errors=True)
    units.mkdir(parents=True)
    for unit in (packaging / "systemd").iterdir():
        text = unit.read_text().replace("/usr/sbin/dscope", "/bin/true")
        (units / unit.name.replace("@", "@check")).write_text(text.replace("%i", "check").replace("dscope@.", "dscope@check."))
    run("systemd-analyze", "verify", "--man=no", *map(str, sorted(units.iterdir())))
    # In tenths: docs/fleet.md gives the figure.
    run("systemd-analyze", "security", "--offline=true", "--threshold=29", "--no-pager", str(units / "dscope@check.service"))


def check_prometheus(packaging, _):
    run("promtool", "check", "rules", str(packaging / "prometheus/dscope.rules.yml"))
    run("promtool", "check", "config", "--syntax-only", str(packaging / "prometheus/prometheus.yml"))


def validate_manifests(packaging, folder):
    def validate(manifest):
        return ["node", "-e", VALIDATE, "--", str(folder), str(manifest)]

    for manifest in sorted((packaging / "kubernetes").iterdir()):
        run(*validate(manifest))
    broken = folder / "broken.yaml"
    broken.write_text((packaging / "kubernetes/dscope.yaml").read_text().replace("containers:", "containerz:", 1))
    refused = subprocess.run(validate(broken), capture_output=True, check=False)
    assert refused.returncode != 0, "the validator accepts everything"


def main():
    packaging, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    json.loads((packaging / "grafana/dscope.json").read_text())
    has_schemas = (folder / "node_modules/kubernetes-models").is_dir()
    checks = [
        ("systemd-analyze", shutil.which("systemd-analyze"), verify_units),
        ("promtool", shutil.which("promtool"), check_prometheus),
        ("node and the npm package kubernetes-models", shutil.which("node") and has_schemas, validate_manifests),
    ]
    skipped = [(needed, check) for needed, is_there, check in checks if not is_there]
    for _, is_there, check in checks:
        if is_there:
            check(packaging, folder)
    for needed, check in skipped:
        print(f"skipped {check.__name__}: {needed} is missing")
    print("all checks passed" if not skipped else "the other checks passed")


if __name__ == "__main__":
    main()
