//! `cargo xtask dist`: everything that a release consists of. The same sources give the same bytes.

mod build;
mod deb;
mod elf;
mod oci;
mod packages;
mod sbom;
mod tar;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};

use crate::{command, root, run as check};
use tar::{Tree, gzip};

/// Where the files for others to copy are, in the sources.
const DEPLOY: &str = "deploy";
/// These files: by name, because a host who tries them out keeps secrets beside them.
const DEPLOYED: [&str; 8] = [
    "compose/Caddyfile",
    "compose/alone.yaml",
    "compose/public.yaml",
    "compose/three.yaml",
    "kubernetes/alone.yaml",
    "kubernetes/three.yaml",
    "systemd/unum.service",
    "systemd/unum.socket",
];
/// Those of them that systemd reads.
const UNITS: &str = "systemd/";
/// The list of digests.
const SUMS: &str = "SHA256SUMS";
/// Shells, with the usual names of the files that complete words in them.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "unum.bash"),
    ("zsh", "_unum"),
    ("fish", "unum.fish"),
    ("elvish", "unum.elv"),
    ("powershell", "_unum.ps1"),
];

/// What to make.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to put everything
    #[arg(long, value_name = "FOLDER", default_value = "target/dist")]
    out: PathBuf,

    /// What to compile for [default: this machine; on Linux with musl, so that no library is needed]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,

    /// Pack this program, instead of compiling one
    #[arg(long, value_name = "FILE", conflicts_with = "twice", requires = "target")]
    program: Option<PathBuf>,

    /// Compile everything once more from a copy of the sources elsewhere, and compare every byte
    #[arg(long)]
    twice: bool,
}

/// What is released, as far as it is the same for all machines.
struct Release {
    version: String,
    commit: String,
    /// When it was committed, in seconds since 1970: the time of every file.
    epoch: u64,
    license: String,
    changelog: String,
    /// What is in [`DEPLOY`], by its path there.
    deploy: BTreeMap<&'static str, String>,
}

impl Release {
    /// The units of systemd, by name.
    fn units(&self) -> impl Iterator<Item = (&str, &String)> {
        self.deploy.iter().filter_map(|(path, text)| Some((path.strip_prefix(UNITS)?, text)))
    }

    fn of_sources() -> anyhow::Result<Release> {
        let commit = said(command("git rev-parse HEAD"));
        let epoch = std::env::var("SOURCE_DATE_EPOCH").ok().or_else(|| said(command("git log -1 --format=%ct")).ok());
        let epoch = epoch.context("neither git nor SOURCE_DATE_EPOCH says of when these sources are")?;
        let read = |path: &str| fs::read_to_string(root().join(path)).with_context(|| path.to_owned());
        Ok(Release {
            version: version()?,
            commit: commit.map_or_else(|_| "unknown".to_owned(), |commit| commit.trim().to_owned()),
            epoch: epoch.trim().parse().context("SOURCE_DATE_EPOCH is a number of seconds")?,
            license: read("LICENSE")?,
            changelog: read("CHANGELOG.md")?,
            deploy: DEPLOYED
                .iter()
                .map(|path| Ok((*path, read(&format!("{DEPLOY}/{path}"))?)))
                .collect::<anyhow::Result<_>>()?,
        })
    }
}

/// The version, which has one place: `[workspace.package]` in Cargo.toml.
pub(crate) fn version() -> anyhow::Result<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let package = manifest.split("[workspace.package]").nth(1).context("Cargo.toml has no [workspace.package]")?;
    let line = package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    line.map(str::to_owned).context("Cargo.toml has no version")
}

/// What is made for one kind of machine.
struct Made {
    target: String,
    program: Vec<u8>,
    /// The manual: pages by name.
    manual: BTreeMap<String, String>,
    /// Completions, by the name of the file.
    completions: BTreeMap<&'static str, String>,
    /// The licenses of everything in the program.
    licenses: String,
    sbom: String,
}

/// Artifacts, by the names of their files.
type Artifacts = BTreeMap<String, Vec<u8>>;

