//! What `cargo xtask dist` makes, packed around the program that the other tests use.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use flate2::read::GzDecoder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The program, which lies beside this one. `cargo test --workspace` compiles it for its own tests.
fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_xtask")).with_file_name("unum");
    assert!(program.exists(), "{} is missing: cargo build --package unum", program.display());
    program
}

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Packs a program into a folder.
fn dist(program: &Path, out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["dist", "--target", TARGET, "--program"]).arg(program).arg("--out").arg(out);
    good(command.env("SOURCE_DATE_EPOCH", "1795059178").output().unwrap());
}

fn good(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{}{errors}", output.status, String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn run(command: &str, words: &[&str]) -> String {
    good(Command::new(command).args(words).output().unwrap_or_else(|error| panic!("{command}: {error}")))
}

/// The version of the sources.
fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The paths and contents in a tar archive, and the times and owners in it, read by this test alone.
fn entries(tar: &[u8]) -> Vec<(String, Vec<u8>, u32, u64, u8)> {
    let number = |field: &[u8]| {
        let text = std::str::from_utf8(field).unwrap().trim_matches(['\0', ' ']).to_owned();
        u64::from_str_radix(&text, 8).unwrap()
    };
    let (mut at, mut found) = (0, Vec::new());
    while tar[at] != 0 {
        let head = &tar[at..at + 512];
        let sum: u64 = head
            .iter()
            .enumerate()
            .map(|(at, byte)| u64::from(if (148..156).contains(&at) { b' ' } else { *byte }))
            .sum();
        assert_eq!(sum, number(&head[148..156]));
        let end = head[..100].iter().position(|byte| *byte == 0).unwrap_or(100);
        let name = String::from_utf8(head[..end].to_vec()).unwrap();
        let size = number(&head[124..136]) as usize;
        at += 512;
        found.push((
            name,
            tar[at..at + size].to_vec(),
            number(&head[108..116]) as u32,
            number(&head[136..148]),
            head[156],
        ));
        at += size.next_multiple_of(512);
    }
    assert_eq!(tar.len(), at + 1024);
    found
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut GzDecoder::new(bytes), &mut plain).unwrap();
    plain
}

#[test]
fn an_archive_has_everything_and_the_same_bytes_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    // What is packed need not be the whole program to tell whether it is packed alike: this one starts it.
    let stand_in = folder.path().join("unum");
    fs::write(&stand_in, format!("#!/bin/sh\nexec '{}' \"$@\"\n", program().display())).unwrap();
    fs::set_permissions(&stand_in, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    dist(&stand_in, &first);
    dist(&stand_in, &second);
    let sums = fs::read_to_string(first.join("SHA256SUMS")).unwrap();
    assert_eq!(sums, fs::read_to_string(second.join("SHA256SUMS")).unwrap());
    for line in sums.lines() {
        let (digest, name) = line.split_once("  ").unwrap();
        let bytes = fs::read(first.join(name)).unwrap();
        let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, digest, "{name}");
    }
    let name = format!("unum-{}-{TARGET}", version());
    let archive = unpacked(&fs::read(first.join(format!("{name}.tar.gz"))).unwrap());
    let entries = entries(&archive);
    let paths: Vec<&str> = entries.iter().map(|(path, ..)| path.as_str()).collect();
    assert!(paths.is_sorted() && paths.iter().all(|path| path.starts_with(&name)), "{paths:?}");
    for path in [
        "unum",
        "LICENSE",
        "THIRD-PARTY.txt",
        "CHANGELOG.md",
        "man/man1/unum.1",
        "man/man1/unum-serve.1",
        "completions/_unum",
        "deploy/systemd/unum.service",
        "deploy/systemd/unum.socket",
        "deploy/compose/alone.yaml",
        "deploy/compose/Caddyfile",
        "deploy/kubernetes/three.yaml",
    ] {
        assert!(paths.contains(&format!("{name}/{path}").as_str()), "{path} is missing in {paths:?}");
    }
    assert!(entries.iter().all(|(_, _, owner, time, _)| (*owner, *time) == (0, 1_795_059_178)));
    let content = |path: &str| {
        let entry = entries.iter().find(|(found, ..)| *found == format!("{name}/{path}")).unwrap();
        String::from_utf8_lossy(&entry.1).into_owned()
    };
    let licenses = content("THIRD-PARTY.txt");
    for package in
        ["tokio ", "rustls ", "libsqlite3-sys ", "svelte ", "@noble/hashes ", "@fontsource-variable/fredoka "]
    {
        assert!(licenses.contains(package), "no license of {package}");
    }
    assert!(
        licenses.contains("Apache License") && !licenses.contains("criterion "),
        "what only tests need is not shipped"
    );
    assert!(!licenses.contains("x509-parser "), "nor what only a feature needs that nobody has asked for");
    let manual = content("man/man1/unum-serve.1");
    assert!(manual.contains("~/.local/share/unum") && !manual.contains("/home/"), "the manual tells of this machine");
    for entry in entries.iter().filter(|(path, ..)| !path.ends_with("/unum")) {
        let text = String::from_utf8_lossy(&entry.1);
        assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{} tells of this machine", entry.0);
    }
    // GNU tar reads it, too.
    let listed = run("tar", &["-tzf", first.join(format!("{name}.tar.gz")).to_str().unwrap()]);
    assert_eq!(listed.lines().count(), paths.len());
    check_sbom(&serde_json::from_slice(&fs::read(first.join(format!("{name}.cdx.json"))).unwrap()).unwrap());
}

