"""Streams over packed bytes, bounded: what they unpack to is never believed beforehand."""

import bz2
import errno
import io
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Final, Literal, Protocol, cast

import zstandard

from reporter.importers.zstdframes import ZstdFrames

Codec = Literal["gzip", "zstd", "bzip2", "xz", "deflate"]
"""Ways to pack a stream; `deflate` is what a ZIP packs its members with."""

MOST_UNPACKED: Final = 8 * 1024**3
"""Bytes that one packed file may unpack to."""

MOST_RATIO: Final = 250
"""Times that a packed file may grow; recordings grow 5 to 40 times."""

RATIO_FREE: Final = 64 * 1024**2
"""Bytes up to which a file may grow as it likes: so few do no harm."""

_MAGIC: Final[tuple[tuple[bytes, Codec], ...]] = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
)
_STEP: Final = 65_536
_XZ_MEMORY: Final = 256 * 1024**2
_ZSTD_WINDOW: Final = 128 * 1024**2
_BROKEN: Final = (zlib.error, lzma.LZMAError, zstandard.ZstdError, EOFError, ValueError)


def codec_of(head: bytes) -> Codec | None:
    """Tell how a file is packed, from its first bytes; None where it is not."""
    return next((codec for magic, codec in _MAGIC if head.startswith(magic)), None)


def damaged(codec: str, what: str) -> OSError:
    """Return what reading packed bytes raises where they are not what they should be."""
    return OSError(errno.EIO, f"the {codec} data {what}")


def refused(what: str) -> OSError:
    """Return what reading packed bytes raises where they unpack to too much."""
    return OSError(errno.EFBIG, f"{what}; unpack it yourself, if you trust it")


class _Decoder(Protocol):
    """What `bz2` and `lzma` offer, and zlib with a little help."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Zlib:
    """A zlib decoder that keeps what it has not looked at yet, as the others do."""

    def __init__(self, bits: int) -> None:
        self._decoder = zlib.decompressobj(bits)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, max_length)


_DECODERS: Final[dict[Codec, Callable[[], _Decoder]]] = {
    "gzip": lambda: _Zlib(31),
    "deflate": lambda: _Zlib(-15),
    "bzip2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY),
}


class Unpacking(io.RawIOBase):
    """Reads what packed bytes unpack to, forward only.

    Reading raises an `OSError` where the data are damaged or break off, and where they
    unpack to more than the bounds allow; everything before it was handed out.

    Args:
        packed: The packed bytes, from their first on; closed with this stream.
        codec: How they are packed.
    """

    def __init__(self, packed: BinaryIO, codec: Codec) -> None:
        super().__init__()
        self._packed = packed
        self._codec = codec
        self._taken = 0
        self._given = 0
        self._read = self._zstd() if codec == "zstd" else self._decoded()

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as it goes at once."""
        try:
            # In small steps: what comes before a bound is reached is handed out.
            data = self._read(min(len(buffer), _STEP))
        except _BROKEN:
            raise damaged(self._codec, "are damaged here") from None
        self._given += len(data)
        if self._given > MOST_UNPACKED:
            raise refused(f"it unpacks to more than {MOST_UNPACKED >> 20} MiB")
        if self._given > max(RATIO_FREE, MOST_RATIO * self._taken):
            raise refused(f"it unpacks to more than {MOST_RATIO} times its size")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the packed stream too."""
        self._packed.close()
        super().close()

    def _take(self, most: int = _STEP) -> bytes:
        data = self._packed.read(most)
        self._taken += len(data)
        return data

    def _decoded(self) -> Callable[[int], bytes]:
        make = _DECODERS[self._codec]
        decoder = make()
        is_begun = False

        def read(most: int) -> bytes:
            nonlocal decoder, is_begun
            while True:
                if decoder.eof:
                    rest = decoder.unused_data or self._take()
                    # Packed files may stand behind each other; zeros may fill up a block.
                    if self._codec == "deflate" or not rest.strip(b"\0"):
                        return b""
                    decoder, is_begun = make(), True
                    data = decoder.decompress(rest, most)
                else:
                    fresh = self._take() if decoder.needs_input else b""
                    if decoder.needs_input and not fresh:
                        raise damaged(self._codec, "break off here")
                    data = decoder.decompress(fresh, most)
                if data:
                    return data

        return read

    def _zstd(self) -> Callable[[int], bytes]:
        # The decoder takes a frame that breaks off for one that ends.
        frames = ZstdFrames(self._take)
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(
            cast("BinaryIO", frames), read_across_frames=True, closefd=False
        )

        def read(most: int) -> bytes:
            data = reader.read(most)
            if not data and not frames.is_complete:
                raise damaged("zstd", "break off here")
            return data

        return read
