"""What credentials look like in text: one rule a shape, ours and a maintained set's."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Final

from pydantic_core import SchemaValidator, core_schema


class SecretKind(StrEnum):
    """What kind of secret was masked.

    As keys of counts they are in the plural: a number under `tokens` counts them, while one
    under `token` would be masked.
    """

    KEY_MATERIAL = "keyMaterial"
    """A private key, or a part of one."""
    TOKEN = "tokens"  # noqa: S105  a word for tokens, and none
    """What lets its bearer in: vendor tokens, JSON Web Tokens, bearer values, signatures."""
    API_KEY = "apiKeys"
    """A key of a service, by the name that it stands under."""
    PASSWORD = "passwords"  # noqa: S105  a word for passwords, and none
    """A password or passphrase, also the one inside an address."""
    COOKIE = "cookies"
    """Cookies that a client sends or is given."""
    SECRET = "secrets"  # noqa: S105  a word for secrets, and none
    """Anything else that stands under a name of a secret."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One way in which a credential is written."""

    kind: SecretKind
    literals: tuple[str, ...]
    """One of these stands in every text that holds the shape."""
    pattern: re.Pattern[str]
    """The credential; a group `kept` before it, or a group `after`, is no part of it."""
    clue: str = ""
    """A pattern without context that matches wherever the shape does; empty: the literals do."""
    is_sure: Callable[[str], bool] = field(default=bool)
    """Tells of what was found whether it is one: many words begin as some keys do."""

    def may_stand_in(self, text: str) -> bool:
        """Tell quickly whether a text is worth looking through for it."""
        if not any(literal in text for literal in self.literals):
            return False
        return not self.clue or _looker(self.clue)(text)


def _shape(
    kind: SecretKind,
    literals: str,
    pattern: str,
    clue: str = "",
    is_sure: Callable[[str], bool] = bool,
) -> Shape:
    return Shape(kind, tuple(literals.split("|")), re.compile(pattern, re.DOTALL), clue, is_sure)


_RUN: Final = re.compile("[A-Za-z0-9]{16}")
_DIGIT: Final = re.compile("[0-9]")


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _is_keylike(text: str) -> bool:
    """Let words with hyphens pass that only begin like a key (`sk-` is a class prefix too)."""
    is_told = text.startswith(("sk-ant-", "sk-or-v1-", "sk-proj-", "sk-svcacct-"))
    return (is_told or _RUN.search(text) is not None) and _has_digit(text)


def _is_spoken(text: str) -> bool:
    """Tell a password from a word that may stand in its place: `required`, `8-characters`."""
    has_both = _has_digit(text) and any(char.isalpha() for char in text)
    return has_both and re.fullmatch("[0-9]+-?[a-z-]+", text) is None


def _is_token_header(text: str) -> bool:
    """Tell whether the first part is the header of a JSON Web Token."""
    try:
        header = json.loads(decoded(text.partition(".")[0]))
    except ValueError:
        return False
    return isinstance(header, dict) and ("alg" in header or "enc" in header)


def _holds_private_key(text: str) -> bool:
    try:
        return b"PRIVATE KEY" in decoded("".join(text[:88].split()))
    except ValueError:
        return False


def _is_user_and_password(text: str) -> bool:
    try:
        return b":" in decoded(text)
    except ValueError:
        return False