fn check_sbom(document: &Value) {
    assert_eq!((document["bomFormat"].as_str(), document["specVersion"].as_str()), (Some("CycloneDX"), Some("1.5")));
    assert_eq!(document["metadata"]["component"]["version"], version());
    let properties = document["metadata"]["component"]["properties"].as_array().unwrap();
    let commit =
        properties.iter().find(|property| property["name"] == "unum:commit").unwrap()["value"].as_str().unwrap();
    assert!(commit == "unknown" || commit.chars().all(|letter| letter.is_ascii_hexdigit()), "{commit:?}");
    let components = document["components"].as_array().unwrap();
    let known: std::collections::BTreeSet<&str> =
        components.iter().map(|part| part["bom-ref"].as_str().unwrap()).collect();
    assert_eq!(known.len(), components.len(), "every part has a name of its own");
    let named = |start: &str| {
        components
            .iter()
            .find(|part| part["purl"].as_str().unwrap().starts_with(start))
            .unwrap_or_else(|| panic!("{start}"))
    };
    assert_eq!(named("pkg:cargo/tokio@")["scope"], "required");
    assert_eq!(named("pkg:npm/vite@")["scope"], "excluded");
    assert_eq!(named("pkg:npm/%40noble/hashes@")["scope"], "required");
    for part in components {
        let digest = part["hashes"][0]["content"].as_str().unwrap_or_else(|| panic!("{part} has no digest"));
        assert!([64, 128].contains(&digest.len()), "{part}");
        assert!(!part["licenses"][0]["expression"].as_str().unwrap().is_empty(), "{part}");
    }
    for entry in document["dependencies"].as_array().unwrap().iter().skip(1) {
        assert!(known.contains(entry["ref"].as_str().unwrap()));
        let needed = entry["dependsOn"].as_array().unwrap();
        let different: std::collections::BTreeSet<&str> =
            needed.iter().map(|needed| needed.as_str().unwrap()).collect();
        assert_eq!(different.len(), needed.len(), "{entry}");
        assert!(
            entry["dependsOn"].as_array().unwrap().iter().all(|needed| known.contains(needed.as_str().unwrap())),
            "{entry}"
        );
    }
}

/// A folder that stands for a machine, with Debian's records in it.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        for path in ["updates", "info", "triggers"] {
            fs::create_dir_all(folder.path().join("var/lib/dpkg").join(path)).unwrap();
        }
        // The library it needs counts as installed.
        let status = "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nMaintainer: x <x@localhost>\nVersion: 99\nDescription: x\n";
        fs::write(folder.path().join("var/lib/dpkg/status"), status).unwrap();
        Machine(folder)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn dpkg(&self, words: &[&str]) {
        let root = format!("--root={}", self.0.path().display());
        let place = [
            "--force-not-root",
            "--force-script-chrootless",
            "--force-architecture",
            "--log=/dev/null",
            "--no-debsig",
            &root,
        ];
        let mut command = Command::new("dpkg");
        command.args(place).args(words).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        good(command.output().unwrap());
    }

    /// What the service would run, with its own folders in place of the machine's, on that port: 0 for any.
    fn serve(&self, port: &str) -> (Serving, String) {
        let unit = fs::read_to_string(self.path("usr/lib/systemd/system/unum.service")).unwrap();
        let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
        let (program, words) = line.split_once(' ').unwrap();
        let mut command = Command::new(self.path(program.trim_start_matches('/')));
        command.args(words.split_whitespace()).args(["--listen", "127.0.0.1", "--port", port]);
        for variable in unit.lines().filter_map(|line| line.strip_prefix("Environment=")) {
            let (name, path) = variable.split_once('=').unwrap();
            command.env(name, self.path(path.trim_start_matches('/')));
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address =
            lines.find_map(|line| Some(line.unwrap().split_once("http://")?.1.to_owned())).expect("an address");
        // Its pipe stays open.
        std::thread::spawn(move || lines.for_each(drop));
        (Serving(child), address)
    }
}

