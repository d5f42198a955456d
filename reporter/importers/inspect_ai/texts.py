"""Texts and contents of a sample: attachments put back, pictures named by their digest."""

import base64
import binascii
import hashlib
import re
from collections import Counter
from typing import Any, Final

from reporter.importers.naming import first_words
from reporter.importers.sound import sound_text
from reporter.models.records import ImagePart, OtherPart, Part, TextPart

_REFERENCE: Final = re.compile(r"(?:attachment|tc)://([0-9A-Za-z]{1,64})")
_DATA: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,", re.ASCII)
_DEEPEST: Final = 100

Content = str | list[Part | str]


class Texts:
    """The texts of one sample.

    Args:
        attachments: The sample's long texts by name; a text `attachment://<name>` stands for
            each of them, `tc://<name>` in the oldest logs.
    """

    def __init__(self, attachments: object) -> None:
        self._attachments: dict[str, Any] = attachments if isinstance(attachments, dict) else {}
        self.lost: Counter[str] = Counter()
        """What of the contents is not kept, with how often."""

    def text(self, text: str) -> str | None:
        """Return a text, or None for an attachment that the log does not hold."""
        found = _REFERENCE.fullmatch(text)
        if found is None:
            return text
        attached = self._attachments.get(found[1])
        return attached if isinstance(attached, str) else None

    def value(self, value: Any, levels: int = _DEEPEST) -> Any:  # noqa: ANN401  any JSON value
        """Return a JSON value with its attachments in place.

        A text whose attachment is not there stays what it was. What nests too deeply is
        left to whoever reads it.
        """
        if isinstance(value, str):
            whole = self.text(value)
            if whole is None:
                self.lost["attachment"] += 1
                return value
            return whole
        if levels == 0 or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            return [self.value(item, levels - 1) for item in value]
        return {key: self.value(item, levels - 1) for key, item in value.items()}

    def content(self, content: object) -> object:
        """Return a message's content: text, parts, or what is none for others to refuse."""
        if isinstance(content, str):
            whole = self.text(content)
            return whole if whole is not None else [self._missing(content)]
        if not isinstance(content, list):
            return content
        return [self._part(part) for part in content]

    def words(self, content: object) -> str:
        """Return the text of a content alone, to compare messages by."""
        if isinstance(content, str):
            return self.text(content) or ""
        parts = content if isinstance(content, list) else ()
        texts = [
            part.get("text") if isinstance(part, dict) and part.get("type") == "text" else part
            for part in parts
        ]
        return "\n".join(self.text(text) or "" for text in texts if isinstance(text, str))

    def _missing(self, text: str) -> OtherPart:
        self.lost["attachment"] += 1
        return OtherPart(note=f"text of {first_words(text)}, which the log does not hold")

    def _part(self, part: object) -> object:
        if not isinstance(part, dict):
            return self.content(part) if isinstance(part, str) else part
        kind = part.get("type")
        if isinstance(text := part.get("text"), str) and kind in ("text", None):
            whole = self.text(text)
            return self._missing(text) if whole is None else TextPart(text=sound_text(whole))
        if kind == "image" and isinstance(image := part.get("image"), str):
            return self._image(image)
        name = first_words(sound_text(kind)) if isinstance(kind, str) else "none"
        if kind == "tool_use":
            return OtherPart(note="a call that the model's provider made, kept as a call")
        self.lost[name] += 1
        return OtherPart(note=f"content of type {name}, not kept")

    def _image(self, image: str) -> Part:
        whole = self.text(image)
        if whole is None:
            return self._missing(image)
        found = _DATA.match(whole)
        if found is not None:
            try:
                data = base64.b64decode(whole[found.end() :], validate=True)
            except (binascii.Error, ValueError):
                data = b""
            if data:
                digest = hashlib.sha256(data).hexdigest()
                return ImagePart(mime_type=found[1], sha256=digest, bytes=len(data))
        self.lost["image"] += 1
        return OtherPart(note="an image whose bytes are not in the log")
