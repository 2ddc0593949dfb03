"""Keys and passwords: known shapes of tokens, and words that announce a secret."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, Candidate
from memory_pipeline.understand.sensitive.chat_logins import find_chat_logins
from memory_pipeline.understand.sensitive.commands import find_command_logins
from memory_pipeline.understand.sensitive.password_looks import looks_like_password, whole_value
from memory_pipeline.understand.sensitive.recovery import find_recovery_codes, find_seed_phrases
from memory_pipeline.understand.sensitive.said_words import find_said_words
from memory_pipeline.understand.sensitive.sent_codes import find_sent_codes
from memory_pipeline.understand.sensitive.told_passwords import find_told_passwords

_T = r"[A-Za-z0-9_\-]"
_KEY_SHAPES = re.compile(
    r"(?<![\w\-])(?:"
    + "|".join(
        (
            rf"sk-(?:proj-|ant-|or-v1-|test-|live-|svcacct-)?{_T}{{16,}}",
            rf"(?:sk|rk|pk|whsec)_(?:live_|test_)?{_T}{{12,}}",
            r"gh[pousr]_[A-Za-z0-9]{20,}",
            r"github_pat_\w{20,}",
            rf"glpat-{_T}{{16,}}",
            rf"(?:gldt|glrt|glptt|glcbt|glsoat)-{_T}{{16,}}",
            r"xox[abeprs]-[A-Za-z0-9\-]{10,}",
            r"xapp-\d-[A-Za-z0-9\-]{20,}",
            r"(?:AKIA|ASIA|AROA|ABIA|ACCA)[A-Z0-9]{12,}",
            rf"AIza{_T}{{30,}}",
            rf"ya29\.{_T}{{20,}}",
            r"hf_[A-Za-z0-9]{20,}",
            r"npm_[A-Za-z0-9]{30,}",
            rf"pypi-{_T}{{30,}}",
            r"do[por]_v1_[a-f0-9]{40,}",
            rf"SG\.{_T}{{16,}}\.{_T}{{16,}}",
            r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}",
            r"key-[0-9a-f]{32}",
            rf"eyJ{_T}{{8,}}\.eyJ{_T}{{8,}}(?:\.{_T}+)?",
            rf"\d{{8,10}}:AA{_T}{{28,}}",
            rf"(?:y0|y1|y2|y3)_{_T}{{30,}}",
            rf"AQVN{_T}{{30,}}",
            rf"YC(?:AJ|MA|P){_T}{{20,}}",
            rf"(?:hvs|hvb|hvr)\.{_T}{{20,}}",
            rf"gsk_{_T}{{20,}}",
            rf"(?:pplx|xai|r8|fw|csk|nvapi|voyage|pa)[-_]{_T}{{24,}}",
            rf"(?:PMAK|NRAK|LTAI|dapi|figd|sntrys|glsa|glc|lin_api|ntn|secret|dckr_pat|tskey-auth|"
            rf"AGE-SECRET-KEY|EAACEdEose0cBA|sq0atp|sq0csp|SK|AC|rnd|vercel|sbp|phc|whsec|atlasv1|"
            rf"pat|ATATT|ATCTT|bb_app|rpa|cloudflare|CFPAT|nfp|rubygems|cio)[-_]{_T}{{20,}}",
        )
    )
    + r")(?![\w])"
)
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.S,
)
_KEY_WORDS = re.compile(
    r"(?<![^\W_])(?:api[ _\-]?key|apikey|api[ _\-]?token|access[ _\-]?(?:key|token)|auth[ _\-]?token|secret(?:[ _\-]?key)?"
    r"|client[ _\-]?secret|private[ _\-]?key|bearer|token|credential|license key|webhook secret|signing key"
    r"|апи[ \-]?ключ\w*|api[ \-]?ключ\w*|ключ\w*|токен\w*|секрет\w*)(?![^\W_])",
    re.I,
)
_KEY_VALUE = re.compile(r"(?<![\w\-./])[A-Za-z0-9_\-+/=.~]{16,}(?![\w])")
_KEY_FAR = 48
_URL_LOGIN = re.compile(r"(?<!\w)[a-z][a-z0-9+\-.]{1,20}://[^\s:/@]*:([^\s@/]{3,})@", re.I)

_ANNOUNCING = r"(?:пассфраз\w|password|passwd|passcode|passphrase|pass|pswd|pwd|pw|psw|парол[ьяюе]\w*|парол|пасс|пасворд\w*|пассворд\w*)"
_CODE_WORD = (
    r"(?:pin(?:[ \-]?(?:code|number|код\w*))?|пин(?:[ \-]?код\w*)?|пин-?код|(?:access|entry|door|gate|security|entrance|"
    r"verification|confirmation|unlock|alarm|lockbox|keypad|login|sms|one[ \-]time|auth|2fa|backup|recovery|garage|"
    r"building|lock|safe|meeting|join) ?(?:pass)?code|passcode|otp|cvv2?|cvc2?|"
    r"код\w* (?:доступа|из смс|из sms|подтверждения|(?:от|на|для|в|во) (?:двер[ьи]|подъезде?а?|домофоне?а?|сигнализаци[ию]|сейфе?а?|калитк[иуе]|ворота?х?|замке?а?|входа|квартир[ыу]|офиса?|шлагбауме?а?|гараж[ае]?|чемодан[ае]?|ячейк[иуе]|камер[ыуе] хранения|велозамк[ае]|щитк[ае]|почтового ящика)"
    r"|домофона|входа|безопасности|двери|сейфа|авторизации|активации|приглашения|разблокировки)|смс-?код\w*|домофон|кодов\w+ слов\w+|секретн\w+ слов\w+|шифр\w*|comb(?:o|ination) (?:to|for|of) (?:the |my |our )?\w+|комбинаци\w+ (?:от |на )?(?:сейф\w+|замк\w+)|пинк?од\w*|пук-?код\w*|puk|lockbox|keypad|"
    r"one-time password)"
)
_LINK = (
    r"(?:\s*(?:(?:for|to|on|of) (?:the |my |our )?\S+(?: \S+)? is|(?:сменил[аи]?|поменял[аи]?|поставил[аи]?|changed|set) (?:на|to)|"
    # the words between are whole ones, so that no part of the value is taken for one
    r"['’]s(?=\s)|(?:от|на|для|к) [^\s:=]+(?:[:=](?=\s)|(?=\s)(?: [^\W\d_]+(?=[\s:=]))?)|is|was|are|=|:|-|–|—|→|->|это|был[аи]?|такой|такая|будет|остался|прежний|тот же|такой же|там|now|still|"
    r"теперь|стоит|новый|старый|на)[\s,]*){0,3}(?:[^\n:=.!?,|\[\]]{1,40}[:=]\s*)?"
)
_OPEN = r"[*_]{0,3}[\s\"'«“`(]*"
_VALUE = r"(?<!\w)(?P<value>[^\s\"'«»“”`<>][^\s«»“”]{3,255})"
_PASSWORD = re.compile(
    rf"(?<![\w\-$])(?P<word>{_ANNOUNCING})(?![\w\-])(?P<link>{_LINK}){_OPEN}{_VALUE}", re.I
)
_CODE = re.compile(
    rf"(?<![\w\-])(?P<word>{_CODE_WORD})(?![\w\-])(?P<link>{_LINK}|[^\d\n.!?]{{0,24}}?){_OPEN}"
    r"(?<!\w)(?P<value>[#*]?\d{3,8}[#*]?|(?=\S{0,20}\d)\w[\w\-#*@$%&+!]{2,19}[\w#*]|[A-Z0-9]{2,}(?:-[A-Z0-9]{2,})+)(?![\w]|[#*@$%&+!]\w|[.,:]\d)",
    re.I,
)
# "4 4 7 7"; of pairs ("44 77") only after a verb or a colon, as boards and lists have those too
_CODE_APART = re.compile(
    rf"(?<![\w\-])(?:{_CODE_WORD}|{_ANNOUNCING})(?![\w\-])(?P<link>{_LINK}){_OPEN}"
    r"(?P<value>\d(?:[ \-.,·]{1,2}\d){3,7}|\d{3}[ \-]\d{3}|\d\d(?: \d\d){1,3})(?![ \-.,·]?\w)",
    re.I,
)
_WIFI = re.compile(
    r"(?<!\w)(?:wi-?fi|вай-?фай\w*|network|сеть|сети)(?!\w)[^\n.!?]{0,40}?\s?[/|,]\s?(?:(?:ключ|пароль|key|pass|pw|password)\s?[:=]?\s?)?(?P<value>[^\s,;\"'«»]{6,64})",
    re.I,
)
_LOGIN_SLASH = re.compile(
    r"(?<!\w)(?:creds?|credentials|login|логин|доступ\w*|уч[её]тка|log in(?: with)?|sign in(?: with)?)(?!\w)[^\n.!?]{0,24}?"
    r"(?<![\w/])(?P<user>[A-Za-z][\w.\-@]{2,30})\s?[/:|]\s?(?P<value>[^\s,;\"'«»/]{5,64})",
    re.I,
)
_NOT_PASS = re.compile(
    r"(?:boarding|season|ski|bus|guest|hall|parking|travel|metro|day|mountain|press)[ -]$", re.I
)
_HYPHENED = re.compile(r"(?!wi-?fi|e-?mail|vip-|it-)[A-Za-z]{3,}(?:-[A-Za-z]{3,})+", re.I)
_CODE_BEFORE = re.compile(
    r"(?<!\w)(?:код|пин|code|pin)\w*\s+(?P<value>[#*]?\d{3,8}[#*]?)\s+(?:на|от|для|for|to|on)\s+(?:the |our |my )?"
    r"(?:домофон|двер|калитк|сейф|замк|подъезд|ворот|сигнализ|вход|карт|door|gate|safe|alarm|lock|card|garage|building)",
    re.I,
)


_ENDS = re.compile(r"[\"'»”`)]?\s*(?:$|[.,;!?)\n]|(?:and|but|for|и|а|но|для)\b)")


def find_keys(text: str) -> Iterator[Candidate]:
    """Tokens of a known shape, key blocks, and random-looking strings beside a word for a key."""
    for match in _KEY_SHAPES.finditer(text):
        yield Candidate(match.start(), match.end(), "api_key", match.group(), CHECKED)


def find_key_blocks(text: str) -> Iterator[Candidate]:
    """Private keys in PEM, also cut off."""
    for match in _KEY_BLOCK.finditer(text):
        yield Candidate(match.start(), match.end(), "api_key", match.group(), CHECKED)


def find_announced_keys(text: str) -> Iterator[Candidate]:
    """Strings of high entropy that follow a word for a key or token within a few words."""
    for word in _KEY_WORDS.finditer(text):
        for match in _KEY_VALUE.finditer(text, word.end(), word.end() + _KEY_FAR + 200):
            if match.start() - word.end() > _KEY_FAR or "\n\n" in text[word.end() : match.start()]:
                break
            value = match.group().rstrip(".=" if not match.group().endswith("==") else ".")
            if _looks_random(value):
                yield Candidate(match.start(), match.start() + len(value), "api_key", value, KEYED)
                break


def _looks_random(value: str) -> bool:
    if "://" in value or value.count("/") > 2 or not re.search(r"\d", value):
        return False
    if not re.search(r"[A-Za-z]", value):
        return False
    if re.fullmatch(r"[\w\-]+(?:\.[a-z]{2,4})+", value) and value.count(".") == 1:
        return False
    counts = Counter(value)
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return entropy >= 3.0


def find_passwords(text: str) -> Iterator[Candidate]:
    """Passwords, PINs and access codes after their words, in logins and in addresses of servers.

    Here a value does not look like a plain word, so that "forgot my password again" says nothing;
    plain words have rules of their own."""
    yield from find_seed_phrases(text)
    yield from find_recovery_codes(text)
    yield from find_command_logins(text)
    yield from find_said_words(text)
    yield from find_told_passwords(text)
    yield from find_chat_logins(text)
    yield from find_sent_codes(text)
    for match in _URL_LOGIN.finditer(text):
        yield Candidate(*match.span(1), "password", match.group(1), CHECKED)
    for match in _PASSWORD.finditer(text):
        start = match.start("value")
        strong = (
            re.search(r"[:=][*_]*\s*[\"'«“`(]*$", text[match.start("link") : start]) is not None
        )
        value = whole_value(match.group("value"), text[start - 1], strong)
        if _NOT_PASS.search(text, max(0, match.start() - 12), match.start()):
            continue
        is_joined = re.fullmatch(r"[^\W\d]+", value) is not None and "_" in value
        if is_joined and not strong and not _ENDS.match(text, start + len(value)):
            continue  # "password snake_case variables"
        if is_joined and match.group("word").lower() in ("pass", "pw"):
            continue  # "pass user_list to the function"
        spelled = match.group("word")[0] in "пП" and _HYPHENED.fullmatch(value) is not None
        if len(value) >= 4 and (spelled or looks_like_password(value, strong)):
            yield Candidate(start, start + len(value), "password", value, KEYED)
    for match in _CODE.finditer(text):
        value = match.group("value")
        if re.fullmatch(r"(?:19|20)\d\d", value) and not re.search(
            r"[:=]|is|это", match.group("link")
        ):
            continue
        if re.search(r"\d", value):
            yield Candidate(*match.span("value"), "password", value, KEYED)
    for match in _CODE_APART.finditer(text):
        value = match.group("value")
        if match.group("link").strip() or not value[1].isdigit():
            yield Candidate(*match.span("value"), "password", value, KEYED)
    for match in _CODE_BEFORE.finditer(text):
        yield Candidate(*match.span("value"), "password", match.group("value"), KEYED)
    for pattern in (_WIFI, _LOGIN_SLASH):
        for match in pattern.finditer(text):
            value = whole_value(match.group("value"), "", False)
            if looks_like_password(value, False):
                start = match.start("value")
                yield Candidate(start, start + len(value), "password", value, KEYED)
