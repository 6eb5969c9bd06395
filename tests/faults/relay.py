"""A relay to git repositories that a test can cut: it forwards bytes until told otherwise."""
import socket
import struct
import subprocess
import threading
import time

from support import ENVIRONMENT


def git_daemon(folder, export_all=True):
    """Connects each connection to its own git daemon, so that no port is needed."""
    export = ["--export-all"] if export_all else []

    def connect():
        ours, theirs = socket.socketpair()
        subprocess.Popen(
            ["git", "-c", "core.fsync=none", "daemon", "--inetd", *export,
             "--enable=receive-pack", f"--base-path={folder}", str(folder)],
            stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        theirs.close()
        return ours
    return connect


def tcp(port):
    return lambda: socket.create_connection(("127.0.0.1", port))


class Relay:
    """Accepts connections on a free port and relays them. Counts bytes over all connections since clear(),
    separately up (to the repositories) and down."""

    def __init__(self, connect, port=0):
        self.connect = connect
        self.lock = threading.Lock()
        self.open = set()
        self.silent = set()  # ends of connections on which nothing is forwarded any more
        self.clear()
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def clear(self):
        with self.lock:
            self.count = {"up": 0, "down": 0}
            self.cut_at, self.how, self.cuts = None, None, 0
            self.pause = 0
            self.hangs = False
            self.stall_at, self.only_answers = None, False

    def cut(self, way, after, how):
        """Once, after that many bytes: "reset", "close", or "dead", which stops answering."""
        self.clear()
        with self.lock:
            self.cut_at, self.how = (way, after), how

    def drip(self, seconds):
        """Forwards a few bytes at a time, with a pause after each piece."""
        self.clear()
        self.pause = seconds

    def hang(self):
        """Forwards nothing on new connections until clear()."""
        self.hangs = True

    def stall_pushes(self, after, only_answers=False):
        """Once pushes have sent that many bytes, forwards nothing more on open connections and on new ones until clear();
        with `only_answers` it still forwards what the pushes send. Open connections stay silent after clear()."""
        self.clear()
        with self.lock:
            self.stall_at, self.only_answers = after, only_answers

    def end_all(self):
        """Resets all connections."""
        for connection in list(self.open):
            self._end(connection, reset=True)

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.hangs:
                self.open.add(near)
                continue
            if self.cuts and self.how == "dead":
                self._end(near, reset=True)
                continue
            try:
                far = self.connect()
            except OSError:
                self._end(near, reset=True)
                continue
            with self.lock:
                self.open |= {near, far}
            for way, source, sink in (("up", near, far), ("down", far, near)):
                threading.Thread(target=self._pump, args=(way, source, sink, near, far),
                                 daemon=True).start()

    def _allowed(self, way, size):
        """How many of `size` bytes may pass, and whether the connection ends after them."""
        with self.lock:
            passed, rest = self.count[way], None
            if self.cut_at and self.cut_at[0] == way and not self.cuts:
                rest = self.cut_at[1] - passed
            if rest is not None and rest <= size:
                self.cuts += 1
                self.count[way] += rest
                return rest, True
            self.count[way] += size
            return size, False

    def _stalls(self, size):
        """How many of `size` bytes of a push may pass; None: no limit is reached."""
        with self.lock:
            if self.stall_at is None:
                return None
            begun = max(self.stall_at, 0)
            self.stall_at -= size
            if self.stall_at > 0:
                return None
            self.silent |= self.open
            self.hangs = True
            return size if self.only_answers else begun

    def _pump(self, way, source, sink, near, far):
        head = b""  # a packet "0033git-receive-pack /edge.git", which may come in two parts
        try:
            while data := source.recv(16 if self.pause else 65536):
                head += data[:20 - len(head)]
                pushes = way == "up" and head[4:] == b"git-receive-pack"
                if source in self.silent:
                    if pushes and self.only_answers:
                        sink.sendall(data)
                    continue
                if pushes and (passing := self._stalls(len(data))) is not None:
                    sink.sendall(data[:passing])
                    continue
                size, over = self._allowed(way, len(data))
                sink.sendall(data[:size])
                if over:
                    self._end(near, reset=self.how != "close")
                    self._end(far)
                    return
                if self.pause:
                    time.sleep(self.pause)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            way = "both"  # one end is gone: a program that was killed resets its connection
        if way != "up":
            self._end(near)
            self._end(far)

    def _end(self, connection, reset=False):
        with self.lock:
            self.open.discard(connection)
            self.silent.discard(connection)
        try:
            if reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Wakes the other thread, whose blocked call would keep the connection open.
            connection.shutdown(socket.SHUT_RD if reset else socket.SHUT_RDWR)
        except OSError:
            pass
        connection.close()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()
        for connection in list(self.open):
            self._end(connection)
