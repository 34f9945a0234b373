"""The figures of tasks as one image each, for models that read a single one; remembered by content."""

from collections.abc import Sequence
from importlib.metadata import version

from resources.home import Home
from resources.llm.media import Unmergeable, merged
from resources.memo import key_of
from resources.workers import Workers
from stepforge.records import ImageRef, Task

KIND = "merged_images/1"  # raised when the layout changes


def with_merged_images(tasks: Sequence[Task], home: Home) -> tuple[list[Task], list[str]]:
    """The tasks, each with at most one image, in their order; and a line for each whose images cannot be made one,
    which keeps them as they are."""
    out: list[Task] = []
    told: list[str] = []
    with Workers(1) as workers:
        for task in tasks:
            figures = [image.sha256 for image in task.images if image.sha256 is not None]
            if len(figures) > 1:
                try:
                    task = task.model_copy(update={"images": (_merged(figures, home, workers),)})  # noqa: PLW2901
                except Unmergeable as error:
                    told.append(f"{task.task_id}: {error}")
            out.append(task)
    return out, told


def _merged(figures: list[str], home: Home, workers: Workers) -> ImageRef:
    key = key_of(*figures, version("pillow"))
    known = home.memo.get(KIND, key)
    sha256 = known.decode() if known is not None else ""
    if not sha256 or not home.blobs.path(sha256).exists():
        sha256 = home.blobs.put(merged([home.blobs.get(figure) for figure in figures], workers))
        home.memo.put(KIND, key, sha256.encode())
    return ImageRef(
        name="merged.png",
        sha256=sha256,
        media_type="image/png",
        width_px=None,
        height_px=None,
        sharpness=None,
        ink_share=None,
        error=None,
    )
