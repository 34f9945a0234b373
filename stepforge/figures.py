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

    def _candidates(self, name: str, folder: PurePosixPath) -> list[str]:
        """Paths that the name may mean, the best kind of match only: beside the document, the whole path, the end of a
        path.  A name with folders never means a file in other folders: sets reuse short file names."""
        for ending in _ENDINGS:
            for exact in (str(folder / (name + ending)), name + ending):
                if exact in self._by_path:
                    return [exact]
            tail = PurePosixPath(name + ending)
            found = [p for p in self._by_name[tail.name] if p.endswith(f"/{tail}")]
            if found:
                return found
        return []

    def _find(self, name: str, folder: PurePosixPath) -> str | None:
        """The candidate nearest to the document; None if there is none, or two with other contents are as near."""
        near: dict[str, int] = {
            p: _shared(PurePosixPath(p).parts, folder.parts) for p in self._candidates(name, folder)
        }
        best = [p for p in near if near[p] == max(near.values())]
        contents = {self._by_path[p].sha256 for p in best}
        return min(best) if len(contents) == 1 else None

    def lookup(self, document_path: str, name: str) -> ImageRef:
        """The image; without a sha256 if no such file was delivered, or if it cannot be told which one is meant."""
        clean = name.replace("\\", "/").removeprefix("./")
        found = self._find(clean, PurePosixPath(document_path).parent) if clean else None
        if found is not None:
            return self._by_path[found].model_copy(update={"name": name})
        return ImageRef(
            name=name,
            sha256=None,
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
