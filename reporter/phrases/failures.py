"""What an error of asking means: for its question, and for those behind it.

No word of what a server wrote is passed on: it may repeat what it was sent.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
)

from reporter.phrases.bounded import TooLongError
from reporter.phrases.reply import Cause, Reply
from reporter.vocabulary import ReplyState

_BUSY: Final = frozenset({408, 409, 425, 429})
_FORBIDDEN: Final = 403
_NO_ACCESS: Final = frozenset({401, 402, _FORBIDDEN})
_NO_MODEL: Final = frozenset({404, 405, 410})
_TOO_LARGE: Final = 413
_SERVER: Final = 500
_BROKEN: Final = frozenset({500, 501})
_REDIRECT: Final = range(300, 400)
_FILTER_CODES: Final = frozenset({"content_filter", "content_policy_violation"})
_NEVER_SENT: Final = frozenset({"pool", "connect"})


def failed(
    detail: str,
    cause: Cause = Cause.NONE,
    *,
    again: bool = False,
    perhaps_paid: bool = False,
    wait_s: float | None = None,
) -> Reply:
    """Return the reply of a call that failed, with why in code's words."""
    return Reply(
        ReplyState.FAILED,
        detail=detail,
        cause=cause,
        again=again,
        perhaps_paid=perhaps_paid,
        wait_s=wait_s,
    )


def reply_to(error: Exception) -> Reply:
    """Return what an error of one sending comes to; every error has an answer."""
    if any(isinstance(each, TooLongError) for each in _behind(error)):
        return failed("the answer is larger than any answer may be", perhaps_paid=True)
    if (status := _redirection(error)) is not None:
        return failed(
            f"the server points to another address, which is not followed ({status})", Cause.ACCESS
        )
    said = _said(error)
    for kinds, meaning in _MEANINGS:
        if isinstance(error, kinds):
            return meaning(said)
    return failed(
        f"the answer could not be read ({type(error).__name__})", Cause.SERVER, perhaps_paid=True
    )


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    """The error and those it was raised from, each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


@dataclass(frozen=True, slots=True)
class _Said:
    """What of an error is looked at: its kind and numbers, never its words."""

    status: int | None = None
    code: str | None = None
    phase: str | None = None
    wait_s: float | None = None
    hopeless: bool = False
    """The server said that trying again would not help."""
    likely: str | None = None
    """A model that is known, spelled much like the one that is not."""

    @property
    def number(self) -> str:
        return "" if self.status is None else f" ({self.status})"


def _said(error: Exception) -> _Said:
    said = _Said()
    if isinstance(error, ModelAPIError):
        said = replace(said, code=error.provider_error_code, wait_s=error.retry_after)
    if isinstance(error, ModelConnectionError):
        said = replace(said, phase=error.phase)
    if isinstance(error, ModelHTTPError):
        said = replace(
            said,
            status=error.status_code,
            hopeless=error.provider_retry_hint is False,
            likely=error.suggested_model_id,
        )
    return said


def _of_time(_: _Said) -> Reply:
    return Reply(
        ReplyState.TIMED_OUT,
        detail="no answer came in time",
        cause=Cause.SERVER,
        again=True,
        perhaps_paid=True,
    )


def _of_connection(said: _Said) -> Reply:
    if said.phase in _NEVER_SENT:
        return failed("the server cannot be reached", Cause.SERVER, again=True)
    return failed(
        "the connection ended before the answer did", Cause.SERVER, again=True, perhaps_paid=True
    )


def _of_context(said: _Said) -> Reply:
    return failed(f"the request is longer than the model takes{said.number}")


def _of_access(said: _Said) -> Reply:
    return failed(f"the key was not accepted{said.number}", Cause.ACCESS)


def _of_quota(said: _Said) -> Reply:
    return failed(f"the account has no credit left{said.number}", Cause.ACCESS)


def _of_model(said: _Said) -> Reply:
    hint = f"; a model that is known: {said.likely}" if said.likely else ""
    return failed(
        "the server has no such model, or the address is not that of a model server"
        f"{said.number}{hint}",
        Cause.ACCESS,
    )


def _of_limit(said: _Said) -> Reply:
    return _of_busy(said, "the server asks to slow down")


def _of_busy(said: _Said, what: str = "the server failed") -> Reply:
    detail, again = f"{what}{said.number}", not said.hopeless
    reply = failed(detail, Cause.SERVER, again=again, wait_s=said.wait_s)
    return replace(reply, perhaps_form=said.status in _BROKEN)


def _of_rejection(said: _Said) -> Reply:
    if said.status == _FORBIDDEN or said.code in _FILTER_CODES:
        return Reply(ReplyState.REFUSED, detail=f"a filter refused the request{said.number}")
    return failed(f"the server did not take the request{said.number}", Cause.FORM)


def _of_status(said: _Said) -> Reply:
    status = said.status or 0
    if status == _TOO_LARGE:
        return _of_context(said)
    if status in _BUSY or status >= _SERVER:
        return _of_busy(said)
    if status in _NO_ACCESS:
        return _of_access(said)
    if status in _NO_MODEL:
        return _of_model(said)
    return failed(f"the server did not take the request{said.number}")


def _of_protocol(_: _Said) -> Reply:
    return failed("what came back is no answer of a model server", Cause.SERVER, perhaps_paid=True)


def _redirection(error: Exception) -> int | None:
    """The status of an answer that points elsewhere, or None."""
    codes = (getattr(each, "status_code", None) for each in _behind(error))
    return next((code for code in codes if code in _REDIRECT), None)


_Meaning = Callable[[_Said], Reply]
_MEANINGS: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], _Meaning], ...]] = (
    # The more special before the more general: the first that fits counts.
    ((ModelRequestTimeout, ModelTimeoutError), _of_time),
    (ModelConnectionError, _of_connection),
    (ModelContextWindowExceededError, _of_context),
    (ModelAuthenticationError, _of_access),
    (ModelQuotaExceededError, _of_quota),
    (ModelNotFoundError, _of_model),
    (ModelRateLimitError, _of_limit),
    ((ModelUnavailableError, ModelServerError), _of_busy),
    (ModelRequestRejectedError, _of_rejection),
    (ModelHTTPError, _of_status),
    # An answer without a choice in it is met by reaching for the first one.
    ((ModelAPIError, UnexpectedModelBehavior, IndexError), _of_protocol),
)
