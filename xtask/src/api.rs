//! `cargo xtask api`: the HTTP interface against its own OpenAPI document, by schemathesis.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::page::{Profile, build};
use crate::{available, command, install_package, root, run as check};

/// The version that is installed, below `target`.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
/// How long a server may take to start.
const START: Duration = Duration::from_secs(60);
/// The request limit during a test run, high enough that the server's rate limits hide nothing.
const LIMITS: [&str; 9] = [
    "--connections-per-address",
    "--requests-per-minute",
    "--new-guests-per-minute",
    "--new-tables-per-minute",
    "--new-guests-in-all-per-minute",
    "--new-tables-in-all-per-minute",
    "--tables",
    "--tables-per-address",
    "--tables-per-guest",
];

/// Visits a table briefly, so that the guest who opened it becomes its host.
const VISIT: &str = "import sys, table
visit = table.Table(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
next(message for message in visit.messages() if message['type'] == 'snapshot')";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many requests to make up for each operation
    #[arg(long, default_value_t = 200)]
    examples: u32,
    /// Where the requests come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A server to test instead of one that is built for it
    #[arg(long, value_name = "FILE")]
    unum: Option<PathBuf>,
}

/// Tests every operation with all checks; fails when one finds something.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let unum = args.unum.clone().map_or_else(|| build(Profile::Debug), Ok)?;
    test(&unum, args.examples, args.seed)
}

/// The same in less than a minute, with the binary that other checks have built.
pub(crate) fn quick() -> anyhow::Result<()> {
    test(&build(Profile::Debug)?, 10, 1)
}

fn test(unum: &Path, examples: u32, seed: u64) -> anyhow::Result<()> {
    let schemathesis = install()?;
    let server = Server::start(unum)?;
    let url = format!("http://{}", server.address);
    let token = found(&server.ask("POST", "/api/guests", "", r#"{"name":"Tester"}"#)?, "token")?;
    let mut game = command("python3 examples/bots/table.py");
    game.args([&url, "--token", &token]);
    check(game)?;
    let game = server.finished_game(&token)?;
    let table = server.open_table(&token)?;
    let begin = Instant::now();
    let mut tests = program(&schemathesis);
    tests.args(["--config-file", "xtask/schemathesis.toml", "run", &format!("{url}/api/openapi.json")]);
    tests.args(["--checks", "all", "--no-color"]).env("FINISHED_GAME", game).env("OPEN_TABLE", table);
    tests.args(["--max-examples", &examples.to_string(), "--seed", &seed.to_string(), "--request-timeout", "10"]);
    tests.args(["--header", &format!("Authorization: Bearer {token}")]);
    // Its database of past failures would make runs differ.
    tests.args(["--generation-database", "none"]);
    check(tests)?;
    println!("api: no finding with {examples} examples and seed {seed} in {} s", begin.elapsed().as_secs());
    Ok(())
}

/// Where schemathesis is, installed into an environment of its own if it is not there.
fn install() -> anyhow::Result<PathBuf> {
    let folder = root().join("target/schemathesis");
    let schemathesis = folder.join("bin/schemathesis");
    let wanted = SCHEMATHESIS.split_once("==").map_or("", |(_, version)| version);
    let version = program(&schemathesis).arg("--version").output();
    if version.is_ok_and(|found| String::from_utf8_lossy(&found.stdout).contains(wanted)) {
        return Ok(schemathesis);
    }
    if !available("python3 --version") {
        bail!("schemathesis is a Python program: install Python 3.10 or newer");
    }
    // Debian's Python comes without it.
    if !available("python3 -m ensurepip --version") {
        install_package("python3-venv")?;
    }
    let mut environment = command("python3 -m venv");
    environment.arg(&folder);
    check(environment)?;
    let mut pip = program(&folder.join("bin/pip"));
    pip.args(["install", "--quiet", SCHEMATHESIS]);
    check(pip)?;
    Ok(schemathesis)
}

/// A command by its path.
fn program(path: &Path) -> Command {
    let mut program = Command::new(path);
    program.current_dir(root());
    program
}

/// A server that keeps nothing, killed when this is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(unum: &Path) -> anyhow::Result<Server> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr())?;
        let mut serve = program(unum);
        serve.args(["serve", "--ephemeral", "--listen", "127.0.0.1", "--port", &free.port().to_string()]);
        serve.args(LIMITS.iter().flat_map(|limit| [*limit, "1000000000"])).stdout(Stdio::null());
        let child = serve.spawn().with_context(|| format!("{} could not be started", unum.display()))?;
        let mut server = Server { child, address: free.to_string() };
        server.wait()?;
        Ok(server)
    }

    fn wait(&mut self) -> anyhow::Result<()> {
        let begin = Instant::now();
        while TcpStream::connect(&self.address).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended: {status}");
            }
            if begin.elapsed() > START {
                bail!("the server does not answer");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// A request with a JSON body, or none; the whole answer.
    fn ask(&self, method: &str, path: &str, token: &str, body: &str) -> anyhow::Result<String> {
        let mut stream = TcpStream::connect(&self.address)?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// The code of a table whose settings this guest can change.
    fn open_table(&self, token: &str) -> anyhow::Result<String> {
        let code = found(&self.ask("POST", "/api/tables", token, "{}")?, "code")?;
        let (host, port) = self.address.split_once(':').unwrap_or_default();
        let mut visit = command("python3 -c");
        visit.current_dir(root().join("examples/bots")).args([VISIT, host, port, &code, token]);
        check(visit)?;
        Ok(code)
    }

    /// The id of a match that this guest has played; its record is made after its end.
    fn finished_game(&self, token: &str) -> anyhow::Result<String> {
        let begin = Instant::now();
        loop {
            match found(&self.ask("GET", "/api/games", token, "")?, "id") {
                Err(_) if begin.elapsed() < START => std::thread::sleep(Duration::from_millis(20)),
                game => return game,
            }
        }
    }
}

/// The first text in an answer that has this name.
fn found(answer: &str, name: &str) -> anyhow::Result<String> {
    let text = answer.split(&format!("\"{name}\":\"")).nth(1).and_then(|rest| rest.split('"').next());
    text.map(str::to_owned).with_context(|| format!("there is no {name} in {answer}"))
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that has ended already cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