/// A server that does not outlive the test.
struct Serving(Child);

impl Serving {
    fn stop(mut self) {
        run("kill", &["-TERM", &self.0.id().to_string()]);
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // One that has ended already cannot be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A package like one of the sources, of another version.
fn with_version(package: &Path, version: &str, folder: &Path) -> PathBuf {
    let (tree, newer) = (folder.join("tree"), folder.join("newer.deb"));
    run("dpkg-deb", &["--raw-extract", package.to_str().unwrap(), tree.to_str().unwrap()]);
    let control = fs::read_to_string(tree.join("DEBIAN/control")).unwrap();
    let control = control.replace(&format!("Version: {}", self::version()), &format!("Version: {version}"));
    fs::write(tree.join("DEBIAN/control"), control).unwrap();
    run("dpkg-deb", &["--root-owner-group", "--build", "-Znone", tree.to_str().unwrap(), newer.to_str().unwrap()]);
    newer
}

#[test]
fn a_debian_package_is_installed_started_upgraded_and_removed_and_keeps_the_data() {
    let folder = tempfile::tempdir().unwrap();
    // Without what only debuggers read, which would take long to pack.
    let small = folder.path().join("unum");
    run("strip", &["-o", small.to_str().unwrap(), program().to_str().unwrap()]);
    dist(&small, folder.path());
    let package = folder.path().join(format!("unum_{}_amd64.deb", version()));
    let told = run("dpkg-deb", &["--info", package.to_str().unwrap()]);
    assert!(told.contains("Depends: libc6 (>= 2."), "{told}");
    let machine = Machine::new();
    machine.dpkg(&["--install", package.to_str().unwrap()]);
    let (server, address) = machine.serve("0");
    let unum = machine.path("usr/bin/unum");
    let health = |words: &[&str]| good(Command::new(&unum).args(words).output().unwrap());
    assert_eq!(health(&["health", "--ready", &address]), "ready\n");
    let home = folder.path().join("home");
    let play = good(
        Command::new(&unum)
            .args(["play", "--plain", &address, "--data"])
            .arg(&home)
            .stdin(Stdio::null())
            .output()
            .unwrap(),
    );
    assert!(play.contains("/t/"), "{play}");
    server.stop();
    let tables = || fs::metadata(machine.path("var/lib/unum/unum.db")).unwrap().len();
    assert!(tables() > 0);
    // What a host has written stays through an upgrade.
    let config = machine.path("etc/unum/serve.toml");
    fs::write(&config, "max_database_megabytes = 77\n").unwrap();
    let newer = with_version(&package, "99.0.0", folder.path());
    machine.dpkg(&["--force-confold", "--install", newer.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&config).unwrap(), "max_database_megabytes = 77\n");
    let (server, address) = machine.serve(address.rsplit(':').next().unwrap());
    assert!(health(&["games", &address, "--data", home.to_str().unwrap()]).contains("/t/"), "the table is still there");
    server.stop();
    machine.dpkg(&["--remove", "unum"]);
    assert!(!unum.exists() && config.exists());
    machine.dpkg(&["--purge", "unum"]);
    assert!(!config.exists() && tables() > 0, "games outlive the package");
}

#[test]
fn the_service_is_one_that_systemd_understands() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("there is no systemd-analyze: the service is not checked");
        return;
    }
    let machine = tempfile::tempdir().unwrap();
    let put = |path: &str, from: &Path| {
        let to = machine.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    };
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/systemd");
    put("usr/bin/unum", &program());
    for unit in ["unum.service", "unum.socket"] {
        put(&format!("usr/lib/systemd/system/{unit}"), &deploy.join(unit));
    }
    let root = format!("--root={}", machine.path().display());
    let verify = Command::new("systemd-analyze")
        .args(["verify", "--man=no", "--recursive-errors=no", &root, "unum.service"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&verify.stderr).into_owned();
    assert!(verify.status.success() && !told.contains("unum.service"), "{told}");
    let security = ["security", "--offline=true", "--threshold=20", &root, "unum.service"];
    let told = run("systemd-analyze", &security);
    assert!(told.contains("Overall exposure level"), "{told}");
}