/// Makes everything.
///
/// # Errors
/// When something cannot be built, or a second build differs.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let release = Release::of_sources()?;
    if said(command("git status --porcelain --untracked-files=no")).is_ok_and(|changes| !changes.is_empty()) {
        eprintln!("these sources differ from the commit: what is made belongs to no version");
    }
    let target = match &args.target {
        Some(target) => target.clone(),
        None => build::usual_target()?,
    };
    let folder = root().join("target/dist-build");
    let program = match &args.program {
        Some(program) => program.clone(),
        None => build::program(root(), &folder, &target, release.epoch)?,
    };
    let artifacts = artifacts(&release, &made(&release, &target, &program)?)?;
    write(&artifacts, &args.out)?;
    if args.twice {
        let copy = copied_sources(&root().join("target/dist-again"))?;
        let again = build::program(&copy, &copy.join("target"), &target, release.epoch)?;
        let second = self::artifacts(&release, &made(&release, &target, &again)?)?;
        compare(&artifacts, &second)?;
        eprintln!("a second build from a copy of the sources gave the same bytes");
    }
    Ok(())
}

/// The sources that git knows, in another place.
fn copied_sources(folder: &Path) -> anyhow::Result<PathBuf> {
    let copy = folder.join("unum");
    // What was compiled there before may stay, unless somebody removes it: another build of the same is what is wanted.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for path in said(command("git ls-files"))?.lines() {
        let to = copy.join(path);
        fs::create_dir_all(to.parent().unwrap_or(&copy))?;
        fs::copy(root().join(path), to).with_context(|| path.to_owned())?;
    }
    Ok(copy)
}

fn compare(first: &Artifacts, second: &Artifacts) -> anyhow::Result<()> {
    let differ: Vec<&str> =
        first.iter().filter(|(name, bytes)| second.get(*name) != Some(bytes)).map(|(name, _)| name.as_str()).collect();
    if differ.is_empty() && first.len() == second.len() {
        return Ok(());
    }
    bail!("a second build gave other bytes: {}", differ.join(", "))
}

/// What comes with a program: its manual and completions, which it makes itself, and what it is made of.
fn made(release: &Release, target: &str, program: &Path) -> anyhow::Result<Made> {
    let packages = packages::all(target)?;
    Ok(Made {
        target: target.to_owned(),
        program: fs::read(program).with_context(|| program.display().to_string())?,
        manual: manual(program)?,
        completions: SHELLS
            .iter()
            .map(|(shell, file)| Ok((*file, said(asked(program, &["completions", shell]))?)))
            .collect::<anyhow::Result<_>>()?,
        licenses: packages::licenses(&packages)?,
        sbom: serde_json::to_string_pretty(&sbom::document(release, &packages, target))? + "\n",
    })
}

/// The program with that command, told as little of this machine as possible.
fn asked(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).env_clear().env("HOME", HOME);
    command
}

/// Whose manual it is; readers see `~`.
const HOME: &str = "/home/you";

fn manual(program: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let folder = root().join(format!("target/dist-man-{}", std::process::id()));
    let words = ["man", folder.to_str().context("a path of letters")?];
    said(asked(program, &words))?;
    let mut pages = BTreeMap::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        pages.insert(name, fs::read_to_string(path)?.replace(HOME, "~"));
    }
    fs::remove_dir_all(folder)?;
    Ok(pages)
}

/// Everything that people download for one kind of machine, and its digests.
fn artifacts(release: &Release, made: &Made) -> anyhow::Result<Artifacts> {
    let (version, target) = (&release.version, &made.target);
    let name = format!("unum-{version}-{target}");
    let mut artifacts = Artifacts::new();
    artifacts.insert(format!("{name}.tar.gz"), gzip(&archive(release, made).below(&name).to_tar("", release.epoch)?)?);
    artifacts.insert(format!("{name}.cdx.json"), made.sbom.clone().into_bytes());
    if let Some(architecture) = architecture(target) {
        artifacts.insert(format!("unum_{version}_{architecture}.deb"), deb::package(release, made, architecture)?);
        match elf::is_static(&made.program) {
            Some(true) => {
                let name = format!("unum-{version}-linux-{architecture}.oci.tar");
                artifacts.insert(name, oci::image(release, made, architecture)?);
            }
            _ => eprintln!("no image: the program needs libraries, and the image has none"),
        }
    }
    let sums: String = artifacts.iter().map(|(name, bytes)| format!("{}  {name}\n", digest(bytes))).collect();
    artifacts.insert(SUMS.to_owned(), sums.into_bytes());
    Ok(artifacts)
}

