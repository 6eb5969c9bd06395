"""The versions of kubectl installed side by side ("kubectl.1.27" next to kubectl)."""
import pathlib
import re

from api_server import KUBECTL


def oldest_and_newest():
    """(version, path) of each; only kubectl, of any version, if there are no others."""
    if not KUBECTL:
        return []
    beside = pathlib.Path(KUBECTL).resolve().parent
    found = sorted((tuple(map(int, m.groups())), str(path)) for path in beside.glob("kubectl.*")
                   if (m := re.fullmatch(r"kubectl\.(\d+)\.(\d+)", path.name)))
    if not found:
        return [((), KUBECTL)]
    return [found[0], found[-1]] if len(found) > 1 else found
