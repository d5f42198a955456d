"""What a source itself published of a session, compared with what is derived here."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reporter.derive.chain.stored import ChainRefusal, read_chain_record, read_stored_chain
from reporter.derive.excerpt import quoted
from reporter.derive.session_chain import chain_differences
from reporter.errors import Problem
from reporter.models.chain import Chain
from reporter.models.facts import SessionFacts
from reporter.models.plan import PlannedSlot
from reporter.models.records import ChainRecord


def published_differences(
    published: Mapping[str, Any],
    facts: Iterable[SessionFacts],
    slots: Iterable[PlannedSlot],
    *,
    file: str,
) -> list[Problem]:
    """Return where a source's own words on its sessions differ from ours; neither gives way.

    Args:
        published: What the source derived itself, as its manifest holds it.
        facts: One entry a slot.
        slots: In the order of `facts`; either name of a session finds its entry.
        file: Where it was published, for problems.

    Rule: recording.md section 5a.
    """
    sessions = published.get("sessions")
    if not isinstance(sessions, Mapping):
        return []
    found: list[Problem] = []
    for own, slot in zip(facts, slots, strict=True):
        for name in dict.fromkeys((slot.session_id, slot.document_id)):
            said = None if name is None else sessions.get(name)
            if not isinstance(said, Mapping):
                continue
            for key, what in (*_verdict(said.get("verdict"), own), *_chain(said.get("chain"), own)):
                place = f"published.sessions[{quoted(str(name))}].{key}"
                rule = f"published-{key}-differs"
                found.append(Problem(file, place, what, "", rule, slot.session_id, "note"))
    return found


def _verdict(said: object, own: SessionFacts) -> Iterator[tuple[str, str]]:
    if not isinstance(said, Mapping):
        return
    for key, derived in (("verdict", own.verdict.verdict), ("reason", own.verdict.reason)):
        word = said.get(key)
        if word is not None and word != derived.value:
            yield (
                "verdict",
                f"Published is the {key} {quoted(str(word))}, derived here {quoted(derived)}.",
            )


def _chain(said: object, own: SessionFacts) -> Iterator[tuple[str, str]]:
    if not isinstance(said, Mapping):
        return
    chain = _read(said)
    if isinstance(chain, ChainRefusal):
        yield "chain", f"The published chain cannot be compared: {chain.place} {chain.what}"
    elif own.chain is None:
        yield "chain", "A chain is published, while the session never started and has none here."
    elif different := chain_differences(chain, own.chain):
        yield "chain", f"The published chain differs from the session's: {different}."


def _read(said: Mapping[str, Any]) -> Chain | ChainRefusal:
    stored = read_stored_chain(said)
    if stored is not None:
        return stored
    version, stages = said.get("analyzerVersion"), said.get("stages")
    return read_chain_record(ChainRecord(seq=0, analyzer_version=version, stages=stages))
