import gzip
import io
import stat
import tarfile
import zipfile

import pytest
from upath import UPath

from resources import archives
from resources.archives import is_archive, unpack
from resources.blobs import Blobs


@pytest.fixture
def blobs(tmp_path):
    return Blobs(UPath(tmp_path / "blobs"))


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def tarred(path, members, mode="w:gz"):
    with tarfile.open(path, mode) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return path


def tar_file(name, data=b"x", kind=tarfile.REGTYPE, target=""):
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = (len(data) if kind == tarfile.REGTYPE else 0), kind, target
    return info, data


def refused(found):
    return {one.name: one.refused for one in found if one.refused}


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_the_files_of_an_archive_come_out_with_their_names_and_bytes(kind, tmp_path, blobs):
    path = tmp_path / f"set.{kind}"
    given = {"a/one.json": b"[1]", "题目.txt": "数".encode(), "b.csv": b""}
    if kind == "zip":
        zipped(path, given.items())
    else:
        tarred(path, [tar_file(n, d) for n, d in given.items()], f"w:{kind.partition('.')[2]}".rstrip(":"))
    assert is_archive(path.read_bytes()[:512], path.name)
    assert {one.name: blobs.get(one.sha256) for one in unpack(path, blobs)} == given


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../up.json", "leaves the archive"),
        ("a/../../up.json", "leaves the archive"),
        ("/etc/passwd", "absolute path"),
        ("C:/up.json", "absolute path"),
        ("a\\..\\up.json", "backslashes"),
        ("a\nb.json", "control characters"),
        ("\u202egnp.json", "control characters"),
        ("a//b.json", "empty parts"),
        ("n" * 1001, "1001 characters"),
    ],
)
def test_a_name_that_is_a_trick_is_refused_and_the_rest_comes_out(name, why, tmp_path, blobs):
    for path in (
        zipped(tmp_path / "s.zip", [(name, b"bad"), ("good.json", b"good")]),
        tarred(tmp_path / "s.tar.gz", [tar_file(name, b"bad"), tar_file("good.json", b"good")]),
    ):
        found = unpack(path, blobs)
        assert [blobs.get(one.sha256) for one in found if not one.refused] == [b"good"]
        (said,) = refused(found).values()
        assert why in said
    assert sorted(p.name for p in tmp_path.iterdir()) == ["blobs", "s.tar.gz", "s.zip"]


def test_links_devices_and_encrypted_files_are_refused(tmp_path, blobs):
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("secret.json", b"x")
    data = bytearray((tmp_path / "s.zip").read_bytes())
    for signature, flags_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(b"secret.json", data.index(signature)) - {6: 30, 8: 46}[flags_at] + flags_at] |= 1
        second = data.rindex(signature)
        data[second + flags_at] |= 1
    (tmp_path / "s.zip").write_bytes(data)
    assert "encrypted" in refused(unpack(tmp_path / "s.zip", blobs))["secret.json"]
    odd = [
        tar_file("soft", b"", tarfile.SYMTYPE, "/etc/passwd"),
        tar_file("hard", b"", tarfile.LNKTYPE, "../x"),
        tar_file("pipe", b"", tarfile.FIFOTYPE),
        tar_file("disk", b"", tarfile.BLKTYPE),
    ]
    said = refused(unpack(tarred(tmp_path / "s.tar", odd, "w"), blobs))
    assert {n: w.split(";")[0] for n, w in said.items()} == {
        "soft": "it is a link",
        "hard": "it is a link",
        "pipe": "it is a device, no file",
        "disk": "it is a device, no file",
    }


def test_a_bomb_is_stopped_long_before_the_disk_is_full(tmp_path, blobs):
    packed = zipped(tmp_path / "bomb.zip", [(f"{i}.json", bytes(40 << 20)) for i in range(4)])
    said = refused(unpack(packed, blobs))
    assert "far more than an archive of its size" in said[""]
    assert len([p for p in (tmp_path / "blobs").rglob("*") if p.is_file()]) == 1  # all members are the same bytes
    tar = tmp_path / "bomb.tar.gz"
    tar.write_bytes(gzip.compress(tarred(tmp_path / "big.tar", [tar_file("z", bytes(120 << 20))], "w").read_bytes()))
    assert "far more" in refused(unpack(tar, blobs))[""]


def test_an_archive_in_an_archive_stays_one_file(tmp_path, blobs):
    inner = zipped(tmp_path / "inner.zip", [("x.json", b"[]")]).read_bytes()
    (one,) = unpack(zipped(tmp_path / "outer.zip", [("inner.zip", inner)]), blobs)
    assert blobs.get(one.sha256) == inner


@pytest.mark.parametrize("cut", [30, 100, 5000])
def test_a_damaged_archive_says_so_and_gives_what_can_be_read(cut, tmp_path, blobs):
    whole = tarred(tmp_path / "s.tar.gz", [tar_file(f"{i}.bin", bytes(range(256)) * 99) for i in range(5)])
    whole.write_bytes(whole.read_bytes()[:-cut] if cut < 1000 else whole.read_bytes()[:60])
    assert any("damaged" in why or "cannot be unpacked" in why for why in refused(unpack(whole, blobs)).values())
    broken = zipped(tmp_path / "s.zip", [("a.json", b"[1, 2]" * 1000)], zipfile.ZIP_STORED)
    data = bytearray(broken.read_bytes())
    data[200] ^= 255
    broken.write_bytes(data)
    assert "cannot be unpacked" in refused(unpack(broken, blobs))["a.json"]


def test_two_files_of_one_name_are_told_apart(tmp_path, blobs):
    tar = tarred(tmp_path / "s.tar", [tar_file("a.json", b"1"), tar_file("a.json", b"2")], "w")
    found = unpack(tar, blobs)
    assert [(one.name, one.refused is None) for one in found] == [("a.json", True), ("a.json~2", False)]


def test_names_of_a_chinese_packer_are_read(tmp_path, blobs):
    raw = "题目.json".encode("gb18030")
    # a writer that does not set the flag, as packers on such machines do
    legacy = tmp_path / "legacy.zip"
    info = zipfile.ZipInfo("x" * len(raw))
    with zipfile.ZipFile(legacy, "w") as archive:
        archive.writestr(info, b"[]")
    legacy.write_bytes(legacy.read_bytes().replace(b"x" * len(raw), raw))
    assert [one.name for one in unpack(legacy, blobs)] == ["题目.json"]


def test_what_is_packed_but_no_archive_is_left_alone():
    assert not is_archive(gzip.compress(b"[]")[:512], "set.jsonl.gz")
    assert not is_archive(b"PK\x03\x04" + bytes(500), "words.docx")
    assert not is_archive(b"%PDF-1.7", "paper.pdf")


def test_more_members_than_allowed_are_refused_as_a_whole(tmp_path, blobs):
    many = zipped(tmp_path / "s.zip", [(f"{i}", b"") for i in range(archives.MAX_MEMBERS + 1)], zipfile.ZIP_STORED)
    found = unpack(many, blobs)
    assert "more than 100000 members" in refused(found)[""]
    assert len(found) == archives.MAX_MEMBERS + 1