def decoded(text: str) -> bytes:
    """Return what a text spells in base64, in either alphabet, with or without padding.

    Raises:
        ValueError: It spells nothing.
    """
    whole = text[: len(text) // 4 * 4] if len(text) % 4 == 1 else text + "=" * (-len(text) % 4)
    try:
        return base64.b64decode(whole.translate({ord("-"): "+", ord("_"): "/"}))
    except binascii.Error:
        raise ValueError(text) from None


_KEY, _TOKEN, _API = SecretKind.KEY_MATERIAL, SecretKind.TOKEN, SecretKind.API_KEY
_ALONE: Final = "(?<![A-Za-z0-9_-])"
_AWS: Final = "(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}"
_SLACK: Final = r"(?i-u:xox[abeoprs]-|hooks\.slack\.com/s)"
_GITHUB: Final = "gh[pousr]_[A-Za-z0-9_]{36}"
_GITLAB: Final = (
    "gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-[A-Za-z0-9_-]{20}|GR1348941[A-Za-z0-9_-]{20}"
)
# Those of many services, each told by its beginning alone.
_MORE: Final = "|".join(  # noqa: FLY002  one a line
    (
        "CLOJARS_[a-z0-9]{60}",
        "NRAK-[A-Z0-9]{27}",
        "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
        "dckr_[op]at_[A-Za-z0-9_-]{24,}",
        r"dp\.(?:ct|pt|sa|scim|st)\.[A-Za-z0-9]{40,}",
        "figd_[A-Za-z0-9_-]{40,}",
        "glc_eyJ[A-Za-z0-9+/=]{32,}",
        "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}",
        "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
        "ntn_[A-Za-z0-9]{40,}",
        "nvapi-[A-Za-z0-9_-]{60,}",
        "pul-[a-f0-9]{40}",
        "rubygems_[a-f0-9]{48}",
        "sbp_[a-f0-9]{40}",
        "sntry(?:s_[A-Za-z0-9+/=_-]{40,}|u_[a-f0-9]{64})",
        "tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}",
        "vercel_blob_rw_[A-Za-z0-9]+_[A-Za-z0-9]{24,}",
        "whsec_[A-Za-z0-9+/=]{24,}",
    )
)
_MORE_FIRST: Final = (
    "dckr_oat_|dckr_pat_|dp.ct.|dp.pt.|dp.sa.|dp.scim.|dp.st.|figd_|glc_eyJ|glsa_|CLOJARS_|NRAK-|PMAK-"
    "|lsv2_|ntn_|nvapi-|pul-|rubygems_|sbp_|sntrys_|sntryu_|tvly-|vercel_blob_rw_|whsec_"
)
_MORE_CLUE: Final = _MORE_FIRST.replace(".", r"\.")

BROKEN_FIRST: Final = (
    "eyJ|AKIA|ASIA|AIza|gh[oprsu]_|github_pat_|glpat-|npm_|pypi-AgE"
    "|sk-(?:ant-|or-|proj-|svcacct-|[A-Za-z0-9]{12})"
)
"""How tokens begin that are known in parts, where their line ends inside of them."""

OWN: Final = (
    _shape(
        _KEY,
        "-----BEGIN",
        r"-----BEGIN[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----"
        r".*?(?:-----END[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
        "-----BEGIN[ A-Z0-9]*PRIVATE KEY",
    ),
    _shape(
        _KEY,
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY",
        r"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY.*?(?:---- END SSH2[A-Z ]*----|\Z)",
    ),
    _shape(
        _KEY,
        "PuTTY-User-Key-File-",
        r"PuTTY-User-Key-File-[0-9]:.*?(?:Private-(?:MAC|Hash): *[0-9a-f]+|\Z)",
    ),
    # The same once more in base64, as Kubernetes files hold keys beside certificates.
    _shape(
        _KEY,
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/=]+(?:\s+[A-Za-z0-9+/]{60,}={0,2})*",
        is_sure=_holds_private_key,
    ),
    _shape(_KEY, "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    _shape(_API, "AKIA|ASIA|ABIA|ACCA", r"\bA(?:KI|SI|BI|CC)A[0-9A-Z]{16}\b",
           _AWS),
    _shape(_TOKEN, "ghp_|gho_|ghu_|ghs_|ghr_", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b",
           _GITHUB),
    _shape(_TOKEN, "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{40,}\b"),
    _shape(_TOKEN, "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}", _GITLAB),
    _shape(_TOKEN, "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}", _SLACK),
    _shape(_TOKEN, "xapp-", r"\bxapp-[0-9]-[A-Za-z0-9-]{10,}"),
    _shape(_API, "sk-", _ALONE + r"sk-[A-Za-z0-9_-]{20,}", "sk-[A-Za-z0-9_-]{20}", _is_keylike),
    _shape(_API, "k_live_|k_test_", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _shape(_API, "AIza", r"\bAIza[0-9A-Za-z_-]{35}"),
    _shape(_API, "gsk_", r"\bgsk_[A-Za-z0-9]{40,}", "gsk_[A-Za-z0-9]{40}"),
    _shape(_API, "xai-", r"\bxai-[A-Za-z0-9]{40,}", "xai-[A-Za-z0-9]{40}"),
    _shape(_API, "pplx-", r"\bpplx-[A-Za-z0-9]{40,}"),
    _shape(_API, "dapi", r"\bdapi[0-9a-f]{32}(?:-[0-9])?\b", "dapi[0-9a-f]{32}"),
    _shape(_API, "GOCSPX-", r"\bGOCSPX-[A-Za-z0-9_-]{20,}"),
    _shape(_TOKEN, "ya29.", r"\bya29\.[0-9A-Za-z_-]{20,}"),
    _shape(_TOKEN, "hf_", r"\bhf_[A-Za-z0-9]{30,}\b", "hf_[A-Za-z0-9]{30}"),
    _shape(_TOKEN, "npm_", r"\bnpm_[A-Za-z0-9]{36}\b", "npm_[A-Za-z0-9]{36}"),
    _shape(_TOKEN, "pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{40,}"),
    _shape(_TOKEN, "dop_v1_|doo_v1_|dor_v1_", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    _shape(_TOKEN, "hvs.|hvb.", r"\bhv[bs]\.[A-Za-z0-9_-]{24,}", r"hv[bs]\.[A-Za-z0-9_-]{24}"),
    _shape(_TOKEN, "shpat_|shpca_|shppa_|shpss_", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    _shape(_API, "lin_api_", r"\blin_api_[A-Za-z0-9]{32,}"),
    _shape(_API, "ATATT3", r"\bATATT3[A-Za-z0-9_=-]{30,}"),
    _shape(_API, "SG.", _ALONE + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
           r"SG\.[A-Za-z0-9_-]{16}"),
    _shape(_TOKEN, _MORE_FIRST, rf"\b(?:{_MORE})", f"(?:{_MORE_CLUE})[A-Za-z0-9._-]{{20}}"),
    _shape(_API, "key=", r"(?P<kept>[?&#]key=)[A-Za-z0-9_-]{20,}",
           "(?:key=)[A-Za-z0-9_-]{20}", _is_keylike),
    _shape(SecretKind.PASSWORD, "pwd=", r"(?P<kept>[?&;]pwd=)[^\s\"'&;<>/\\]{4,}", "(?:pwd=)"),
    _shape(_TOKEN, "/webhooks/",
           r"(?P<kept>discord(?:app)?\.com/api/webhooks/[0-9]+/)[A-Za-z0-9_-]{60,}",
           "/webhooks/[0-9]"),
    _shape(SecretKind.PASSWORD, "curl ",
           r"(?P<kept>\bcurl [^\n|;]{0,400}?(?<= )(?:-u|--user)[ =]?[\"']?[^\s:\"'$]{1,64}:)"
           r"[^\s\"'$]+",
           r"(?:curl )[^\n|;]*(?:-u|--user)[ =]?[\"']?[^\s:\"'$]+:[^\s\"'$]"),
    # Behind a blank, the client asks for it, and what follows is the name of a database.
    _shape(SecretKind.PASSWORD, "mysql",
           r"(?P<kept>\bmysql(?:admin|check|dump|import|show)? (?:[^\n|;]{0,200} )?-p[\"']?)"
           r"[^\s\"'$-][^\s\"']{2,}",
           r"(?:mysql)[a-z]* (?:[^\n|;]* )?-p[\"']?[^\s\"'$-]"),
    _shape(SecretKind.PASSWORD, "sshpass -p",
           r"(?P<kept>\bsshpass -p ?[\"']?)[^\s\"'$-][^\s\"']{2,}"),
    _shape(SecretKind.PASSWORD, "login ",
           r"(?P<kept>\bmachine [!-~]+[ \t\r\n]+login [!-~]+[ \t\r\n]+password )[^\s{$<]\S*",
           r"(?:login )[!-~]+[ \t\r\n]+password "),
    # As people say it, in a conversation.
    _shape(SecretKind.PASSWORD, "assword is |assphrase is |asscode is ",
           r"(?P<kept>\b[Pp]ass(?:word|phrase|code) is (?:now |still )?[\"'`\u201c\u2018*]{0,3})"
           r"[^\s\"'`\u201d\u2019,;*<>]{4,}[^\s\"'`\u201d\u2019,;*<>.?:)]",
           is_sure=_is_spoken),
    _shape(_TOKEN, "eyJ", _ALONE + r"eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,4}",
           r"eyJ[A-Za-z0-9_-]{8,}\.", _is_token_header),
    _shape(_TOKEN, "earer ", r"(?P<kept>[Bb]earer )[A-Za-z0-9._~+/=-]{16,}",
           "earer [A-Za-z0-9._~+/=-]{16}", _has_digit),
    _shape(SecretKind.PASSWORD, "tion: Basic ", r"(?P<kept>tion: Basic )[A-Za-z0-9+/=]{4,}",
           is_sure=_is_user_and_password),
    _shape(
        SecretKind.PASSWORD,
        "://",
        r"""(?P<kept>://)[^/\s:@"'<>]*:[^/\s@"'<>]+(?=@)""",
        r"""://[^/\s:@"'<>]*:[^/\s@"'<>]+@""",
    ),
    _shape(
        _TOKEN,
        "ignature=|redential=|ecurity-Token=|sig=",
        r"(?P<kept>[?&](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|[Ss]ignature|sig)"
        r"=)[A-Za-z0-9%+/_=.~-]{16,}",
        "[?&](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|[Ss]ignature|sig)=",
    ),
)  # fmt: skip
"""Shapes of our own: what is met most, with what tells them from words that look alike."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Patterns of one detector of detect-secrets, loaded where a clue of theirs is found."""

    name: str
    """Module and class."""
    kind: SecretKind
    literals: tuple[str, ...]
    """One of these stands in lower case in every text that one of its patterns matches."""
    clue: str
    used: int | None = None
    """How many of its patterns are used; None: all. Some match too much that is no secret."""

    def may_stand_in(self, text: str, lowered: str) -> bool:
        """Tell quickly whether a text is worth looking through for it."""
        return any(literal in lowered for literal in self.literals) and _looker(self.clue)(text)


def _plugin(
    name: str, kind: SecretKind, literals: str, clue: str, used: int | None = None
) -> Plugin:
    return Plugin(name, kind, tuple(literals.split("|")), clue, used)


MAINTAINED: Final = (
    # The second pattern takes any word that begins with AP and a letter from A to F.
    _plugin("artifactory.ArtifactoryDetector", _API, "akc", "AKC[A-Za-z0-9]{10}", 1),
    # The second pattern looks for a name beside a value, as named values do more closely.
    _plugin("aws.AWSKeyDetector", _API, "a3t|abia|acca|akia|asia",
            _AWS, 1),
    _plugin("azure_storage_key.AzureStorageKeyDetector", _API, "accountkey=", "AccountKey="),
    _plugin("discord.DiscordBotTokenDetector", _TOKEN, ".",
            r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}"),
    _plugin("github_token.GitHubTokenDetector", _TOKEN, "ghp_|gho_|ghu_|ghs_|ghr_",
            _GITHUB),
    _plugin("gitlab_token.GitLabTokenDetector", _TOKEN,
            "glpat-|gldt-|glft-|glsoat-|glrt-|gr1348941|glcbt-|glimt-|glptt-|glagent-|gloas-",
            _GITLAB),
    _plugin("mailchimp.MailchimpDetector", _API, "-us", "[0-9a-z]-us[0-9]"),
    _plugin("npm.NpmDetector", _TOKEN, ":_authtoken=", ":_authToken="),
    _plugin("openai.OpenAIDetector", _API, "t3blbkfj", "T3BlbkFJ"),
    _plugin("pypi_token.PypiTokenDetector", _TOKEN, "pypi-age", "pypi-AgE"),
    _plugin("sendgrid.SendGridDetector", _API, "sg.", r"SG\.[A-Za-z0-9_-]{16}"),
    _plugin("slack.SlackDetector", _TOKEN, "xox|hooks.slack.com",
            _SLACK),
    _plugin("square_oauth.SquareOAuthDetector", _API, "sq0csp-", "sq0csp-"),
    _plugin("stripe.StripeDetector", _API, "k_live_", "k_live_|k_test_"),
    _plugin("telegram_token.TelegramBotTokenDetector", _TOKEN, ":aa", ":AA[0-9A-Za-z_-]{33}"),
    _plugin("twilio.TwilioKeyDetector", _API, "ac|sk", "(?:AC|SK)[a-z0-9]{32}"),
)  # fmt: skip
"""Detectors that are used. Not used are those that guess (entropy, IP addresses), that go by a
name alone (named values are looked for more strictly below; IBM's would take any run of 44
characters behind the word "key"), and those whose shape stands above whole (basic
authentication, JSON Web Tokens, private keys)."""


def _in_any_case(*words: str) -> str:
    """Return a pattern for words in small letters, in capitals, or with one capital."""
    cased = (form for word in words for form in (word, word.upper(), word.capitalize()))
    return "(?:" + "|".join(dict.fromkeys(cased)) + ")"


# Spelled out, the engine searches for them many bytes at once.
_OTHER_NAMES: Final = "(?:{}|{}[0-9_. -]*{})".format(
    _in_any_case(
        *("bearer", "cookie", "credential", "passphrase", "passw", "secret", "token"),
    ),
    _in_any_case("api", "access", "private"),
    _in_any_case("key"),
)
_AUTHORIZATION: Final = _in_any_case("authorization")
NAME_CLUE: Final = f"(?:{_AUTHORIZATION}|{_OTHER_NAMES})"
"""What stands in every name that says secret."""

# What may stand between such a name and its value: the rest of the name, then a member of
# JSON, an assignment, a closing tag, a quote; a colon with one word, or two, to the end of a
# line; cookies; a flag's blank.
_REST: Final = "[A-Za-z0-9_. -]*"
_WORD: Final = r"""[^ \t\n\r"'\\]"""
_LINE_END: Final = r"""(?:["'\\]|[ \t]*(?:[\r\n#]|$))"""
_PAIRED: Final = r"""\\*["']?,?(?:[ \t\r\n]|\\+n)*\\*["']?value\\*["']?:"""
_MIXED: Final = "(?:[A-Za-z][!-~]*[0-9]|[0-9][!-~]*[A-Za-z])"
# A name with marks around it, encoded quotes or an encoded equals sign behind it.
_MARKED: Final = (
    rf"(?:[*`]+:|:[*`]+)[ \t]*{_WORD}+{_LINE_END}"
    r"|&(?:quot|apos|\#34|\#39|\#x22);|\\+u00(?:22|3[aAdD])|%3[dD]"
)
_VALUE_CLUES: Final = (
    (
        rf"""{NAME_CLUE}{_REST}"""
        rf"""(?:\\*["'][ \t\r\n]*:|{_PAIRED}|[=>]|[ ]'|:[ \t]*(?:[!-~]+=|\\*["'])|{_MARKED})"""
        rf"""|{_OTHER_NAMES}{_REST}:[ \t]*(?:[A-Za-z]+[ ]+)?(?:{_WORD}+{_LINE_END}|{_MIXED})"""
        # Short, and without the scheme of a header, it is the number of an authorization.
        rf"""|{_AUTHORIZATION}{_REST}:[ \t]*"""
        rf"""(?:(?:[A-Za-z]+[ ]+{_WORD}+|{_WORD}{{13,}}){_LINE_END}|[A-Za-z]+[ ]+{_MIXED})"""
    ),
    rf"--[A-Za-z0-9-]*{NAME_CLUE}[A-Za-z0-9-]*[ ]",
)
_MEMBER_CLUE: Final = rf""""(?:name|key)":[ ]?"[!#-~]*{NAME_CLUE}"""


def _in_base64(text: str) -> Iterator[str]:
    """Yield how a text is spelled inside base64, at each of its three places in a triple."""
    for before in range(3):
        spelled = base64.b64encode(b"\0" * before + text.encode()).decode()
        yield spelled[-(-8 * before // 6) : 8 * (before + len(text)) // 6]


IN_BASE64: Final = tuple(
    piece
    for word in ("ghp_", "github_pat_", "glpat-", "AKIA", "sk-ant-", "sk-proj-", "password")
    for piece in _in_base64(word)
)
"""One of these stands in all that is in base64 and holds one of the words, at any place."""

NO_WIDTH: Final = (
    "\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f"
)
"""Characters that nobody sees, and that no token has."""
_HIDING: Final = (
    # A token that something ends, and that may go on behind it.
    rf"(?:{BROKEN_FIRST})[A-Za-z0-9_.=-]*(?:[*`~\x1b]|</?[a-z]|\\*[\r\n]|\\+[nrux_])",
    r"\\u00(?:2[dD]|[4-7][0-9A-Fa-f]|1[bB]|00|[aA][dD])|\\u20(?:0[b-fB-F]|2[a-eA-E]|6)|\\u[fF][eE]",
    r"&\#(?:x(?:2[dD]|[3-7][0-9A-Fa-f])|4[5-9]|5[0-7]|6[5-9]|[78][0-9]|9[0579]|1[0-2][0-9]);",
    f"(?:{'|'.join(IN_BASE64)})",
    r"\\_[A-Za-z0-9]",
)
"""Clues that a secret may stand in a text and no search for its spelling finds it."""
_HIDING_WIDE: Final = rf"[A-Za-z0-9_-][{NO_WIDTH}]+[A-Za-z0-9_-]|[\uff10-\uff5a]{{4}}"

_LETTERS_FIRST: Final = re.compile(r"[A-Za-z:-]|\(\?:[A-Z]{2}")
_AT_ONCE: Final = 8
"""Clues that are looked for in one pass, where all begin with letters that the engine can
search for many bytes at once; more of them, or any other beside them, and it cannot."""

_SHORT: Final = 2_000
"""Characters of a text that is looked at in one pass, because the calls cost more than it."""


def shape_clues() -> list[str]:
    """Return the patterns of which one matches every text that holds one of the shapes."""
    clues = [shape.clue or "|".join(map(_escaped, shape.literals)) for shape in OWN]
    return list(dict.fromkeys([*clues, *(plugin.clue for plugin in MAINTAINED)]))


def all_clues() -> list[str]:
    """Return the patterns of which one matches every text that may hold a secret."""
    return [*shape_clues(), *_VALUE_CLUES, *_HIDING]


def _escaped(literal: str) -> str:
    return re.sub(r"[^A-Za-z0-9_ :=/-]", r"\\\g<0>", literal)


@cache
def _looker(clue: str) -> Callable[[str], bool]:
    # The linear engine that comes with pydantic: a fraction of a nanosecond a character, where
    # `re` takes fifty. It only says whether there is a match, which is all that is asked.
    schema = core_schema.str_schema(pattern=clue, regex_engine="rust-regex")
    return SchemaValidator(schema).isinstance_python


def _in_passes(clues: Iterable[str]) -> Iterator[Callable[[str], bool]]:
    alike = sorted(clue for clue in clues if _LETTERS_FIRST.match(clue))
    for start in range(0, len(alike), _AT_ONCE):
        yield _looker("|".join(alike[start : start + _AT_ONCE]))
    yield from (_looker(clue) for clue in clues if clue not in alike)


_one_pass: Final = _looker("|".join(all_clues()))
_passes: Final = list(_in_passes(all_clues()))
_shapes_in_one_pass: Final = _looker("|".join(shape_clues()))
_shape_passes: Final = list(_in_passes(shape_clues()))
_hides: Final = _looker("|".join((f"{NAME_CLUE}{_REST}(?:{_MARKED})", *_HIDING)))
_hides_wide: Final = _looker(_HIDING_WIDE)
_names_in_members: Final = _looker(_MEMBER_CLUE)
_is_sound: Final = _looker("")


def may_hold_secret(text: str) -> bool:
    """Tell whether a text has to be looked through; false for nearly all clean text."""
    if len(text) <= _SHORT:
        if _one_pass(text):
            return True
    else:
        for look in _passes:
            if look(text):
                return True
    return _holds_unseen(text)


def may_hide_secret(text: str) -> bool:
    """Tell of a text without half characters whether to look for what is spelled otherwise."""
    return _hides(text) or _holds_unseen(text)


def _holds_unseen(text: str) -> bool:
    if "\x1b" in text or "\0" in text:
        return True
    # Half a character has no UTF-8 form, so that the engine refuses to look at it.
    return not text.isascii() and (_hides_wide(text) or not _is_sound(text))


def may_hold_shape(text: str) -> bool:
    """Tell of a text without half characters whether to look for a shape, not only for names."""
    if len(text) <= _SHORT:
        return _shapes_in_one_pass(text)
    return any(look(text) for look in _shape_passes)


def quick_search(pattern: str) -> Callable[[str], bool]:
    """Return a function that tells whether a pattern of the linear engine may match a text.

    It looks through a text many times as fast as `re` does. Of a text with half characters,
    at which the engine refuses to look, it says that the pattern may match.
    """
    look = _looker(pattern)
    return lambda text: look(text) or not (text.isascii() or _is_sound(text))


def json_may_hold_secret(text: str) -> bool:
    """Tell the same of a JSON text: no clue needs anything that its escapes would hide."""
    return may_hold_secret(text) or _names_in_members(text)


@cache
def patterns_of(plugin: Plugin) -> tuple[re.Pattern[str], ...]:
    """Return a detector's patterns; loads detect-secrets, which takes a fifth of a second."""
    module, _, name = plugin.name.partition(".")
    detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
    return tuple(detector.denylist)[: plugin.used]
