"""`unum referee` on a pipe, and what to raise when it is wrong."""

import json
import signal
import subprocess

PATIENCE = 20  # seconds to wait for replies


class Mismatch(Exception):
    """Engine and oracle disagree; `details` say where and how to reproduce it."""

    def __init__(self, kind, details):
        self.kind, self.details = kind, details
        super().__init__(kind)


def dump(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


class Engine:
    """`unum referee` on a pipe."""

    def __init__(self, path):
        self.path = path
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.path, "referee"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def raw(self, *requests):
        """The reply lines to these requests, sent together."""
        pipe = self.process.stdin
        signal.alarm(PATIENCE)
        try:
            pipe.write("".join(dump(r) + "\n" for r in requests).encode())
            pipe.flush()
            lines = [self.process.stdout.readline() for _ in requests]
        except (BrokenPipeError, TimeoutError):
            lines = [b""]
        signal.alarm(0)
        if not all(lines):
            self.process.kill()
            self.process.wait()
            self.start()
            raise Mismatch("the engine ended, crashed or did not answer", {"requests": requests})
        return lines

    def ask(self, *requests):
        replies = []
        for line in self.raw(*requests):
            try:
                replies.append(json.loads(line))
            except ValueError:
                raise Mismatch("a reply is not JSON", {"reply": line.decode(errors="replace")}) from None
        return replies

    def close(self):
        self.process.stdin.close()
        self.process.wait()
