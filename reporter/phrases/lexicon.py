"""Word lists that the rules for a model's words rest on: English, names, nouns and verbs."""

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: Final = _words(
    "a about after again against all although am an and any are aren't as at be because been "
    "before being below between both but by can can't cannot could couldn't did didn't do does "
    "doesn't doing don't down during each either else even every few for from further had hadn't "
    "has hasn't have haven't having he her hers him his how however i if in instead into is isn't "
    "it it's its itself just least less like may me might more most must my neither never no nor "
    "not nothing now of off on once one only or other our out over own per rather same she should "
    "since so some still such than that that's the their theirs them then there these they this "
    "those though through to too toward towards under unless until up upon us very via was wasn't "
    "we were weren't what when where whether which while who whom whose why will with within "
    "without won't would wouldn't yet you your"
)
"""English words that carry a sentence and no subject."""

COMMON_WORDS: Final = _words(
    "able abort accept access account action actual add address agent airline allow ambiguous "
    "amount answer api apply argument arrive ask assistant attempt author available back bad bag "
    "base block body book booking branch break broken build built call cancel cap card case "
    "catalog catalogue cause change charge check choose chosen city claim class clear client "
    "close code column command commit complete confirm connect connection contain content context "
    "copy correct cost could count create credit current customer cut data database date day deal "
    "declare default delete deliver delivery deny describe description detail did different "
    "directory document documented drop due duplicate during early edit email empty end enough "
    "entry error even exact example exceed exchange exist expect expire explain export expose "
    "fail failed failure field file fill filter final find first fix flag flight follow form "
    "format found free full gate get gift give given go goal gone got group guess half hand "
    "handle have header held help hidden hint hold host hotel hour id identifier identical ignore "
    "import include incomplete index information input inside invalid issue item job keep key "
    "kind known label lack large last late later leave left length letter level limit line link "
    "list loan local log long look loop lost lower made make many map match mean member memory "
    "message method minute miss missing mode model month move name named namespace need network "
    "new next nobody node none note null number object offer old omit open option order output "
    "own package page pair parameter parse part partial pass passenger password patch path "
    "pattern pay payment permission person phone plain plan pod point policy possible price print "
    "process product profile project prompt property provide public put query question quote "
    "range rate raw reach read reason receive record refund refuse region reject remain remove "
    "renew repeat reply report repository request require required reservation reset resource "
    "respond response rest result retry return right role row rule run said save say schema scope "
    "search seat second see seem sell send server service session set shell ship short show side "
    "sign silent silently single size skip slot some sort source space stage stale start state "
    "status step stock stop store string success support system table take taken target task tell "
    "test text ticket time timeout title told token tool took total transfer travel trip try turn "
    "type unable undocumented unit unknown unsupported update upper usable use used user valid "
    "validate validation value variable version volume wait want warn warning way week went whole "
    "window word work write wrong year zone"
)
"""Words of everyday and technical English that such phrases are mostly made of."""

FOREIGN_WORDS: Final = _words(
    # German
    "der die das und nicht ist ein eine einen einem einer für wird wurde wurden auf mit von dem "
    "den des zu im kein keine konnte werden sich auch oder aber wenn weil dass nach bei aus durch "
    # French
    "le la les une des du est pas avec dans que qui pour sur aux par sont été ne n'a n'est ce "
    "cette mais ou où sans plus être "
    # Spanish
    "el los las que por con para una del se su al es está fue como pero sin más cuando porque "
    # Italian
    "il lo gli che di non per della dello dei delle sono stato stata è nel alla questo ma come "
    # Portuguese
    "o os as um uma não com foi em na no da dos ao pelo pela mas também "
    # Dutch
    "het een niet van voor zijn werd wordt naar geen maar ook bij deze kan kon heeft "
    # Polish
    "nie jest się że na i w z przez nie został została nie ma oraz ale "
    # Turkish
    "ve bir bu için değil ile ancak daha olarak "
    # Swedish, Danish, Norwegian
    "och att inte är som det den med för av på ikke og til er kunne blev ble ingen "
    # Czech, Romanian, Hungarian, Finnish, Indonesian, Vietnamese without its signs
    "není a nebyl nu este și sau nem az egy és hogy ei ja oli tidak dan yang untuk dengan khong"
) - _words("a as i no on is in do was an die den am me so to her his he we all at per than come it")
"""Words of other languages that mark their sentences; those that English has too are left out."""

KNOWN_NAMES: Final = _words(
    "api apis json xml html css csv pdf http https url urls uri uris id ids ui cli sdk mcp sql "
    "rest rpc ip tcp udp dns tls ssl ssh ftp utf ascii utc gmt iso rfc uuid uuids guid llm llms ai "
    "ok io cpu gpu ram os crud acl pr prs ci cd yaml toml jsonpath regex pnr iata eta faq am pm "
    "usd eur gbp vip tv usa uk us eu oauth jwt saml sso mfa otp rbac crd crds todo ttl sla id's "
    "kubernetes docker linux unix windows macos git github gitlab python javascript typescript "
    "java rust node npm pip bash markdown unicode boolean latin english french german spanish "
    "italian portuguese dutch polish chinese japanese monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november "
    "december openapi graphql postgresql mysql sqlite redis mongodb helm ios android"
)
"""Names that need not be recorded to be used: formats, standards, languages, days."""

PEOPLE: Final = (
    "users?|customers?|personas?|people|persons?|testers?|participants?|shoppers?|callers?"
    "|visitors?|buyers?|subscribers?|individuals?|folks?|requesters?|humans?|consumers?|clients?"
    "|account holders?"
)
"""Nouns for whoever a session was for, as a pattern; who a booking is for is not among them."""