/// What Debian and container engines call the processors of a target, if it is Linux.
fn architecture(target: &str) -> Option<&'static str> {
    match target.split_once("-unknown-linux-")?.0 {
        "x86_64" => Some("amd64"),
        "aarch64" => Some("arm64"),
        _ => None,
    }
}

/// The archive for people without a package manager.
fn archive(release: &Release, made: &Made) -> Tree {
    let mut tree = Tree::default();
    tree.program(if made.target.contains("windows") { "unum.exe" } else { "unum" }, made.program.clone());
    tree.file("LICENSE", release.license.clone());
    tree.file("THIRD-PARTY.txt", made.licenses.clone());
    tree.file("CHANGELOG.md", release.changelog.clone());
    tree.file("INSTALL.txt", INSTALL.replace("VERSION", &release.version));
    for (name, page) in &made.manual {
        tree.file(&format!("man/man1/{name}"), page.clone());
    }
    for (name, script) in &made.completions {
        tree.file(&format!("completions/{name}"), script.clone());
    }
    if architecture(&made.target).is_some() {
        for (path, text) in &release.deploy {
            tree.file(&format!("{DEPLOY}/{path}"), text.clone());
        }
    }
    tree
}

const INSTALL: &str = "\
unum VERSION

`unum` is the whole program: put it wherever your system looks for programs, such as ~/.local/bin or /usr/local/bin. On Windows
it is called unum.exe.

    ./unum             start a server, and open the address it prints
    ./unum play        play in the terminal, against bots
    ./unum help        everything else

man/          the manual: copy man1 into ~/.local/share/man/ or /usr/local/share/man/
completions/  for bash, zsh, fish, elvish and PowerShell; `unum help completions` says where they go
deploy/       for Linux: a service for systemd, which expects the program at /usr/bin/unum, and files for containers and
              Kubernetes
THIRD-PARTY.txt  the licenses of everything in the program
";

