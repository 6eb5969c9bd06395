"""Reconstructs a folder after a power cut from shim.c's recording: names and contents that were not
synced may be present, missing, or present in part."""
import os
import pathlib
import shutil

BLOCK = 4096


class Recording:
    """Create it before a run; `keep` is a folder on the same file system, outside `folder`."""

    def __init__(self, folder, keep):
        self.folder, self.keep = pathlib.Path(folder), pathlib.Path(keep)
        shutil.rmtree(self.keep, ignore_errors=True)
        self.keep.mkdir()
        # Everything that exists before the run is on the disk.
        self.old = {}
        for path in self._files():
            self.old[path.stat().st_ino] = path.read_bytes()

    def _files(self):
        for parent, _, names in os.walk(self.folder):
            for name in names:
                path = pathlib.Path(parent) / name
                if path.is_file() and not path.is_symlink():
                    yield path

    def cut(self, choice, each_folder_alone):
        """Removes from `folder` what the disk may not have; `choice` provides the random numbers.

        Name changes reach the disk in order, as in journaling file systems, and all changes before
        the last sync of a folder have reached it. With `each_folder_alone` this order holds only
        within each folder, which is the least that POSIX promises. Returns how much was lost, for
        messages.
        """
        log = self.keep / "log"
        lines = [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []
        lost = self._lost_names(lines, choice, each_folder_alone)
        for line in reversed(lost):
            self._undo(line)
        return f"{len(lost)} of {len(lines)} names, {self._lose_contents(choice)} contents"

    @staticmethod
    def _folder_of(line):
        word, path = line[0], line[1]
        if word == "sync-folder":
            return path
        return os.path.dirname(line[2] if word in ("rename", "exchange") else path)

    def _lost_names(self, lines, choice, each_folder_alone):
        groups = {}
        for index, line in enumerate(lines):
            groups.setdefault(self._folder_of(line) if each_folder_alone else "", []).append(index)
        lost = set()
        for indexes in groups.values():
            first = 0
            for place, index in enumerate(indexes):
                if lines[index][0] == "sync-folder":
                    first = place + 1
            end = choice.choice([first, len(indexes), choice.randint(first, len(indexes))])
            lost.update(indexes[end:])
        return [lines[i] for i in sorted(lost) if not lines[i][0].startswith("sync")]

    def _undo(self, line):
        word, path = line[0], pathlib.Path(line[1])
        if word == "create":
            if path.is_file() or path.is_symlink():
                path.unlink()
        elif word == "mkdir":
            shutil.rmtree(path, ignore_errors=True)
        elif word == "rmdir":
            if path.parent.is_dir():
                path.mkdir(exist_ok=True)
        elif word == "unlink":
            self._dig_up(line[2], path)
        elif word == "rename":
            to = pathlib.Path(line[2])
            if os.path.lexists(to):
                if path.parent.is_dir():
                    to.rename(path)
                elif to.is_dir():
                    shutil.rmtree(to)
                else:
                    to.unlink()
            self._dig_up(line[3], to)

    def _dig_up(self, number, path):
        grave = self.keep / f"grave-{number}"
        if number != "0" and grave.exists() and path.parent.is_dir() and not os.path.lexists(path):
            os.link(grave, path)

    def _lose_contents(self, choice):
        lost = 0
        for path in list(self._files()):
            number = path.stat().st_ino
            synced = self.keep / str(number)
            durable = synced.read_bytes() if synced.exists() else self.old.get(number, b"")
            now = path.read_bytes()
            if now == durable:
                continue
            lost += 1
            left = choice.choice([durable, now, self._partly(durable, now, choice)])
            mode = path.stat().st_mode
            path.unlink()
            path.write_bytes(left)
            path.chmod(mode & 0o777)
        return lost

    @staticmethod
    def _partly(durable, now, choice):
        """Each block is as last synced or as last written; the part by which the file has grown may be
        present in part, or be zeros. A block not written since its sync stays."""
        size = choice.choice([len(durable), len(now),
                              choice.randint(*sorted((len(durable), len(now))))])
        out = b""
        for at in range(0, size, BLOCK):
            blocks = [text[at:at + BLOCK] for text in (durable, now) if at < len(text)]
            if at >= len(durable):
                blocks.append(b"")
            length = min(BLOCK, size - at)
            out += choice.choice(blocks).ljust(length, b"\0")[:length]
        return out
