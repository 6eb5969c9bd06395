"""Controls shim.c from tests: which call fails, what is recorded, what the clock shows."""
import errno
import mmap
import os
import struct
import unittest


def library():
    path = os.environ.get("PORTICO_FAULT_SHIM")
    if not path:
        raise unittest.SkipTest("PORTICO_FAULT_SHIM names no library (a sanitizer has its own)")
    return path


class Shim:
    """The shared state of the processes of one run; `file` is created anew."""

    CALLS, CLOCK, WHAT, BROKEN, SIZE = 0, 8, 32, 288, 4096
    KILL = 0

    def __init__(self, file, under):
        self.file, self.under = file, under
        file.write_bytes(bytes(self.SIZE))
        with file.open("r+b") as opened:
            self.map = mmap.mmap(opened.fileno(), self.SIZE)

    def environment(self, at=0, error=errno.ENOSPC, stays=False, keep=None):
        out = {"LD_PRELOAD": library(), "PORTICO_FAULT_STATE": str(self.file),
               "PORTICO_FAULT_UNDER": str(self.under), "PORTICO_FAULT_AT": str(at),
               "PORTICO_FAULT_ERROR": str(error)}
        if stays:
            out["PORTICO_FAULT_STAYS"] = "1"
        if keep:
            out["PORTICO_FAULT_KEEP"] = str(keep)
        return out

    def reset(self):
        self.map[:] = bytes(self.SIZE)

    @property
    def calls(self):
        """The number of calls that could have failed."""
        return struct.unpack_from("<Q", self.map, self.CALLS)[0]

    @property
    def failed(self):
        """The call that failed, and its file; empty if none was reached."""
        return bytes(self.map[self.WHAT:self.WHAT + 256]).split(b"\0")[0].decode()

    def set_clock(self, seconds):
        struct.pack_into("<q", self.map, self.CLOCK, seconds)

    def break_folder(self, slot, folder, error):
        """Every call below the folder fails with `error` until a call of this with error 0."""
        at = self.BROKEN + 256 * slot
        struct.pack_into("<i", self.map, at, 0)
        if error:
            struct.pack_into("252s", self.map, at + 4, str(folder).encode() + b"/")
            struct.pack_into("<i", self.map, at, error)
