"""The versions of kubectl that are installed side by side ("kubectl.1.27" beside kubectl)."""
import pathlib
import re

from api_server import KUBECTL


def oldest_and_newest():
    """(version, path) of each; the one kubectl, whatever it is, where there are no others."""
    if not KUBECTL:
        return []
    beside = pathlib.Path(KUBECTL).resolve().parent
    found = sorted((tuple(map(int, m.groups())), str(path)) for path in beside.glob("kubectl.*")
                   if (m := re.fullmatch(r"kubectl\.(\d+)\.(\d+)", path.name)))
    if not found:
        return [((), KUBECTL)]
    return [found[0], found[-1]] if len(found) > 1 else found
