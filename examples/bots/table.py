#!/usr/bin/env python3
"""Plays UNO on a server: docs/protocol.md in one small program. Python 3.9, nothing to install.

    table.py http://localhost:8080              opens a table with three bots and plays a match
    table.py http://localhost:8080/t/CODE       joins a table and plays as long as it is played there

Options: --name NAME or --token TOKEN (of a guest there is), --matches N (how many before it leaves, default 1), --bots N
and --level LEVEL (for a new table).
"""
import argparse, base64, http.client, json, os, socket, struct, sys, time, urllib.parse

from fair import Witness


class WebSocket:
    """As much of RFC 6455 as a text protocol needs."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        status = self.file.readline()
        while self.file.readline() not in (b"\r\n", b""):
            pass
        if b" 101 " not in status:
            raise ConnectionError(f"no WebSocket: {status.decode().strip()}")

    def send(self, payload, opcode=1):
        size = len(payload)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size))
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

    def receive(self):
        """The next text, or None when the connection is closed. The server never splits a message into frames."""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                return None
            opcode, size = head[0] & 15, head[1] & 127
            if size > 125:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            payload = self.file.read(size)
            if opcode == 1:
                return payload.decode()
            if opcode == 8:
                return None
            if opcode == 9:
                self.send(payload, 10)


def unfold(message):
    """Changes that were told together, one by one: only the last has what they led to."""
    earlier = message.pop("earlier", [])
    return [{"type": "update", **change} for change in earlier] + [message]


class Table:
    """A seat at one table that survives broken connections."""

    def __init__(self, host, port, code, token):
        self.where, self.code, self.token = (host, port), code, token
        self.socket, self.seq, self.last_id, self.unanswered, self.dismissed = None, None, 0, {}, None

    def request(self, kind, **fields):
        self.last_id += 1
        self.unanswered[self.last_id] = json.dumps({"id": self.last_id, "request": {"type": kind, **fields}}).encode()
        self.send(self.unanswered[self.last_id])
        return self.last_id

    def send(self, payload):
        try:
            self.socket.send(payload)
        except OSError:
            pass  # What was not answered is sent again after coming back.

    def messages(self):
        """All messages, over as many connections as it takes, until the server does not want us back."""
        pause = 0.1
        while not self.dismissed:
            try:
                self.socket = WebSocket(*self.where, "/ws")
                after = {} if self.seq is None else {"after": self.seq}
                hello = {"hello": {"version": 1, "table": self.code, "token": self.token, **after}}
                self.socket.send(json.dumps(hello).encode())
                while (text := self.socket.receive()) is not None:
                    pause = 0.1
                    for message in unfold(json.loads(text)):
                        self.note(message)
                        yield message
            except OSError as error:
                print(f"connection: {error}", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, 5)

    def note(self, message):
        kind = message["type"]
        if kind in ("update", "snapshot"):
            if kind == "update" and message["seq"] != self.seq + 1:
                raise SystemExit(f"update {message['seq']} came after {self.seq}")
            self.seq = message["seq"]
        if kind == "welcome":
            self.last_id = max(self.last_id, message["last_id"])
            self.unanswered = {id: text for id, text in self.unanswered.items() if id > message["last_id"]}
            for text in self.unanswered.values():
                self.send(text)
        if message.get("what", {}).get("type") == "code_renewed":
            self.code = message["what"]["code"]
        if kind == "refused" and message["code"] == "too_fast" and message.get("id") in self.unanswered:
            time.sleep(0.2)
            self.send(self.unanswered[message["id"]])
        elif kind in ("update", "done", "refused"):
            self.unanswered.pop(message.get("id"), None)
        if kind == "refused" and message["code"] == "too_soon":
            time.sleep(message["retry"] / 1000)
        if kind == "bye" and "retry" not in message:
            self.dismissed = message["message"]


def choose(game):
    """The strategy, such as it is: get rid of action cards and high numbers, keep wilds, call what one has most of."""
    hand, legal = game["view"].get("hand", []), game["legal"]
    first = legal[0]["action"]
    if first["type"] == "discard" and "count" in first:
        return {"type": "discard", "cards": hand[-first["count"]:]}

    def worth(choice):
        action = choice["action"]
        kind, card = action["type"], action.get("card", "")
        points = {"play": 10, "catch": 30, "call_uno": 40, "block": 9, "call_color": 5, "discard": 5, "take": 2}.get(kind, 1)
        color = action.get("color", "")[:1].upper()
        points += sum(name.startswith(color) for name in hand) / 10 if color else 0
        return points - 8 if card.startswith("W") else points + (int(card[1:]) if card[1:].isdigit() else 5 if card else 0)

    choice = max(legal, key=worth)
    return {**choice["action"], "uno": True} if choice.get("uno") else choice["action"]


def prepare(lobby, own, terms, me, bots, level, pledge):
    """What we have to do so that a round can begin, if anything."""
    chair = next((chair for chair in lobby["chairs"] if chair["person"] == me), None)
    if "accept" in own["may"]:
        return "accept", {"agreement": terms["agreement"]}
    if "add_bot" in own["may"] and sum(chair["person"] is None for chair in lobby["chairs"]) < bots:
        return "add_bot", {"level": level}
    if "start" in own["may"]:
        return "start", {"pledge": pledge()}
    if "ready" in own["may"] and chair and not chair["ready"]:
        return "ready", {"ready": True, "pledge": pledge()}
    return None


def call(host, port, path, body, token=None):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    connection = http.client.HTTPConnection(host, port, timeout=30)
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status >= 300:
        raise SystemExit(f"{path}: {answer.status} {text}")
    return json.loads(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--name", default="Python")
    parser.add_argument("--token")
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--bots", type=int, default=3)
    parser.add_argument("--level", default="normal")
    args = parser.parse_args()
    url = urllib.parse.urlsplit(args.url)
    host, port, code = url.hostname, url.port or 80, url.path.partition("/t/")[2].strip("/")
    token = args.token or call(host, port, "/api/guests", {"name": args.name})["token"]
    bots = 0 if code else args.bots
    code = code or call(host, port, "/api/tables", {"title": "A table of bots", "pace": "instant"}, token)["code"]
    table, lobby, terms, own, asked, me, played = Table(host, port, code, token), None, None, None, True, None, 0
    witness, mine = Witness(), set()
    for message in table.messages():
        for kind, fields in witness.hear(message):  # our part of the deal: nobody has to ask for it
            mine.add(table.request(kind, **fields))
        while witness.alarms:
            print(f"\n*** THE DEAL WAS NOT FAIR: {witness.alarms.pop(0)}. Do not trust this table. ***\n", file=sys.stderr, flush=True)
        while witness.not_compared:
            print(f"the deal of round {witness.not_compared.pop(0)} was not compared", file=sys.stderr)
        me, lobby, game = message.get("you", me), message.get("lobby", lobby), message.get("game")
        terms, own = message.get("terms", terms), message.get("own", own)
        if not table.unanswered and ("lobby" in message or "own" in message or message["type"] == "refused"):
            asked = False
        if message["type"] == "refused" and message.get("id") not in mine and message["code"] not in ("stale", "too_fast"):
            print(f"refused: {message['message']}", file=sys.stderr)
        for event in message.get("events", []):
            if event["type"] == "match_won":
                played += 1
                print(f"match {played}: {', '.join(lobby['chairs'][seat]['name'] for seat in event['winners'])} won", flush=True)
        if game and game["legal"]:
            table.request("act", at=game["at"], action=choose(game))
        elif not asked and not table.unanswered:
            wish = prepare(lobby, own, terms, me, bots, args.level, witness.pledge) if played < args.matches else ("leave", {})
            if wish:
                table.request(wish[0], **wish[1])
                asked = True  # and wait for the lobby that shows it
    print(f"good-bye: {table.dismissed}", file=sys.stderr)


if __name__ == "__main__":
    main()