/// Puts artifacts into a folder, beside those for other machines. The digests of all are in one list.
fn write(artifacts: &Artifacts, out: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(out)?;
    for (name, bytes) in artifacts.iter().filter(|(name, _)| *name != SUMS) {
        fs::write(out.join(name), bytes)?;
        println!("{:>10}  {}", bytes.len(), out.join(name).display());
    }
    fs::write(out.join(SUMS), &artifacts[SUMS])?;
    println!("{}", out.join(SUMS).display());
    Ok(())
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A moment as RFC 3339 has it, such as `2026-11-19T03:45:12Z`.
fn rfc3339(epoch: u64) -> String {
    let (days, seconds) = (epoch / 86_400 + 719_468, epoch % 86_400);
    // Howard Hinnant's `civil_from_days`: years begin in March.
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + next;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// What a command prints.
fn said(mut command: Command) -> anyhow::Result<String> {
    let line = crate::describe(&command);
    let output = command.output().with_context(|| line.clone())?;
    if !output.status.success() {
        bail!("{line} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Checks everything that a release must have, and makes it.
///
/// # Errors
/// When something is missing, or cannot be made.
pub(crate) fn release(args: &Args) -> anyhow::Result<()> {
    let wrong = unready()?;
    if !wrong.is_empty() {
        bail!("this is no release yet:\n  {}", wrong.join("\n  "));
    }
    check(command("cargo xtask deploy"))?;
    run(args)?;
    let version = version()?;
    println!("\nEverything is made. What is left: try it, then tag it: git tag --sign v{version} && git push --tags");
    Ok(())
}

/// What does not say the version that it should, in words.
fn unready() -> anyhow::Result<Vec<String>> {
    let version = version()?;
    let read = |path: &str| fs::read_to_string(root().join(path)).with_context(|| path.to_owned());
    let mut wrong = Vec::new();
    for path in ["web/package.json", "web/package-lock.json"] {
        let document: serde_json::Value = serde_json::from_str(&read(path)?)?;
        let versions = [Some(&document["version"]), document.pointer("/packages//version")];
        if versions.into_iter().flatten().any(|found| !found.is_null() && *found != version.as_str()) {
            wrong.push(format!("{path} has another version than Cargo.toml ({version})"));
        }
    }
    if !read("python/Cargo.toml")?.contains(&format!("\nversion = \"{version}\"\n")) {
        wrong.push(format!("python/Cargo.toml has another version than Cargo.toml ({version})"));
    }
    for path in ["Cargo.lock", "python/Cargo.lock"] {
        if !read(path)?.contains(&format!("name = \"unum-rules\"\nversion = \"{version}\"")) {
            wrong.push(format!("{path} is out of date: cargo check"));
        }
    }
    if !read("CHANGELOG.md")?.lines().any(|line| line == format!("## {version}")) {
        wrong.push(format!("CHANGELOG.md has no section ## {version}"));
    }
    if !root().join("crates/unum-table/fixtures").join(&version).is_dir() {
        let how = "UNUM_WRITE_FIXTURES=1 cargo test -p unum-table fixtures";
        wrong.push(format!("crates/unum-table/fixtures has no journals of {version}: {how}"));
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_for_hosts_is_packed() {
        let mut found: Vec<String> = Vec::new();
        for kind in ["compose", "kubernetes", "systemd"] {
            for entry in fs::read_dir(root().join(DEPLOY).join(kind)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    found.push(format!("{kind}/{}", path.file_name().unwrap().to_string_lossy()));
                }
            }
        }
        found.sort();
        assert_eq!(found, DEPLOYED);
    }

    #[test]
    fn everything_says_the_same_version() {
        assert_eq!(unready().unwrap(), Vec::<String>::new());
        assert_eq!(version().unwrap(), env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn moments_are_written_as_programs_expect() {
        for (epoch, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_795_059_178, "2026-11-19T03:32:58Z"),
            (4_102_444_799, "2099-12-31T23:59:59Z"),
        ] {
            assert_eq!(rfc3339(epoch), text);
        }
    }

    #[test]
    fn an_image_is_whole_and_says_what_runs_in_it() {
        let release = Release {
            version: "1.2.3".to_owned(),
            commit: "c0ffee".to_owned(),
            epoch: 1_795_059_178,
            license: "MIT".to_owned(),
            changelog: String::new(),
            deploy: BTreeMap::new(),
        };
        let made = Made {
            target: "x86_64-unknown-linux-musl".to_owned(),
            program: b"the program".to_vec(),
            manual: BTreeMap::new(),
            completions: BTreeMap::new(),
            licenses: String::new(),
            sbom: String::new(),
        };
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("image.tar");
        fs::write(&archive, oci::image(&release, &made, "amd64").unwrap()).unwrap();
        let unpack = |archive: &Path, to: &Path| {
            fs::create_dir_all(to).unwrap();
            let mut tar = Command::new("tar");
            tar.arg("-xf").arg(archive).arg("-C").arg(to).args(["--no-same-owner"]);
            assert!(tar.status().unwrap().success());
        };
        let layout = folder.path().join("layout");
        unpack(&archive, &layout);
        let blob = |descriptor: &serde_json::Value| {
            let digest = descriptor["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap();
            let bytes = fs::read(layout.join("blobs/sha256").join(digest)).unwrap();
            assert_eq!(
                (self::digest(&bytes), descriptor["size"].as_u64()),
                (digest.to_owned(), Some(bytes.len() as u64))
            );
            bytes
        };
        let json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
        assert_eq!(json(&fs::read(layout.join("oci-layout")).unwrap())["imageLayoutVersion"], "1.0.0");
        let index = json(&fs::read(layout.join("index.json")).unwrap());
        let manifest = json(&blob(&index["manifests"][0]));
        let config = json(&blob(&manifest["config"]));
        assert_eq!(config["config"]["User"], "65532:65532");
        assert_eq!(config["config"]["Entrypoint"][0], "/unum");
        assert_eq!(config["created"], "2026-11-19T03:32:58Z");
        let layer = folder.path().join("layer.tar.gz");
        fs::write(&layer, blob(&manifest["layers"][0])).unwrap();
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&fs::read(&layer).unwrap()[..]), &mut plain)
            .unwrap();
        assert_eq!(config["rootfs"]["diff_ids"][0], format!("sha256:{}", digest(&plain)));
        let machine = folder.path().join("root");
        unpack(&layer, &machine);
        assert_eq!(fs::read(machine.join("unum")).unwrap(), b"the program");
        assert!(machine.join("data").is_dir() && machine.join("etc/passwd").is_file());
    }
}
