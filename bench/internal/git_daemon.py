"""A git daemon for benchmarks of remote repositories."""
import os
import signal
import socket
import subprocess
import time

from commands import ENVIRONMENT


class Daemon:
    """A git daemon, on a free port, for the repositories of a folder."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as one:
            self.port = one.getsockname()[1]
        self.process = subprocess.Popen(
            ["git", "daemon", "--reuseaddr", "--listen=127.0.0.1", f"--port={self.port}", "--export-all",
             "--enable=receive-pack", f"--base-path={folder}", str(folder)],
            env=ENVIRONMENT, stderr=subprocess.DEVNULL, start_new_session=True)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
