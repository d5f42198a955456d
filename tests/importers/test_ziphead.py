"""What the first bytes of a ZIP show of its members."""

import io
import zipfile

import pytest

from reporter.importers.ziphead import members_of


def packed(names: list[str], **more: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), "x" * more.get("size", 10))
    return buffer.getvalue()


class Forward(io.BytesIO):
    """A stream that cannot go back, so that sizes are written behind the members."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise OSError


def test_the_names_come_in_the_order_of_the_file() -> None:
    assert members_of(packed(["b.json", "a/ä.json"])) == ("b.json", "a/ä.json")
    assert len(members_of(packed([f"{n}.json" for n in range(200)]))) == 64


def test_sizes_behind_the_members_hide_all_names_but_the_first() -> None:
    buffer = Forward()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.json", "{}")
        archive.writestr("b.json", "{}")
    assert members_of(buffer.getvalue()) == ("a.json",)


@pytest.mark.parametrize(
    ("head", "names"),
    [
        (b"", ()),
        (b"PK", ()),
        (b"PK\x03\x04", ()),
        (b"PK\x05\x06" + bytes(18), ()),
        (b'{"a": 1}', ()),
        (packed(["a.json", "b.json"])[:33], ()),
        (packed(["a.json", "b.json"])[:40], ("a.json",)),
        (b"PK\x03\x04" + b"\xff" * 26 + b"name", ()),
    ],
)
def test_what_is_cut_or_no_zip_shows_what_can_be_told(head: bytes, names: tuple[str, ...]) -> None:
    assert members_of(head) == names
