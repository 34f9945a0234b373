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

    def _find(self, name: str, folder: PurePosixPath) -> str | None:
        for ending in _ENDINGS:
            exact = str(folder / (name + ending))
            for path in (exact, name + ending):
                if path in self._by_path:
                    return path
            tail = PurePosixPath(name + ending)
            same = [p for p in self._by_name[tail.name] if p.endswith(f"/{tail}") or p == str(tail)]
            same = same or self._by_name[tail.name]
            if same:  # the file nearest to the document that names it
                return max(same, key=lambda p: (_shared(PurePosixPath(p).parts, folder.parts), p))
        return None

    def lookup(self, document_path: str, name: str) -> ImageRef:
        """The image; without a sha256 if no such file was delivered."""
        clean = name.replace("\\", "/").removeprefix("./")
        found = self._find(clean, PurePosixPath(document_path).parent) if clean else None
        if found is None:
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
        return self._by_path[found].model_copy(update={"name": name})


def _shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
