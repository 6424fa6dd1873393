//! The list of everything that a release is made of, for programs: a software bill of materials in CycloneDX 1.5.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::packages::Package;
use super::{Release, digest};

/// The list, with what each part needs.
pub(super) fn document(release: &Release, packages: &[Package], target: &str) -> Value {
    let components: Vec<Value> = packages.iter().map(component).collect();
    // npm may have the same version of a package in several folders.
    let urls = |needed: &mut dyn Iterator<Item = &Package>| needed.map(Package::url).collect::<BTreeSet<_>>();
    let mut dependencies = vec![json!({ "ref": own(release), "dependsOn": urls(&mut packages.iter()) })];
    dependencies.extend(packages.iter().map(|package| {
        let needed = urls(&mut package.needs.iter().map(|at| &packages[*at]));
        json!({ "ref": package.url(), "dependsOn": needed })
    }));
    let components = without_repetitions(components, "bom-ref");
    let dependencies = without_repetitions(dependencies, "ref");
    let number = digest(format!("{} {target} {}", own(release), release.commit).as_bytes());
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        // A number of its own for everything that is released, the same for the same sources (a UUID of version 8).
        "serialNumber": format!("urn:uuid:{}-{}-8{}-8{}-{}", &number[..8], &number[8..12], &number[13..16], &number[17..20], &number[20..32]),
        "version": 1,
        "metadata": {
            "timestamp": super::rfc3339(release.epoch),
            "component": {
                "type": "application",
                "bom-ref": own(release),
                "name": "unum",
                "version": release.version,
                "purl": own(release),
                "licenses": [{ "license": { "id": "MIT" } }],
                "properties": [{ "name": "unum:target", "value": target }, { "name": "unum:commit", "value": release.commit }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    })
}

fn own(release: &Release) -> String {
    format!("pkg:generic/unum@{}", release.version)
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": package.url(),
        "name": package.name,
        "version": package.version,
        "purl": package.url(),
        "scope": if package.is_shipped { "required" } else { "excluded" },
        "licenses": [{ "expression": package.license }],
    });
    if let Some((kind, digest)) = &package.digest {
        component["hashes"] = json!([{ "alg": kind, "content": digest }]);
    }
    component
}

fn without_repetitions(list: Vec<Value>, key: &str) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    list.into_iter().filter(|item| seen.insert(item[key].to_string())).collect()
}
