import io

from PIL import Image

from resources.home import Home
from resources.merging import with_merged_images
from tests import make
from tests.scoring_records import task


def picture(colour, size=(40, 30)):
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "PNG")
    return buffer.getvalue()


def test_several_figures_become_one_image_once_and_a_single_one_stays(tmp_path):
    home = Home(tmp_path).prepare()
    red, blue = home.blobs.put(picture("red")), home.blobs.put(picture("blue"))
    several = task("a", images=(make.image(sha256=red), make.image(sha256=blue)), modality="multi_image")
    swapped = task("b", images=(make.image(sha256=blue), make.image(sha256=red)), modality="multi_image")
    single, none = task("c", images=(make.image(sha256=red),), modality="image_text"), task("d")
    tasks, told = with_merged_images([several, swapped, single, none], home)
    assert [t.task_id for t in tasks] == ["a", "b", "c", "d"]
    assert not told
    assert tasks[2:] == [single, none]
    assert len({tasks[0].images[0].sha256, tasks[1].images[0].sha256, red, blue}) == 4
    page = Image.open(io.BytesIO(home.blobs.get(tasks[0].images[0].sha256)))
    colours = [colour for _, colour in page.getcolors(10_000)]
    assert (255, 0, 0) in colours
    assert (0, 0, 255) in colours
    again, _ = with_merged_images([several], Home(tmp_path))
    assert again == tasks[:1]


def test_figures_that_cannot_be_made_one_stay_apart_and_are_told(tmp_path):
    home = Home(tmp_path).prepare()
    good, bad = home.blobs.put(picture("red")), home.blobs.put(b"no image")
    several = task("a", images=(make.image(sha256=good), make.image(sha256=bad)))
    tasks, told = with_merged_images([several], home)
    assert tasks == [several]
    assert told == ["a: image 2 is no image that can be read (UnidentifiedImageError)"]
