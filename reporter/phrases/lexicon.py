"""Word lists that the rules for a model's words rest on: English, names, nouns and verbs."""

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: Final = _words(
    "a about after again already here done yes "
    " against all although am an and any are aren't as at be because been "
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
    "able abort accept access account accurate action active actual add additional address adjust "
    "advance afternoon agent agree agreement airline airport allergy allow alternative ambiguous "
    "amount answer api appear application apply appointment approval approve area argument arrive "
    "article ask assign assistant attach attachment attempt attribute audit author automatic "
    "availability available back bad bag balance bank base basic bed beg begin believe better big "
    "bill birth bit bleed block board body book booking bot box branch brand break brief bring "
    "broad broken browser bucket budget buffer bug build built business buy cabin calculate "
    "calculation calendar call camera cancel cancellation cap capacity card care carry cart case "
    "cash catalog catalogue catch cause certain chain chance change channel charge chart chat "
    "check choose chosen chunk city claim clarify class clean clear client clinic close cloud "
    "cluster coat code collect color colour column combine command comment commit common company "
    "compare comparison compile complete compliance computer condition configuration configure "
    "confirm conflict connect connection consent consider consult consultation contact contain "
    "container content context contract control convert cookie copy core correct cost could count "
    "country coverage crash create credit criteria currency current cursor customer cut cycle "
    "daily data database date day dead deal decide decimal decision declare decline deep default "
    "degree delay delete deliver delivery dentist deny depart departure depend deploy deposit "
    "describe description desk destination detail detect determine develop device did difference "
    "different digit direct directory discount display dispute distance doctor document "
    "documented dollar domain dose double doubt download draft draw drive driver drop due "
    "duplicate duration during early east edge edit editor effect either eligibility eligible "
    "email empty end engine enough enroll ensure entry environment equal equipment error "
    "essential estimate even event evidence exact example exceed exception exchange execute "
    "exercise exist expect expense experience expert expire expiry explain explanation export "
    "expose express extend extra face fact factor fail failed failure family fast fax fee fetch "
    "field figure file fill filter final financial find finish first fix flag flight flow fold "
    "folder follow food force forecast form format forward found frame free freeze frequent "
    "friend front full function future gap gate general generate get gift give given global go "
    "goal gone got grant graph group grow guess guest guide half hand handle happen hard hash "
    "have head header health heat heavy held help hidden hide high hint history hit hold holiday "
    "home hope hospital host hotel hour house human id idea identical identifier identity ignore "
    "image immediate impact import important impossible improve inch incident include incomplete "
    "incorrect index indicate individual inform information input inside inspect install instance "
    "instruction insurance insure intend internal international internet interval invalid "
    "inventory invite invoice issue item job join judge jump keep key kilogram kind kit know "
    "known label lack lamp land language laptop large last late later launch layer lead learn "
    "leave left legal lend lender length less letter level licence license life light limit line "
    "link list listing load loan local location lock log logic login long look loop loss lost "
    "lower luggage machine made mail main maintain maintenance make manage manager manual many "
    "map mark market master match maximum mean measure medical medication meet meeting member "
    "memory merge message metadata method metric middle migrate minimum minor minute mirror miss "
    "missing mistake mobile mode model modify moment money monitor month morning mount move "
    "multiple mutual name named namespace narrow native natural near necessary need negative "
    "network neutral new next night nobody node noise none normal north note notice notify null "
    "number object offer office offline offset old omit online open operate operation operator "
    "opposite option order ordinary organise organize origin original outage outcome outdated "
    "output outside overlap overload overview own owner package page pair parameter parent parse "
    "parser part partial pass passage passenger passport password past patch path patient pattern "
    "pause pay payee payment pending percent perform period permission permit person pharmacy "
    "phase phone phrase physical pick picture piece pipeline place plain plan platform play plug "
    "pod point policy poll pool popular port position positive possible post postpone potential "
    "power practice prefer prepare prescription present press prevent preview previous price "
    "primary print prior priority private problem procedure process produce product professional "
    "profile profit program progress project promise promo prompt proof property prove provide "
    "provider public publish pull purchase purpose push put quality quantity query question queue "
    "quick quiet quit quota quote random range rank rate rather raw reach read ready real reason "
    "reboot receipt receive recent recipe recommend record recover reduce refer reference refill "
    "refresh refund refuse region register regular reject relate relation release relevant "
    "reliable rely remain remind remote remove rename renew rent repair repeat replace replica "
    "reply report repository request require required reschedule reservation reserve reset "
    "resident resolve resource respond response rest restart restore restrict result retail "
    "retrieval retrieve retry return reverse review revise right risk road roaming role roll room "
    "root round route router routine row rule ruling run safe said sale sample save say scale "
    "scan schedule schema school scope screen script scroll search seat second secret section "
    "secure security see seem segment select selection sell seller send senior sense sensitive "
    "sentence separate series serious server service session set share shell shift ship shop "
    "shopping short shortage show shut sick side sight sign signature silent silently similar "
    "simple single site size skill skip sleep slot slow small smart snapshot social software "
    "solution solve some sorry sort sound source south space spare speak special specialist "
    "specific specify speed spell spend split spot stable stack staff stage stale standard start "
    "state station status stay steady step stick stock stop storage store story straight strange "
    "stream street strict string strong struct structure stuck student study style subject submit "
    "subscribe substitute subtotal success sudden sum supplier supply support surgery survey "
    "suspend swap switch symptom sync syntax system tab table tag take taken talk target task tax "
    "team technical tell temperature template temporary tenant term terminal terminate test text "
    "thank thing thread threshold ticket tier tight time timeout title today token told tomorrow "
    "tonight took tool tooltip top topic total touch trace track trade traffic train transaction "
    "transfer translate travel treat trend trial trigger trip trouble trust try tune turn type "
    "unable unclear underlying undocumented unique unit unknown unlock unsupported unusual update "
    "upgrade upload upper urgent usable usage use used user usual valid validate validation value "
    "variable various vehicle vendor verification verify version video view violate virtual "
    "visible visit voice volume voucher wait want warehouse warn warning warranty watch water way "
    "weak weather website week weight went west wheel whole wide window winter wire wireless wish "
    "woman word work worker workflow workspace world worth write wrong year yesterday young zero "
    "zip zone"
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
