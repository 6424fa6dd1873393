"""Checks the files below deploy/ against the schemas of compose files and of Kubernetes, and what no schema knows.

Run by `cargo xtask test` with the packages that xtask/src/deploy.rs installs."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import kubernetes_validate
import yaml

SETTING = re.compile(r"^UNUM_[A-Z_]+$")
problems = []


def settings():
    """The variables that the server reads, from the list in its sources."""
    source = pathlib.Path("crates/unum-server/src/config.rs").read_text()
    keys = re.findall(r'^        key: "([a-z_]+)",', source, re.M)
    keys += re.findall(r"^    (?:number|time)!\(\s*([a-z_]+),", source, re.M)
    assert "port" in keys and "ping_interval" in keys and "node_secret_file" in keys, keys
    return {f"UNUM_{key.upper()}" for key in keys} | {"UNUM_CONFIG"}


def version():
    manifest = pathlib.Path("Cargo.toml").read_text().split("[workspace.package]")[1]
    return re.search(r'^version = "(.+)"', manifest, re.M)[1]


def expect(right, path, words):
    if not right:
        problems.append(f"{path}: {words}")


def check_image(path, image):
    if image.startswith("unum:"):
        expect(image == f"unum:{VERSION}", path, f"{image} is not version {VERSION}")


def check_settings(path, values):
    # A port alone is on the loopback address: nobody else in the network reaches it.
    expect((values.get("UNUM_ADMIN") or "").isdecimal(), path, "operators do not reach it from inside, or others reach them")
    for name in values:
        known = not SETTING.match(name) or name in SETTINGS
        expect(known, path, f"there is no setting {name}")


def check_compose(path, schema):
    document = yaml.safe_load(path.read_text())
    # Newer than the schema, which is of 2021.
    expect(document.pop("name", None) == "unum", path, "no name")
    for error in jsonschema.Draft7Validator(schema).iter_errors(document):
        problems.append(f"{path}: {'/'.join(map(str, error.path))}: {error.message}")
    for name, service in document["services"].items():
        check_image(path, service["image"])
        if service["image"].startswith("unum:"):
            check_settings(path, service.get("environment", {}))
        for kind in ("networks", "secrets"):
            for used in service.get(kind, []):
                expect(used in document.get(kind, {}), path, f"{name}: {used} is not among the {kind}")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            is_there = (path.parent / source).exists() if source.startswith(".") else source in document["volumes"]
            expect(is_there, path, f"{name}: there is no {source}")
        for needed in service.get("depends_on", []):
            expect(needed in document["services"], path, f"{name}: there is no service {needed}")
        if service["image"].startswith("unum:"):
            expect(service.get("read_only") and service.get("cap_drop") == ["ALL"], path, f"{name} may do too much")
            expect("stop_grace_period" in service, path, f"{name} has no time to drain")


def check_kubernetes(path):
    documents = list(yaml.safe_load_all(path.read_text()))
    kinds = [document["kind"] for document in documents]
    for document in documents:
        where = f"{path}: {document['kind']}"
        try:
            kubernetes_validate.validate(document, "1.31", strict=True)
        except kubernetes_validate.ValidationError as error:
            problems.append(f"{where}: {'/'.join(map(str, error.path))}: {error.message}")
        pod = document.get("spec", {}).get("template", {}).get("spec")
        if not pod:
            continue
        labels = document["spec"]["template"]["metadata"]["labels"]
        expect(document["spec"]["selector"]["matchLabels"] == labels, where, "it selects other pods than its own")
        expect(pod.get("enableServiceLinks") is False, where, "enableServiceLinks has to be false")
        volumes = {volume["name"] for volume in pod.get("volumes", [])}
        volumes |= {claim["metadata"]["name"] for claim in document["spec"].get("volumeClaimTemplates", [])}
        for container in pod["containers"]:
            check_image(path, container["image"])
            environment = {entry["name"]: entry.get("value") for entry in container["env"]}
            check_settings(path, environment)
            ports = {port["name"] for port in container["ports"]}
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                expect(container.get(probe, {}).get("httpGet", {}).get("port") in ports, where, f"no {probe}")
            expect(container["resources"].get("limits", {}).get("memory"), where, "no limit of memory")
            expect(container["securityContext"].get("readOnlyRootFilesystem"), where, "it may write everywhere")
            for mount in container["volumeMounts"]:
                expect(mount["name"] in volumes, where, f"there is no volume {mount['name']}")
            draining = float(environment.get("UNUM_DRAIN_TIME") or 1)
            # Draining, handing over, closing: each may take its time (stop_timeout is 10 seconds).
            expect(pod["terminationGracePeriodSeconds"] >= draining + 30, where, "killed before it has drained")
    if "Deployment" in kinds:
        expect("PodDisruptionBudget" in kinds, path, "no budget for disruptions")
    names = {document["metadata"]["name"] for document in documents if document["kind"] == "Service"}
    for ingress in (document for document in documents if document["kind"] == "Ingress"):
        for rule in ingress["spec"]["rules"]:
            for place in rule["http"]["paths"]:
                expect(place["backend"]["service"]["name"] in names, path, "the ingress leads nowhere")


def compose_schema():
    # Found without loading the package, which needs others.
    place = importlib.util.find_spec("compose").submodule_search_locations[0]
    return json.loads((pathlib.Path(place) / "config/compose_spec.json").read_text())


def main(folder):
    compose = sorted(folder.glob("compose/*.yaml"))
    kubernetes = sorted(folder.glob("kubernetes/*.yaml"))
    assert len(compose) == 3 and len(kubernetes) == 2, (compose, kubernetes)
    schema = compose_schema()
    for path in compose:
        check_compose(path, schema)
    for path in kubernetes:
        check_kubernetes(path)
    # A check that finds nothing wrong with nonsense would be none.
    wrong = {"services": {"unum": {"image": "unum", "prots": []}}}
    assert list(jsonschema.Draft7Validator(schema).iter_errors(wrong)), "the schema of compose files lets everything pass"
    try:
        kubernetes_validate.validate({"apiVersion": "v1", "kind": "Service", "spec": {"prots": []}}, "1.31", strict=True)
    except kubernetes_validate.ValidationError:
        pass
    else:
        raise AssertionError("the schemas of Kubernetes let everything pass")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"deploy: {len(compose) + len(kubernetes)} files, {len(problems)} problems")
    sys.exit(bool(problems))


VERSION = version()
SETTINGS = settings()
if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
