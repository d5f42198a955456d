"""When a question is sent again, and after which wait."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from reporter.phrases.choice import ModelChoice
from reporter.phrases.reply import Reply

_FIRST_WAIT_S: Final = 1.0
_LONGEST_WAIT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Pace:
    """What tells and spends time."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic


async def until_settled(
    send: Callable[[], Awaitable[Reply]], choice: ModelChoice, pace: Pace
) -> Reply:
    """Send until there is an answer, no hope, or no attempt or time left; return the last reply.

    The wait doubles from one second to thirty, and is never shorter than the server asked for.
    It has no chance in it: the same failures give the same waits.

    Args:
        send: Sends once.
        choice: How many attempts, and for how long.
        pace: Tells and spends the time.
    """
    begun = pace.clock()

    def is_over(state: RetryCallState) -> bool:
        passed = pace.clock() - begun + state.upcoming_sleep
        return state.attempt_number >= choice.attempts or passed > choice.patience_s

    retrying = AsyncRetrying(
        sleep=pace.sleep,
        retry=retry_if_result(_is_hopeful),
        wait=_wait_s,
        stop=is_over,
        retry_error_callback=_last_reply,
    )
    return await retrying(send)


def _is_hopeful(reply: Reply) -> bool:
    return reply.again


def _wait_s(state: RetryCallState) -> float:
    own = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** (state.attempt_number - 1))
    return max(own, _last_reply(state).wait_s or 0.0)


def _last_reply(state: RetryCallState) -> Reply:
    reply = state.outcome.result() if state.outcome else None
    if not isinstance(reply, Reply):
        raise TypeError("A sending comes to a reply.")
    return reply