SESSIONS: Final = (
    "sessions?|conversations?|chats?|runs?|trials?|transcripts?|simulations?|dialog(?:ue)?s?"
    "|interactions?|episodes?|recordings?"
)
"""Nouns for a session, as a pattern."""

OCCASIONS: Final = (
    "attempts?|cases?|requests?|(?:tool )?calls?|quer(?:y|ies)|search(?:es)?|lookups?"
    "|invocations?|retr(?:y|ies)|tries|occasions?|circumstances?|situations?|instances?|inputs?"
    "|questions?|tasks?|goals?|agents?|assistants?|models?|patrons?|travell?ers?|admins?"
    "|operators?|developers?|engineers?"
)
"""Nouns for what stands beyond the cited turns when all of it is spoken of, as a pattern."""

FIX_VERBS: Final = _words(
    "accept acknowledge add address adjust abort anchor answer advertise align allow alias "
    "annotate append apply ask assert attach avoid batch block bound bump cache cap "
    "capitalise capitalize cast change check clamp clarify classify coerce collapse combine "
    "compare compress compute confirm consider consolidate constrain convert correct count cut "
    " debounce declare decode decouple default define delay delete deprecate derive "
    "describe detect disable disambiguate disclose display distinguish divide do document don't "
    "drop echo emit enable encode enforce enrich ensure enumerate escape exclude expand explain "
    "expose extend extract fail fall feed fetch fill filter fix flag flatten fold forward "
    "generate give grant group guard guide handle have hide highlight hold hint honor honour "
    "ignore implement improve include increase index indicate inform infer inline insert "
    "introduce invalidate issue iterate join keep label let lift limit link list load log lower "
    "make map mark match mention merge move name narrow negotiate normalise normalize note number "
    "offer omit open order override paginate parse permit persist pin place plan point populate "
    "prefer prefix preserve present prevent print prompt propagate provide publish put quote "
    "raise rank read recalculate recognise recognize redact reduce refer "
    "refresh refuse register reject relax release reload remove rename render renew reorder "
    "repair replace report require rerun reserve reset resolve respond restate restore reword "
    "rephrase restrict resume retain retry return reuse reveal revert review rewrite round route "
    "sanitise sanitize save say scope separate send serialise serialize serve set shorten show "
    "signal simplify skip sort specify spell split standardise standardize start state stop store "
    "stream strip strengthen suggest summarise summarize supply support suppress surface swap "
    "switch sync synchronise synchronize tag tell test throttle tighten tolerate trace track "
    "translate treat trigger trim truncate turn type unify update upgrade use validate verify "
    "version wait warn widen wire wrap write"
)
"""What a fix begins with: verbs for the author of a server."""

CONTROLLED: Final = (
    "tools?|names?|descriptions?|schemas?|parameters?|params?|arguments?|inputs?|fields?"
    "|propert(?:y|ies)|enums?|defaults?|formats?|patterns?|examples?|results?|responses?|outputs?"
    "|answers?|errors?|messages?|codes?|status(?:es)?|limits?|pages?|paginations?|cursors?"
    "|timeouts?|retry|retries|rates?|caps?|sizes?|ids?|identifiers?|endpoints?|handlers?"
    "|validations?|validators?|values?|keys?|headers?|catalogu?es?|docs?|documentation|hints?"
    "|annotations?|units?|dates?|currenc(?:y|ies)|sort|filters?|quer(?:y|ies)|index(?:es)?|caches?"
    "|time ?zones?|permissions?|scopes?|resources?|prompts?|servers?|payloads?|lists?|counts?"
    "|totals?|records?|lookups?|search(?:es)?|match(?:es)?|matching|columns?|rows?|titles?|labels?"
    "|metadata|capabilit(?:y|ies)|instructions?|quotas?|windows?|buffers?|connections?|handshakes?"
    "|protocols?|sessions?|links?|logs?|flags?|options?|types?|strings?|numbers?|lines?|wording"
    "|reasons?|details?|warnings?|notices?|refusals?|rejections?|calls?|requests?|texts?|states?"
    "|checks?|constraints?|rules?|polic(?:y|ies)|tokens?|credentials?|calendars?|stocks?"
    "|inventor(?:y|ies)|snapshots?|versions?|paths?|files?|director(?:y|ies)|commands?|streams?"
    "|chunks?|bodies|body|content|truncation|ordering|casing|case|whitespace|spaces?|suggestions?"
    "|alternatives?|candidates?|confirmations?|receipts?|references?|previews?|summar(?:y|ies)"
    "|exceptions?|tracebacks?|stack traces?|items?|entr(?:y|ies)|objects?|arrays?|nulls?|api"
    "|routes?|methods?|functions?|operations?|transactions?|locks?|retries|backoff|namespaces?"
)
"""Nouns for what the author of a server controls, as a pattern."""

GENERIC_STEMS: Final = _words(
    "tool tools server persona error call request respons response assistant agent session "
    "messag message "
    "return result data model fail failure with from that this user custom customer person answer "
    "repl reply text give given make made need take took show said tell told stat state receiv "
    "provid work find found have been were when then than what which while also only into does "
    "could would should not instead after before without name nam valu value field input output "
    "goal task attempt turn step conversation never about their there they them because where "
    "whil wher whether again more most some such other used using with issu issue problem wrong "
    "unable expect information detail inform even still just back being help like made want"
)
"""Stems that any two phrases about tools share; they ground nothing."""
