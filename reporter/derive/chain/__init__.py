"""One session's evidence in, its six stage rows out: the analyzer, version 11."""

from reporter.derive.chain.precedence import derive_chain
from reporter.derive.chain.predicates import CHECK_KINDS, CheckKind, filed_at, routed

__all__ = ["CHECK_KINDS", "CheckKind", "derive_chain", "filed_at", "routed"]
