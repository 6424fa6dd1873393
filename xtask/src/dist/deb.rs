//! A Debian package, made without Debian's tools: an `ar` archive of two tar archives.

use super::elf::needed_glibc;
use super::tar::{Tree, gzip};
use super::{Made, Release};

/// The settings that the package installs, which a host changes and an upgrade leaves alone.
pub(super) const CONFIG: &str = "etc/unum/serve.toml";

const CONFIG_TEXT: &str = "\
# The configuration of the service unum. `unum serve --print-config` prints all settings with their meaning, and
# `unum serve --config /etc/unum/serve.toml --check-config` says whether this file is right.

# port = 8080
# public_url = \"https://uno.example.org\"
# trusted_proxies = [\"127.0.0.1\"]
# max_database_megabytes = 4000
";

/// Nothing is started or stopped in a folder that stands for another machine, or where systemd does not run.
const HERE: &str = "[ -z \"${DPKG_ROOT:-}\" ] && [ -d /run/systemd/system ]";

fn after_installing() -> String {
    format!(
        "#!/bin/sh\nset -e\nif [ \"$1\" = configure ] && {HERE}; then\n    systemctl daemon-reload\n    \
         # A server that runs goes on with the new program.\n    systemctl try-restart unum.service\n    if [ -z \"$2\" ]; then\n        \
         echo 'unum: look at /etc/unum/serve.toml, then start it with: systemctl enable --now unum'\n    fi\nfi\n"
    )
}

fn before_removing() -> String {
    format!(
        "#!/bin/sh\nset -e\nif [ \"$1\" = remove ] && {HERE}; then\n    systemctl disable --now unum.socket unum.service\nfi\n"
    )
}

fn after_removing() -> String {
    format!(
        "#!/bin/sh\nset -e\nif {HERE}; then\n    systemctl daemon-reload\nfi\nif [ \"$1\" = purge ]; then\n    \
         echo 'unum: games and guests are still in /var/lib/unum; remove that folder to delete them'\nfi\n"
    )
}

/// The package.
///
/// # Errors
/// When a path is too long.
pub(super) fn package(release: &Release, made: &Made, architecture: &str) -> anyhow::Result<Vec<u8>> {
    let data = tree(release, made)?;
    let size = data.files().map(|(_, bytes)| bytes.len().div_ceil(1024)).sum::<usize>();
    let needs = match needed_glibc(&made.program) {
        Some((major, minor)) => format!("Depends: libc6 (>= {major}.{minor})\n"),
        None => String::new(),
    };
    let mut control = Tree::default();
    control.file(
        "control",
        format!(
            "Package: unum\nVersion: {}\nArchitecture: {architecture}\nMaintainer: unum <unum@localhost>\nInstalled-Size: {size}\n\
             {needs}Section: games\nPriority: optional\nDescription: UNO for players, hosts and researchers\n \
             A server that friends join with a link, the game in a terminal, bots,\n and a rules engine with a laboratory. One program, which needs no other.\n",
            release.version
        )
    );
    control.file("conffiles", format!("/{CONFIG}\n"));
    control.program("postinst", after_installing());
    control.program("prerm", before_removing());
    control.program("postrm", after_removing());
    let epoch = release.epoch;
    let parts = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&control.to_tar("./", epoch)?)?),
        ("data.tar.gz", gzip(&data.to_tar("./", epoch)?)?),
    ];
    Ok(ar(&parts, epoch))
}

/// What it installs.
fn tree(release: &Release, made: &Made) -> anyhow::Result<Tree> {
    let mut tree = Tree::default();
    tree.program("usr/bin/unum", made.program.clone());
    tree.file(CONFIG, CONFIG_TEXT);
    for (name, text) in release.units() {
        tree.file(&format!("usr/lib/systemd/system/{name}"), text.clone());
    }
    for (name, page) in &made.manual {
        tree.file(&format!("usr/share/man/man1/{name}.gz"), gzip(page.as_bytes())?);
    }
    for (place, shell) in [
        ("usr/share/bash-completion/completions/unum", "unum.bash"),
        ("usr/share/zsh/vendor-completions/_unum", "_unum"),
        ("usr/share/fish/vendor_completions.d/unum.fish", "unum.fish"),
    ] {
        tree.file(place, made.completions.get(shell).cloned().unwrap_or_default());
    }
    tree.file("usr/share/doc/unum/copyright", format!("{}\n{}", release.license, made.licenses));
    tree.file("usr/share/doc/unum/changelog.gz", gzip(release.changelog.as_bytes())?);
    Ok(tree)
}

/// The common format of `ar`.
fn ar(parts: &[(&str, Vec<u8>)], epoch: u64) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in parts {
        bytes.extend(format!("{name:<16}{epoch:<12}0     0     100644  {:<10}`\n", content.len()).bytes());
        bytes.extend(content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}
