"""Which delivered image a problem means by a name."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from stepforge.records import ImageRef

_ENDINGS = ("", ".png", ".jpg", ".jpeg")


class FigureIndex:
    """Looks images up by the name that a source writes: a path, a file name, or a name without its ending."""

    def __init__(self, images: Mapping[str, ImageRef]) -> None:
        """images: path inside the batch -> the image."""
        self._by_path = dict(images)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in sorted(images):
            self._by_name[PurePosixPath(path).name].append(path)

    def candidates(self, document_path: str, written: str) -> list[str]:
        """Paths that the name may mean, the best kind of match only: beside the document, the whole path, the end of a
        path.  A name with folders never means a file in other folders: sets reuse short file names."""
        name, folder = written.replace("\\", "/").removeprefix("./"), PurePosixPath(document_path).parent
        if not name:
            return []
        for ending in _ENDINGS:
            for exact in (str(folder / (name + ending)), name + ending):
                if exact in self._by_path:
                    return [exact]
            tail = PurePosixPath(name + ending)
            found = [p for p in self._by_name[tail.name] if p.endswith(f"/{tail}")]
            if found:
                return found
        return []

    def _find(self, document_path: str, name: str) -> str | None:
        """The candidate nearest to the document; None if there is none, or two with other contents are as near."""
        folder = PurePosixPath(document_path).parent.parts
        near = {p: _shared(PurePosixPath(p).parts, folder) for p in self.candidates(document_path, name)}
        best = [p for p in near if near[p] == max(near.values())]
        contents = {self._by_path[p].sha256 for p in best}
        return min(best) if len(contents) == 1 else None

    def lookup(self, document_path: str, name: str) -> ImageRef:
        """The image; without a sha256 if no such file was delivered, or if it cannot be told which one is meant."""
        found = self._find(document_path, name)
        if found is not None:
            return self._by_path[found].model_copy(update={"name": name})
        return absent(name)


def absent(name: str, sha256: str | None = None) -> ImageRef:
    """An image of which nothing but its name, and perhaps its content's hash, is known."""
    return ImageRef(
        name=name,
        sha256=sha256,
        media_type=None,
        width_px=None,
        height_px=None,
        sharpness=None,
        ink_share=None,
        error=None,
    )


def _shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
