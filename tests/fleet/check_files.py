#!/usr/bin/env python3
"""Lints the files of packaging/: units of systemd, manifests of Kubernetes, rules and configuration of Prometheus.

check_files.py PACKAGING FOLDER
FOLDER/node_modules has kubernetes-models, @kubernetes-models/prometheus-operator and js-yaml. Works offline. Exits with
77 if a tool is missing.
"""
import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
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


def run(*command, **options):
    print("+", *command[:3], flush=True)
    return subprocess.run(command, check=True, **options)


def main():
    packaging, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    missing = [tool for tool in ["systemd-analyze", "promtool", "node"] if not shutil.which(tool)]
    if missing or not (folder / "node_modules/kubernetes-models").is_dir():
        print("skipped: needs", *missing, "and kubernetes-models")
        sys.exit(SKIPPED)
    # The program of the unit need not be installed: verify a copy that names one that is.
    units = folder / "units"
    shutil.rmtree(units, ignore_errors=True)
    units.mkdir(parents=True)
    for unit in (packaging / "systemd").iterdir():
        text = unit.read_text().replace("/usr/sbin/dscope", "/bin/true")
        (units / unit.name.replace("@", "@check")).write_text(text.replace("%i", "check").replace("dscope@.", "dscope@check."))
    run("systemd-analyze", "verify", "--man=no", *map(str, sorted(units.iterdir())))
    for manifest in sorted((packaging / "kubernetes").iterdir()):
        run("node", "-e", VALIDATE, "--", str(folder), str(manifest))
    broken = folder / "broken.yaml"
    broken.write_text((packaging / "kubernetes/dscope.yaml").read_text().replace("containers:", "containerz:", 1))
    refused = subprocess.run(["node", "-e", VALIDATE, "--", str(folder), str(broken)], capture_output=True)
    assert refused.returncode != 0, "the validator accepts everything"
    run("promtool", "check", "rules", str(packaging / "prometheus/dscope.rules.yml"))
    run("promtool", "check", "config", "--syntax-only", str(packaging / "prometheus/prometheus.yml"))
    json.loads((packaging / "grafana/dscope.json").read_text())
    print("all checks passed")


if __name__ == "__main__":
    main()
