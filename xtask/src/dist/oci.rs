//! A container image, made without a container engine: an OCI image layout in a tar archive, which `docker load`,
//! `podman load` and `skopeo copy oci-archive:FILE …` take.

use serde_json::{Value, json};

use super::tar::{Tree, gzip};
use super::{Made, Release, digest};

/// The user in the container, who may do nothing but write to the volume.
const USER: u32 = 65_532;
/// The folder of the data: the one volume.
const DATA: &str = "/data";

/// The image.
///
/// # Errors
/// When a path is too long.
pub(super) fn image(release: &Release, made: &Made, architecture: &str) -> anyhow::Result<Vec<u8>> {
    let layer = layer(release, made).to_tar("", release.epoch)?;
    let packed = gzip(&layer)?;
    let created = super::rfc3339(release.epoch);
    let labels = json!({
        "org.opencontainers.image.title": "unum",
        "org.opencontainers.image.description": "UNO for players, hosts and researchers",
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.revision": release.commit,
        "org.opencontainers.image.licenses": "MIT",
    });
    let config = json!({
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": { "8080/tcp": {} },
            "Env": [format!("UNUM_DATA={DATA}"), "PATH=/"],
            "Entrypoint": ["/unum"],
            "Cmd": ["serve"],
            "Volumes": { DATA: {} },
            "WorkingDir": DATA,
            "StopSignal": "SIGTERM",
            "Labels": labels,
            // Not part of OCI's format, but what Docker and Podman look at. Times are in nanoseconds.
            "Healthcheck": {
                "Test": ["CMD", "/unum", "health"],
                "Interval": 30_000_000_000_u64, "Timeout": 10_000_000_000_u64, "StartPeriod": 60_000_000_000_u64, "Retries": 3,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", digest(&layer))] },
        "history": [{ "created": created, "created_by": "cargo xtask dist" }],
    });
    let mut blobs = Blobs::default();
    let place =
        |descriptor: &Value| format!("blobs/{}", descriptor["digest"].as_str().unwrap_or_default().replace(':', "/"));
    let layer = blobs.add("application/vnd.oci.image.layer.v1.tar+gzip", packed);
    let config = blobs.add("application/vnd.oci.image.config.v1+json", config.to_string().into_bytes());
    // For Docker before version 25, which looks for this file alone.
    let docker = json!([{
        "Config": place(&config), "RepoTags": [format!("unum:{}", release.version)], "Layers": [place(&layer)],
    }]);
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": [layer],
        "annotations": { "org.opencontainers.image.created": created },
    });
    let mut manifest = blobs.add("application/vnd.oci.image.manifest.v1+json", manifest.to_string().into_bytes());
    manifest["platform"] = json!({ "architecture": architecture, "os": "linux" });
    manifest["annotations"] = json!({
        "org.opencontainers.image.ref.name": release.version,
        // Where Docker looks for the name.
        "io.containerd.image.name": format!("unum:{}", release.version),
    });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest],
    });
    let mut tree = blobs.0;
    tree.file("oci-layout", json!({ "imageLayoutVersion": "1.0.0" }).to_string());
    tree.file("index.json", index.to_string());
    tree.file("manifest.json", docker.to_string());
    tree.to_tar("", release.epoch)
}

/// Everything in the container: the program, a name for its user, a place for its data, and the licenses.
fn layer(release: &Release, made: &Made) -> Tree {
    let mut tree = Tree::default();
    tree.program("unum", made.program.clone());
    tree.file("etc/passwd", format!("root:x:0:0::/:/none\nunum:x:{USER}:{USER}::{DATA}:/none\n"));
    tree.file("etc/group", format!("root:x:0:\nunum:x:{USER}:\n"));
    tree.private_folder(DATA.trim_start_matches('/'), USER);
    tree.file("licenses/unum.txt", release.license.clone());
    tree.file("licenses/third-party.txt", made.licenses.clone());
    tree
}

/// Pieces of the image, each named after its digest.
#[derive(Default)]
struct Blobs(Tree);

impl Blobs {
    /// Adds one, and describes it.
    fn add(&mut self, kind: &str, bytes: Vec<u8>) -> Value {
        let (digest, size) = (digest(&bytes), bytes.len());
        self.0.file(&format!("blobs/sha256/{digest}"), bytes);
        json!({ "mediaType": kind, "digest": format!("sha256:{digest}"), "size": size })
    }
}
