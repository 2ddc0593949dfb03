"""English constructions of taste, tools, skills, tongues, aims, plans and things owned, in words of
any kind."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.clauses_en import (
    LEAD,
    being,
    by_owner,
    by_person,
    frame,
    of_first,
    told,
)
from memory_pipeline.understand.extraction.constructions.engine import Construction, Piece, Take
from memory_pipeline.understand.extraction.constructions.open_takers_en import noun_en, slot_en
from memory_pipeline.understand.extraction.constructions.takers import (
    DONE_SOMEWHERE,
    language,
    tool,
)
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.lexicon import LANGUAGES_EN, tool_name
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import english_phrase
from memory_pipeline.understand.extraction.places import is_known_place
from memory_pipeline.understand.extraction.rules.aims import each_aim
from memory_pipeline.understand.extraction.sentences import Sentence

_THING = noun_en(5, limit=3, keep=frozenset({"in", "on", "at", "without"}))
_ONE = noun_en(5, plain=True, keep=frozenset({"in", "on", "with", "without", "at"}))
_HYPOTHETICAL = frozenset({"hypothetical"})
_NOUN = r"(?P<o>(?!(?:it|that|this|you|he|she|they|we|i|what|there|which|who|and|but|so|not|no|yes|one|nothing|something|someone|everyone|these|those|if|my (?:boss|ex)|the (?:way|fact|idea))\b)[a-z][\w' -]{2,32}?)"
_BOTHERS = (
    r"(?:(?:really\s+|just\s+|always\s+|honestly\s+)*(?:(?:drives?|makes?|leaves?)\s+me\s+(?:crazy|nuts|insane|mad|up the wall|round the bend|bonkers|angry|cringe|gag|retch|puke|sick|want to (?:scream|cry|puke)|cold|anxious|furious|miserable|shudder|itch)"
    r"|(?:does?|do)\s+nothing\s+for\s+me|(?:annoys?|irritates?|bores?|disgusts?|infuriates?|exhausts?|stress(?:es)?|creeps?|freaks?|grosses|winds?|wears?|weirds?)\s+me(?:\s+(?:out|up|down|to (?:tears|death)|stiff))?"
    r"|(?:gets?|grates?)\s+on\s+my\s+(?:nerves|wick|last nerve)|gets?\s+my\s+goat|turns?\s+my\s+stomach|does?\s+my\s+head\s+in|gives?\s+me\s+the\s+(?:creeps|ick|heebie[- ]jeebies)|puts?\s+me\s+off|sets?\s+my\s+teeth\s+on\s+edge"
    r"|(?:isn't|aren't|is not|are not|isnt|arent|was never|were never|has never been|are so not|is so not|are definitely not|is definitely not)\s+(?:really\s+|exactly\s+)?(?:for me|my thing|my cup of tea|my bag|my jam|my idea of fun|my scene|my style)"
    r"|(?:is|are)\s+(?:the\s+(?:absolute\s+)?(?:worst|bane of my (?:life|existence))|(?:absolutely\s+)?(?:disgusting|revolting|vile|grim|unbearable)|my (?:idea of )?(?:hell|nightmare|pet hate|pet peeve))))"
)

TASTES: list[Construction] = [
    of_first("dislike", "find unbearable boring tedious annoying awful disgusting exhausting insufferable dull", r"\bi\s+(?:really\s+|honestly\s+|just\s+)?find\s+(?P<o>[a-z][\w' -]{2,30}?)\s+(?:really\s+|so\s+|absolutely\s+|utterly\s+|a bit\s+|deeply\s+|incredibly\s+)?(?:unbearable|boring|tedious|annoying|awful|disgusting|exhausting|insufferable|dull|grim|vile|infuriating|irritating|creepy|overrated|painful|depressing)\b", slot_en(4), dated=False),
    of_first("preference", "find relaxing fascinating soothing calming", r"\bi\s+(?:really\s+|always\s+)?find\s+(?P<o>[a-z][\w' -]{2,30}?)\s+(?:really\s+|so\s+|very\s+|endlessly\s+)?(?:relaxing|fascinating|soothing|calming|delicious|therapeutic|irresistible|magical|delightful)\b", slot_en(4), dated=False),
    of_first("dislike", "can't cant doing", rf"(?:{LEAD}|\bi\s+)(?:can't|cant|cannot)\s+be\s+(?:doing with|dealing with|arsed with|bothered with|having)\s+", _THING, dated=False, negatable=False),
    *being("dislike", "lover friend fan", r"(?:no|not an?|hardly an?|never been an?)\s+(?:great\s+|big\s+|real\s+)?(?:lover|friend|admirer|devotee)\s+of", _THING, negatable=False, dated=False),
    of_first("dislike", "blood boil skin crawl teeth", rf"(?:{LEAD}|[,;]\s*){_NOUN}\s+makes?\s+my\s+(?:blood boil|skin crawl|teeth itch|heart sink|eyes glaze over|toes curl|stomach turn)", slot_en(5), dated=False),
    of_first("dislike", "revolting disgusting vile horrible gross yuck awful", r"^(?P<o>[a-z][\w' -]{2,28}?)\s*[?!.]+\s*(?:revolting|disgusting|vile|horrible|gross|yuck|awful|never)\b", slot_en(3), dated=False),
    of_first("preference", "nothing happier makes", r"\bnothing\s+(?:makes me (?:happier|more relaxed)|relaxes me|cheers me up|lifts my mood)\s+(?:more\s+|quite\s+)?(?:than|like)\s+(?:an?\s+)?", _ONE, dated=False),
    of_first("preference", "happy place guilty pleasure passion joy", r"\bmy\s+(?:happy place|guilty pleasure|biggest pleasure|pride and joy|biggest passion|true love|great love|weakness|comfort food|poison of choice|drink of choice|drug of choice|first love|obsession|latest obsession)\s+(?:is|are|has always been|will always be|:)\s+(?!my (?:wife|husband|son|daughter|kids))", _ONE, dated=False),
    of_first("preference", "over", rf"{LEAD}(?!(?:went|go|goes|gone|going|came|come|moved|moving|switched|handed|took|ran|run|pulled|crossed|flew|drove|hopped|shot|popped|turned|rolled|got|get|talk|talked|think|thought|all|it|that|game|what|week|start|sleep|slept|stay|stayed)\b)(?P<o>[a-z][\w'-]*(?:\s[a-z][\w'-]+)?)\s+over\s+[a-z][\w' -]{{2,20}}?(?:\s+(?:any day|every time|always|all day))?\s*[,.!]*\s*(?:sorry|for me|always|any day|every time|all day long|hands down|no contest|please)?\s*[.!]*$", slot_en(2), dated=False, confidence=0.62),
    of_first("preference", "always", r"^always\s+(?:an?\s+|the\s+)?(?P<o>[a-z][\w' -]{1,25}?),\s+never\s+", slot_en(3), dated=False),
    *told("preference", "developed acquired taste thing", r"(?:developed|acquired|'ve developed|have developed|'ve acquired|have acquired|have)\s+an?\s+(?:taste|liking|passion|love|fondness|soft spot|weakness|thing|obsession)\s+(?:for|with)", _THING, third=r"(?:developed|has)\s+an?\s+(?:taste|liking|passion|love|fondness|soft spot|weakness|thing)\s+for", dated=None),
    *told(
        "dislike", "hate hates loathe loathes detest despise dislike abhor can't cannot don't dont never dread resent stand bear abide",
        r"(?:don\'t get me started on|hate|loathe|detest|despise|dislike|abhor|dread|resent|can't (?:stand|bear|abide|stomach|tolerate)|cannot (?:stand|bear|abide|stomach)|cant (?:stand|bear)|could never stand|don't (?:really |much |actually )?(?:like|enjoy|care for|love|rate)|dont (?:really |much )?(?:like|enjoy|care for)|do not (?:like|enjoy|care for)|didn't (?:like|enjoy)(?= .*\b(?:never|ever)\b)|never (?:liked|cared for|enjoyed|got the point of|warmed to|took to|understood the appeal of)|have never (?:liked|enjoyed|cared for)|'ve never (?:liked|enjoyed|cared for))",
        _THING, third=r"(?:hates|loathes|detests|despises|dislikes|dreads|resents|can't (?:stand|bear|abide|stomach)|cannot (?:stand|bear)|(?:doesn't|doesnt|does not) (?:really |much )?(?:like|enjoy|care for)|(?:has )?never (?:liked|cared for|enjoyed))",
        negatable=False, dated=False, confidence=0.76),
    *being("dislike", "fan keen fond into sick tired fed bored", r"(?:(?:not|never been|no|never|not really|not exactly)\s+(?:really\s+|too\s+|very\s+|so\s+|that\s+|much of\s+|particularly\s+|exactly\s+|an?\s+|a big\s+|a huge\s+|the biggest\s+|much of a\s+)*(?:fan of|keen on|into|fond of|crazy about|mad about|big on|one for)|(?:sick(?: and tired)?|tired|fed up|bored|weary) (?:of|with)|over)(?<!\bover)", _THING, negatable=False, dated=False, confidence=0.75, core=r"\b(?:fan of|keen on|into|fond of|crazy about|mad about|big on|one for|(?:sick|tired|fed up|bored|weary) (?:of|with))\s"),
    of_first("dislike", "drives makes leaves does annoys irritates bores disgusts infuriates winds gets turns gives puts isn't aren't not worst bane hell disgusting peeve stress stresses creep freak thing tea drive make annoy", rf"(?:{LEAD}|[,;]\s*|\bbut\s+){_NOUN}\s+{_BOTHERS}", slot_en(5), dated=False, confidence=0.72),
    of_first("dislike", "yuck ugh gross blech eww bleh hate can't nope vile grim", rf"(?:{LEAD}){_NOUN}\s*[,—–…-]+\s*(?:yuck|ugh|gross|blech|eww+|bleh|urgh|no thanks|no thank you|nope|hard pass|not for me|(?:i\s+)?(?:absolutely\s+)?(?:hate|loathe|can't stand) (?:it|them|that)|vile|disgusting|avoid (?:it|them))", slot_en(4), dated=False),
    of_first("dislike", "ugh yuck eww", rf"^(?:ugh|yuck|eww+|urgh|bleh)[,!. ]+(?:not\s+)?{_NOUN}(?=\s*[.!,]|\s*$)", slot_en(3), dated=False, confidence=0.6),
    of_first("dislike", "hate dislike", r"\b(?:what|the thing|one thing|the one thing)\s+i\s+(?:really\s+|most\s+)?(?:hate|dislike|can't stand|detest)(?:\s+(?:most|the most|about \w+(?:\s\w+)?))?\s+is\s+(?!when|how|that)", _ONE, dated=False),
    of_first("dislike", "live without", r"\b(?:i\s+)?could\s+(?:happily\s+|easily\s+)?(?:live|do)\s+without\s+", _ONE, dated=False, ignores=_HYPOTHETICAL),
    of_first("dislike", "pet hate peeve", r"\b(?:my\s+)?(?:biggest\s+|number one\s+)?pet\s+(?:hate|peeve)s?\s*(?:is|are|:)\s+(?!when|how|that)", _THING, dated=False),
    of_first("dislike", "avoid plague", r"\bi\s+avoid\s+(?P<o>[a-z][\w' -]{2,30}?)\s+like the plague\b", slot_en(4), dated=False),
    *told(
        "preference", "love loves adore adores enjoy enjoys prefer prefers relish fancy like likes live favour",
        r"(?:(?:really |absolutely |just |truly |do |always |still |also |so |quite |rather |genuinely |fucking |bloody )*(?:both\s+)?(?:love|loved(?= .*\b(?:always|since)\b)|luv|adore|enjoy|prefer|relish|favour|favor|cherish|live for|love love(?: love)?|can't (?:get enough of|live without|resist)|cannot get enough of|have a (?:soft spot|thing|weakness) for|have fallen in love with|'ve fallen in love with|fell in love with|get a kick out of|never get tired of|could (?:eat|listen to|watch|drink) (?=[\w ]+\b(?:all day|every day|forever|daily)\b)|fancy a bit of|love a good|love nothing more than))(?:\s+(?:a bit of|a good|my|the (?:taste|smell|sound|feel) of))?(?!\s+(?:the|being|having|seeing|how|making)\s)(?!\s+to (?:be|see|hear|know|come|have|go|meet|help|get|chat|talk|join|try|say)\b)",
        _THING, third=r"(?:(?:really |absolutely |just |still )?(?:loves|adores|enjoys|prefers|relishes|lives for|can't get enough of)(?:\s+(?:his|her|a good|a bit of))?|has a (?:soft spot|thing|weakness) for|has fallen in love with)(?!\s+(?:him|her|me|us|you|my|his|it)\b)",
        clipped=r"(?:love|loving|adore|prefer|can't get enough of|love love love)", dated=False, confidence=0.7, core=r"\b(?:love|loved|luv|adore|enjoy|prefer|relish|favou?r|cherish|live for|can\'t get enough|cannot get enough|can\'t (?:live without|resist)|have a (?:soft spot|thing|weakness)|in love with|get a kick|never get tired|could (?:eat|listen|watch|drink)|fancy a bit|loves|adores|enjoys|prefers|relishes|lives for|has a (?:soft spot|thing|weakness)|loving)\b"),
    *being("preference", "fan into keen fond partial crazy mad obsessed sucker hooked addicted nuts big lover passionate enthusiast", r"(?:(?:really |so |well |totally |absolutely |dead |very |pretty |mad |big |huge |massive |proper |an? |a total |a complete |a big |a huge |a massive |the biggest |currently )*(?:fan of|into|keen on|fond of|partial to|crazy about|mad about|mad for|nuts about|obsessed with|hooked on|addicted to|sucker for|passionate about|big on|devoted to|enthusiastic about|mad keen on))(?!\s+(?:you|him|her|it|that|this|the|making|work|my|a (?:wall|pole|tree|car)|an argument|trouble))", _THING, dated=False, confidence=0.73, core=r"\b(?:fan of|into|keen on|fond of|partial to|crazy about|mad about|mad for|nuts about|obsessed with|hooked on|addicted to|sucker for|passionate about|big on|devoted to|enthusiastic about)\s"),
    of_first("preference", "lover fan man girl nut addict fanatic enthusiast buff fiend guy", r"\b(?:i'm|i am|im|i've always been|i have always been|we're|i've been)\s+(?:(?:more of|always|still|very much|definitely|such|strictly|really|a bit of|total|big|huge|massive|not a \w+ person but)\s+)*an?\s+(?:(?:total|big|huge|massive|real|complete|proper|bit of an?)\s+)*(?P<o>(?!people\b|bad\b|good\b|private\b|nice\b|night\b|young\b|old\b|single\b|busy\b|grown\b|sick\b|funny\b|new\b|different\b|one\b|family\b|third\b|real\b|happy\b|positive\b|changed\b|simple\b|lucky\b|very\b|so\b|local\b|handy\b|delivery\b|repair\b|sales\b|contact\b|resource\b|hr\b)[a-z][\w-]*(?:\s[a-z][\w-]+)?)\s+(?:lover|nut|addict|fanatic|enthusiast|buff|fiend|guy|aficionado|fan)\b", slot_en(2), dated=False),
    of_first("preference", "fave favourite favorite favourites", rf"(?:\bmy|\bour|{LEAD})\s*(?:all[- ]time\s+|absolute\s+|current\s+|new\s+)*(?:fave|favou?rite|go-to|preferred)\s+(?:(?!is\b|are\b)[\w-]+\s+){{0,3}}?(?:is|are|:|has to be|would be|was always|remains|=)\s+(?!when|how|that|to be\b|not\b|in\b)", _ONE, dated=False, ignores=_HYPOTHETICAL),
    frame("preference", "favourite favorite fave", r"(?P<third>'s\s+(?:all[- ]time\s+)?(?:fave|favou?rite)\s+(?:(?!is\b|are\b)[\w-]+\s+){0,3}?(?:is|are))\s+", by_owner(_ONE), dated=False),
    of_first("preference", "favourite favorite fave suits suit works best", rf"(?:{LEAD}|[,;]\s*){_NOUN}\s+(?:(?:is|are)\s+(?:(?:by far|definitely|still|easily)\s+)?my\s+(?:absolute\s+|all[- ]time\s+)?(?:fave|favou?rite|happy place|guilty pleasure|comfort food|go-to|jam|thing|weakness)|(?:suits?|works?)\s+(?:best|better)\s+for\s+me|suits?\s+me\s+(?:best|better|fine|perfectly|down to the ground)|(?:is|are)\s+(?:best|better|easier|ideal)\s+for\s+me)", slot_en(4), dated=False),
    of_first("preference", "every time day way over all", rf"{LEAD}(?:give me\s+)?{_NOUN}\s+(?:every (?:single )?time|any day(?: of the week)?|all the way|all day long|always(?=,?\s+please))(?:\s+(?:for me|thanks|please))?\s*(?:[.!,]|$)", slot_en(4), dated=False),
    of_first("preference", "over any rather take pick choose than", r"\bi(?:'d| would)?\s+(?:always\s+|rather\s+|much rather\s+|sooner\s+)?(?:take|pick|choose|go for|have|opt for)\s+(?P<o>[a-z][\w' -]{2,30}?)\s+(?:over|than|instead of|rather than)\s+(?!there|here)", slot_en(4), dated=False, ignores=_HYPOTHETICAL),
    of_first("preference", "prefer rather", r"\bi(?:'d| would)\s+(?:much\s+|rather\s+)*prefer\s+(?!to\b|that\b|it\b|if\b|not\b|you\b)", _ONE, dated=False, ignores=_HYPOTHETICAL),
    of_first("preference", "please like", rf"{LEAD}(?P<o>(?!yes|no\b|one\b|two\b|can\b|could\b|help\b|tell\b|send\b|let\b|stop\b|more\b|some\b)[a-z][\w' -]{{3,28}}?)\s+please[,.;:—–-]+\s*(?:i\s+(?:like|prefer|love|want)|that's how i|it's (?:just )?(?:easier|better|nicer) for me)", slot_en(4), dated=False),
    of_first("preference", "coffee tea steak eggs toast whisky whiskey beer pizza shower showers curry bread martinis", r"\bi\s+(?:usually\s+|always\s+|only\s+)?(?:take|drink|like|have)\s+my\s+(?P<o>(?:coffee|tea|steak|eggs|toast|whisky|whiskey|beer|pizza|showers?|curry|bread|martinis?)\s+[a-z][\w' -]{2,25}?)(?=\s*(?:[,.;!]|$)|\s+(?:and|but|so)\b)", slot_en(6), dated=False),
    of_first("preference", "nothing beats better", r"\b(?:nothing|not much)\s+(?:beats|tops|compares to|better than)\s+(?:an?\s+|the\s+)?(?:good\s+|nice\s+)?", _ONE, dated=False),
    of_first("preference", "use metric units please always reply answer keep", r"^(?:please\s+|always\s+|can you always\s+)+(?:use|write in|stick to|reply with|answer with|give me)\s+(?P<o>[a-z][\w' -]{3,28}?)(?:\s+(?:with|for)\s+me\b|,?\s+(?:please|i prefer|i like))", slot_en(4), dated=False, confidence=0.65),
    of_first("preference", "went gone off fallen bored", r"\b(?:i|i've|i have|we)\s+(?:have\s+|kind of\s+|completely\s+|rather\s+)*(?:went|gone|fell out of love with|fallen out of love with|lost interest in|lost my taste for)\s+(?:right\s+)?(?:off\s+)?(?<=off )(?!to\b|on\b|the rails|piste|topic|road|grid|sick)", _THING, Mode.end),
]  # fmt: skip


def _named_tool(text: str, start: int) -> Piece | None:
    found = re.compile(r"\s*(?:(?:an?|the|my|our|plain|good old|mostly|mainly|just)\s+)*(?P<name>[A-Z][\w+#]*(?:[.-]\w+)*(?:\s(?:[A-Z0-9][\w+#]*|laser|saw|drill|lathe|sander|camera|press|cutter)){0,2})(?!['’\w])").match(text, start)  # fmt: skip
    if found is None or found["name"].split()[0] in {"I", "My", "The", "It", "We", "He", "She", "They", "You", "This", "That", "English", "French", "German", "Spanish", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "And", "But"} or found["name"].isdigit():  # fmt: skip
        return None
    name = found["name"]
    if (
        is_known_place(name)
        or name.lower() in LANGUAGES_EN
        or (is_given_name(name.split()[0]) and tool_name(name) is None)
    ):
        return None
    return name, found.start("name"), found.end("name")


def named_tool(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Tools in a row: known ones, and whatever bears a name in capitals."""
    lead = re.compile(r"\s*(?:(?:an?|the|my|our|plain|good old|mostly|mainly|just)\s+)*").match(sentence.low, start)  # fmt: skip
    found = list(tool(sentence, scene, lead.end() if lead else start, stop))
    if found:
        yield from found
        return
    at = start
    if DONE_SOMEWHERE.search(sentence.low[:start]):
        return
    while (one := _named_tool(sentence.text[:stop], at)) is not None:
        yield one
        joint = re.compile(r"\s*(?:,|\+|/|&)\s*(?:and\s+)?|\s+(?:and|plus)\s+").match(sentence.low, one[2])  # fmt: skip
        if joint is None:
            return
        at = joint.end()


def moved_tool(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """The tool that something is moved to: known as one, or named after another or after work."""
    for value, a, b in named_tool(sentence, scene, start, stop):
        before = sentence.low[:start]
        named = re.search(r"\b(?:from|out of|off)\s+([\w.+#-]+(?:\s[\w+#]+)?)\s+(?:over\s+|back\s+|across\s+)?(?:to|onto|into)\s+$", before)  # fmt: skip
        from_tool = named is not None and (tool_name(named[1]) is not None or sentence.text[named.start(1)].isupper())  # fmt: skip
        work = re.search(r"\b(?:moved|switched|migrated)\s+(?:all\s+)?(?:my|our|the|everything)\b", before)  # fmt: skip
        known = named is not None and tool_name(named[1]) is not None
        if tool_name(str(value)) is None and not (work or known or (from_tool and "switched" in before)):  # fmt: skip
            return
        yield value, a, b


def _moved_tool_or_known(
    sentence: Sentence, scene: Scene, start: int, stop: int
) -> Iterator[Piece]:
    """Tools that are known as such: the verb says little."""
    for value, a, b in named_tool(sentence, scene, start, stop):
        if (
            tool_name(str(value)) is None
            and "standard" not in sentence.low
            and "using" not in sentence.low[:start]
        ):
            return
        yield value, a, b


_MAKE = r"(?:do|keep|track|take|manage|write|store|edit|draw|plan|record|log|organi[sz]e|handle|test|ship|deploy|build|code|design|program|develop|model|render|mix|measure|cut|sew|knit|paint|sketch|print|host|run|monitor|measure|master|film|shoot|calculate|budget|invoice|schedule|bill|chart|map|navigate|meditate|cook|train|study|write up|draft|proofread|translate|edit everything|work)"
DONE = r"(?:done|tracked|kept|stored|written|managed|drawn|edited|built|hosted|made|logged|planned|recorded|designed|deployed|monitored|filed|handled|run|saved|organi[sz]ed|scheduled|coded|modelled|mixed|rendered|automated|documented|maintained|backed up|shared)"
TOOLS: list[Construction] = [
    *told("tool", "standardised standardized settled gone got went back", r"(?:standardi[sz]ed on|settled on|gone all in on|gone with|went with|gone back to|went back to|going with|got (?:really\s+)?into using|got into|'ve got into using|converted to|betting on|am sold on)", _moved_tool_or_known, third=None, dated=None, clipped=r"(?:standardi[sz]ed on|settled on|back on|back to)"),
    *told("tool", "gone moved went switched", r"(?:gone|moved|went|switched|jumped|migrated)\s+from\s+[\w.+#-]+(?:\s[\w+#]+)?\s+(?:over\s+|across\s+)?to", moved_tool, Mode.change, third=None, dated=None, core=r"\bfrom\s+[\w.+#-]+(?:\s[\w+#]+)?\s+(?:over\s+|across\s+)?to\s"),
    of_first("tool", "team company lives runs swears", r"\b(?:my|our)\s+(?:whole\s+|entire\s+)?(?:team|company|department|office|studio|lab|family)\s+(?:lives in|lives on|swears by|uses|is on|runs on|relies on|works in|loves)\s+", named_tool, dated=False),
    of_first("tool", "use", r"^for\s+(?:my\s+|our\s+|the\s+|all\s+)*[a-z][\w' -]{2,25}?,?\s+(?:i|we)\s+(?:now\s+|always\s+|mostly\s+)?(?:use|rely on|go with|swear by)\s+", named_tool, dated=False),
    frame("tool", "codes writes programs draws edits designs models builds works paints", r"(?P<third>\b(?:codes|writes|programs|draws|edits|designs|models|builds|paints|animates)\s+(?:everything\s+|mostly\s+)?(?:in|with|on))\s+", by_person(named_tool), dated=False),
    *told(
        "tool", "use uses using rely swear work code write", r"(?:use|rely on|swear by|depend on|(?:always |mostly |mainly )?(?:work|code|write|program|develop|draw|edit|design|model|build|paint|compose|animate|mix|record) (?:in|with|on)|started using|have started using|'ve started using|have been using|'ve been using|adopted|have adopted|'ve adopted|installed|am using|'m using)",
        named_tool, third=r"(?:uses|relies on|swears by|(?:works|codes|writes|programs|draws|edits|designs|models|builds|paints) (?:in|with)|started using|has started using|is using|'s using)(?:\s+mostly)?", dated=None, clipped=r"(?:started using|using|been using|trying out(?= \w+ and))", confidence=0.74),
    *told("tool", "do keep track manage write store edit draw record log organise organize test ship deploy build code design measure cut invoice budget sew knit paint sketch print host model render", rf"{_MAKE}\s+(?:(?!not\b|never\b)[\w'-]+\s+){{0,4}}?(?:in|with|using|through|on|via)", named_tool, third=None, clipped=None, dated=False, confidence=0.72),
    of_first("tool", "done tracked kept stored written managed drawn edited built hosted made logged planned recorded designed deployed filed handled saved run", rf"(?:\b(?:my|our|the|all|everything)\b[^.!?;,]{{0,40}}?)(?:'s|\s+is|\s+are|\s+gets?|\s+was)\s+(?:all\s+|now\s+|mostly\s+|always\s+)*{DONE}\s+(?:in|with|on|using|through|via)\s+", named_tool, dated=None),
    of_first("tool", "runs run goes go lives live happens sits", r"\b(?:(?:my|our|the)\s+(?:\w+\s+)?(?:team|company|firm|notes|photos|mail|emails?|accounts|books|payroll|code|site|website|shop|store|blog|backups?|files|data|docs|tasks|calendar|invoices|billing|stack|infrastructure|infra|office|school|servers?|app|wiki|tickets|music|recipes|pipelines?|ci|builds?|projects?|department|studio|lab|clinic|business)|all (?:(?:our|my|of it)\s*)?\w*|everything)\s(?:runs?|goes?|lives?|happens?|sits?|works?)\s+(?:all\s+)?(?:on|through|in|via)\s+", named_tool, dated=None),
    *told("tool", "switched moved migrated changed jumped gone went swapped converted", r"(?:switched|moved|migrated|changed|jumped|swapped|converted|transitioned|shifted)\s+(?:(?!to\b|from\b)[\w'-]+\s+){0,4}?(?:(?:from|out of|off)\s+[\w .+#-]{2,25}?\s+)?(?:over\s+|back\s+|across\s+)?(?:to|onto|into)\s+(?=.)", moved_tool, Mode.change, third=None, joined=False, dated=None),
    of_first("tool", "switched moved migrated changed jumped swapped ditched dumped replaced dropped", r"\b(?:i|i've|we|we've|just|have)\s+(?:just\s+|finally\s+|recently\s+)?(?:ditched|dumped|replaced|dropped|swapped|abandoned)\s+(?:my\s+|our\s+)?[\w.+#-]+(?:\s[\w+#]+)?\s+(?:for|with|in favou?r of)\s+", named_tool, Mode.change),
    of_first("tool", "longer don't stopped it's", r"\b(?:no longer|don't|not|stopped)\s+(?:use|using|on|run|running)\s+[\w.+#-]+(?:\s[\w+#]+)?(?:\s+any\s?more)?\s*[,;—–.-]+\s*(?:now\s+)?(?:it's|we're on|i'm on|it is|we use|i use|we have)\s+(?:all\s+|now\s+)?(?P<o>.+)", named_tool, Mode.change, negatable=False),
    of_first("tool", "stopped quit gave given dropped ditched abandoned uninstalled cancelled", r"\b(?:i|i've|we|we've|have)\s+(?:just\s+|finally\s+|recently\s+|completely\s+)?(?:stopped using|quit using|given up on|gave up on|ditched|dumped|abandoned|uninstalled|moved off|moved away from|migrated off|got rid of|dropped)\s+", named_tool, Mode.end),
    of_first("tool", "shop house", r"\b(?:we're|we are|i'm|i am)\s+an?\s+(?:full\s+|pure\s+|proud\s+)?(?P<o>[a-z][\w.+#]+)\s+(?:shop|house|user|team)\b", named_tool, dated=False),
    of_first("tool", "driver choice editor stack setup main", rf"(?:\b(?:my|our)\s+|{LEAD})(?:(?:daily|main|current|new|trusty|go-to|preferred|default)\s+)*(?:driver|tool(?: of choice)?|editor(?: of choice)?|ide|stack|setup|laptop|workhorse|weapon of choice|browser|notes app|to-?do app|phone|keyboard|camera|crm|cms|toolkit|toolchain)\s+(?:of choice\s+)?(?:is|are|:|=|has been|will always be)\s+(?:an?\s+|the\s+|mostly\s+|still\s+)*", named_tool, dated=False),
]  # fmt: skip


_PLAY = r"(?:piano|guitar|violin|cello|viola|flute|clarinet|oboe|bassoon|trumpet|trombone|tuba|horn|drums|bass|double bass|harp|organ|accordion|banjo|mandolin|ukulele|saxophone|sax|recorder|harmonica|fiddle|bagpipes|sitar|tabla|keyboard|keys|lute|bodhran|percussion|marimba|didgeridoo|kora|oud|chess|bridge|poker|tennis|squash)"
_SELF = re.compile(
    r"\s*(?:be|have|do|get|love|say|deal|live|let|help|cope|feel|see|tell|know|come|go|make it|meet|wait|call|send|bring|give|take (?:it|you|him|her|a look)|pay|hear|understand|imagine|think|believe|remember|confirm|join|start|stop|try|only|also|just|always|still|never|barely|hardly|pick|drop|use|check|show|offer|stay|attend|reach|work|talk|chat|manage|eat|drink|afford|spend|assure|relate|promise|finally|now|ask|look|access|add|share|move|finish|leave|even|really|totally|not|definitely|probably|host|be reached|put|grab|buy|order|book|hold|keep|find|recommend|wear|sleep|swap|cover|skip|smell|taste|handle it|handle that|handle|wait|make (?:it|an?|the|sure|things|time|this)|build|tackle|picture|create|achieve|begin|inspire|support|provide|reach|turn|spread|grow|pull|pass|bring|change|learn|continue|definitely|vouch|guarantee|drop|lend|swing|provide|focus|add|totally|never|each|all|both)\b"
)


def able(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What one can do: a verb with at most four words of its own, no errand."""
    end = re.compile(
        r"[,.;:!?()—–\n]|\s(?:and|but|so|because|when|if|now|too|last|this|since|for you|with you|you|at (?:\d|noon|home|work|the)|in (?:\d|the)|on (?:mon|tue|wed|thu|fri|sat|sun)|tomorrow|today|tonight|next|by|until|after|before|from|well|ok|pretty|quite|really|like|to)\b"
    ).search(sentence.low, start, stop)
    value = sentence.text[start : end.start() if end else stop].strip()
    if _SELF.match(value.lower()) or not 1 <= len(value.split()) <= 4 or re.search(r"\d|\b(?:it|you|him|her|them|that|this|me|us|your|his|their)\b", value.lower()):  # fmt: skip
        return
    yield value, start, start + len(value)


def how_to(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What one has learned to do."""
    end = re.compile(
        r"[,.;:!?()—–\n]|\s(?:and|but|so|because|when|if|now|too|last|this|since|in (?:\d|my|the|about)|from|at (?:\d|school|uni)|during|while|over|for you|ages|years)\b"
    ).search(sentence.low, start, stop)
    value = sentence.text[start : end.start() if end else stop].strip()
    if 1 <= len(value.split()) <= 6 and not re.match(r"(?:be|let|live|love|cope|say no|deal|trust|accept|it|that|you|appreciate|wait|do (?:it|that|this))\b", value.lower()):  # fmt: skip
        yield value, start, start + len(value)


_CRAFT = noun_en(4, limit=3, keep=frozenset({"in", "of"}))


def _craft(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    if re.compile(r"\s*(?:being|making (?:friends|it|me|people|decisions)|avoiding|pretending|ignoring|wasting|forgetting|losing|sleeping|eating|procrastinat\w+|nothing|everything|hiding|overthinking|getting|saying|keeping (?:secrets|my))\b").match(sentence.low, start):  # fmt: skip
        return
    for value, a, _b in _CRAFT(sentence, scene, start, stop):
        plain = re.sub(r"\s+(?:me|myself|tbh)$", "", str(value))
        if plain.lower() in LANGUAGES_EN:
            return
        yield plain, a, a + len(plain)


_ABLE = r"\b(?:good|great|brilliant|excellent|decent|skilled|proficient|handy|fluent|adept|competent|talented|gifted|amazing|ace|fantastic|experienced|expert|versed|trained|certified|qualified|knowledgeable|a dab hand|a whiz|a wizard|comfortable|solid|clever|not bad|strong|shit hot|deft|useful)"
_GOOD = rf"(?:(?:pretty|really|quite|very|fairly|super|rather|damn|reasonably|particularly|extremely|not bad|well|so)\s+)*{_ABLE}"
SKILLS: list[Construction] = [
    *being("skill", "qualified trained licensed certified able", r"(?:qualified|trained|licensed|licenced|certified|able) to", how_to, dated=False, clipped=False),
    of_first("skill", "dab hand whiz wizard natural", r"\b(?:i'm|i am|im)\s+an?\s+(?:real\s+|bit of an?\s+|proper\s+)?(?:dab hand|whiz+|wizard|natural|master|genius|pro|ninja|demon|expert)\s+(?:at|with|in|on)\s+", _craft, dated=False),
    of_first("skill", "talent talents skill skills gift party trick strength", rf"{LEAD}(?P<o>[a-z][\w' -]{{2,30}}?)\s+is\s+(?:about\s+|probably\s+|pretty much\s+|really\s+)?(?:my|the)\s+(?:only\s+|one\s+|main\s+|secret\s+|hidden\s+|greatest\s+|best\s+)*(?:talent|skill|party trick|strength|strong suit|forte|superpower|speciality|specialty)\b", slot_en(4), dated=False),
    *being("skill", "good great brilliant excellent decent skilled proficient handy adept competent talented gifted amazing ace fantastic experienced expert versed trained certified knowledgeable dab whiz wizard solid clever bad strong", rf"{_GOOD}\s+(?:at|with|in|on)", _craft, dated=False, confidence=0.74, core=rf"{_ABLE}\s+(?:at|with|in|on)\s"),
    of_first("skill", "expert specialist", rf"{LEAD}(?:an?\s+)?(?:expert|specialist|specialise|specialize|specialising|specializing|skilled|experienced|trained|proficient|certified)\s+(?:in|at|with)\s+", _craft, dated=False),
    *told("skill", "know knows taught learned learnt picked mastered speciali", r"(?:(?:know|learned|learnt|have learned|have learnt|'ve learned|'ve learnt|taught myself|have taught myself|'ve taught myself|figured out|was taught) (?:how )?to)", how_to, third=r"(?:knows how to|(?:has )?taught (?:himself|herself) (?:how )?to|learned (?:how )?to|has learned (?:how )?to)", dated=None, clipped=r"(?:taught myself (?:how )?to|learned (?:how )?to|learnt (?:how )?to|know how to)"),
    *told("skill", "taught picked mastered got speciali specialise specialize", r"(?:taught myself|'ve taught myself|have taught myself|mastered|have mastered|'ve mastered|picked up(?=[\w ]+\b(?:last|at|in|from|over|during|when)\b)|specialise in|specialize in|know my way around|know my onions about|excel at|excel in|am trained in|have a knack for|have a talent for|have a gift for|'ve got a knack for|have a way with|'ve got a way with)(?!\s+(?:how\s+)?to\b)(?:\s+an?)?", _craft, third=r"(?:specialises in|specializes in|excels at|excels in|has a knack for|has a talent for|has mastered|taught (?:himself|herself)|has a way with)(?!\s+(?:how\s+)?to\b)", dated=False, clipped=r"(?:mastered|taught myself)(?!\s+(?:how\s+)?to\b)"),
    of_first("skill", "experience", r"\b(?:i've|i have|have|got|with|i bring|i've got|i have got)\s+(?:got\s+)?(?:(?:over|about|almost|around|more than|nearly)\s+)?(?:(?:\w+|\d+\+?)\s+(?:years?|yrs?|decades?)(?:'s?)?(?:\s+of)?|extensive|lots of|loads of|plenty of|a lot of|solid|good|strong)\s+(?:\w+\s+)?experience\s+(?:with|in|of|at|using)\s+", _craft, dated=False),
    of_first("skill", "strengths strength skills skill strong forte suit talent speciality specialty superpower", r"\bmy\s+(?:main\s+|key\s+|biggest\s+|core\s+|greatest\s+|only\s+|top\s+|hidden\s+)*(?:strengths?|skills?|strong (?:suit|point)s?|forte|talents?|special(?:i)?ty|superpower|expertise|party trick)\s+(?:is|are|include|includes|lies in|lie in|:)\s+(?!not\b|that\b|in\b)", _craft, dated=False),
    *told("skill", "play plays", rf"(?:play|have played|'ve played|used to teach)\s+(?:the\s+|some\s+|a bit of\s+)?(?=(?:bass |electric |acoustic |classical |jazz |lead )?{_PLAY}\b)", _craft, third=rf"plays\s+(?:the\s+)?(?=(?:bass |electric |acoustic |classical |jazz )?{_PLAY}\b)", dated=False, clipped=None),
    of_first("skill", "can", rf"(?:{LEAD}|[,;]\s*|\band\s+)i\s+can\s+(?:also\s+|actually\s+|already\s+|now\s+)*", able, dated=False, confidence=0.66),
    frame("skill", "can", r"(?P<third>(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bthey )(?<!\bthat )(?<!\bit )\bcan\s+(?:also\s+)?)(?=[a-z])", by_person(able, 2), dated=False, confidence=0.62),
    of_first("skill", "cook baker swimmer singer gardener dancer player writer rider", r"\b(?:i'm|i am|im)\s+an?\s+(?:pretty\s+|really\s+|very\s+)?(?:decent|good|great|keen|excellent|competent|strong|solid|handy|fair|mean|skilled|talented)\s+(?P<o>cook|baker|swimmer|singer|gardener|dancer|(?:chess|tennis|piano|guitar|football|golf) player|writer|rider|skier|climber|sailor|typist|seamstress|carpenter|photographer|painter|juggler|knitter|surfer|shot|mechanic|negotiator|public speaker)\b", slot_en(3), dated=False),
    of_first("skill", "own", r"\b(?:i|we)\s+(?:do|make|brew|bake|fix|repair|sew|knit)\s+(?:all\s+)?my\s+own\s+(?P<o>[a-z][a-z -]{3,22}?)(?=\s*(?:[,.;!]|$)|\s+(?:and|at|so|too)\b)", slot_en(3), dated=False, confidence=0.62),
]  # fmt: skip

_LEVEL = r"(?:(?:pretty|quite|very|really|fairly|passable|decent|good|basic|rusty|broken|conversational|fluent|native|some|enough|a bit of|a little|a little bit of|a smattering of|both|also|mostly|okay|ok|reasonable|tourist|business|my|of|only)\s+)*"


def tongues(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Languages right at the slot, in a row."""
    lead = re.compile(rf"\s*{_LEVEL}").match(sentence.low, start)
    at = lead.end() if lead else start
    for value, a, b in language(sentence, scene, at, stop):
        if re.search(r"[.!?;]|\b(?:not|but|no|can't|don't|never|class|food|lesson|course|film|friend|wife|husband|restaurant|teacher)\b", sentence.low[at:a]):  # fmt: skip
            return
        if at == start and sentence.low[start:a].count(" ") > 3:
            return
        yield value, a, b
        at = b


def _bare_tongue(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    for value, a, b in language(sentence, scene, start, stop):
        after = re.match(r"\s*(?:and\s+\w+\s*)?(?:[.,;!?)]|$|\s*(?:and|but|too|so|from|enough|as)\b)", sentence.low[b:])  # fmt: skip
        if a - start > 2 or after is None:
            return
        yield value, a, b


_NO_LESSON = r"(?!\s*(?:class|lessons?|course|food|film|wife|husband|restaurant|teacher|friend|music|literature|history))"
TONGUES: list[Construction] = [
    of_first("language", "so do", r"\b(?:speaks?|understands?)\s+(?P<o>[a-z]+)\s+and\s+so\s+do\s+i\b", language, dated=False),
    of_first("language", "brought raised grew", r"\b(?:i\s+)?(?:was\s+)?(?:brought up|raised|grew up)\s+(?:speaking|with|on|in|bilingual in)\s+", tongues, dated=False),
    of_first("language", "fluent native speaker", r"\b(?:fluent|native|proficient|conversational)\s+(?P<o>[a-z]+)\s+speaker\b(?<!not a)", language, dated=False),
    *told("language", "speak speaks understand understands know knows read reads use sign learned learnt spoke grew picked", r"(?:speak|spoke (?=[\w ]+ at home|[\w ]+ growing up)|understand|know|can (?:speak|read|write|understand|get by in|follow|hold a conversation in)|read|sign in|use(?= (?:bsl|asl|sign language|auslan)\b)|get by in|'ve learned|'ve learnt|have learned|have learnt|picked up|grew up (?:speaking|with)|was raised (?:speaking|in)|am fluent in|think in|dream in|write in|work in(?= (?:english|french|german|spanish|italian|dutch|polish|arabic|mandarin)\b))", tongues,
        third=r"(?:speaks|understands|knows|reads|gets by in|grew up speaking|can speak|is fluent in|'s fluent in)", clipped=r"(?:speak|understand|grew up speaking|raised speaking|know)", dated=False, confidence=0.76),
    *being("language", "fluent native bilingual trilingual conversational literate raised brought proficient", r"(?:fluent|native|bilingual|trilingual|conversational|literate|raised (?:bilingual|speaking|trilingual)|brought up (?:bilingual|speaking)|proficient)(?:\s+(?:in|speaker of)|\s*[,:—–-]|\s+with)?", tongues, dated=False, after=r"\s+"),
    of_first("language", "native speaker", rf"(?:{LEAD}|\b(?:i'm|i am|im)\s+an?\s+)(?:fluent|native)\s+(?P<o>[a-z]+)\s+speaker\b", language, dated=False),
    of_first("language", "tongue language languages", r"\bmy\s+(?:first|native|mother|home|second|third|strongest|best|other|two|parents')?\s*(?:language|tongue|languages|working language)s?\s*(?:is|are|:)\s+", tongues, dated=False),
    of_first("language", "is", rf"\bmy\s+(?P<o>[a-z]+)(?:'s|\s+is)\s+(?:now\s+|actually\s+|really\s+|still\s+|pretty\s+|quite\s+|fairly\s+|very\s+|better\s+than\s+|not\s+bad|{_LEVEL})*(?:good|decent|fluent|ok|okay|passable|fine|great|native|solid|not bad|excellent|conversational|strong|coming along|better than)\b", language, dated=False),
    of_first("language", "got have bit smattering some", r"\b(?:i've|i have|i've got|i got)\s+(?:got\s+)?(?:a bit of|some|a little|a smattering of|decent|basic|fluent|good|conversational|passable|school|rusty|enough)\s+", _bare_tongue, dated=False),
    of_first("language", "reply answer write respond talk speak", r"\b(?:please\s+)?(?:reply|answer|write(?: to me| back)?|respond|talk to me|speak to me)\s+in\s+(?P<o>[a-z]+)\b(?=[^.!?]*\b(?:easier|better|my|native|prefer|speak|understand|comfortable)\b)", language, dated=False),
    of_first("language", "degree studied school work", r"\b(?:did|do|studied|teach|taught|wrote)\s+(?:my\s+|all\s+)?(?:degree|phd|masters|thesis|work|job|classes|school)\s+in\s+(?P<o>[a-z]+)\b(?=[^.!?]*\b(?:speak|fluent|yes|so)\b)", language, dated=False),
]  # fmt: skip


_IDLE = re.compile(
    r"\s*(?:(?:move|moving)\b|relocat|be (?!debt|free|fluent|fit|able to|a\b|an\b|the\b|self|financially|more|independent|my own|mortgage)|have (?!kids|children|a baby|my own|the loft|it (?:done|converted))|go (?!back to (?:school|uni|university|college|work)|vegan|freelance|part[- ]time|self|travelling|traveling|on (?:a|the)|to (?:uni|university|college)|off grid|camping|backpacking|hiking)|do (?!an?\b|my\b)|see|try\b|check|make sure|say|ask|tell|let|need|keep (?:you|it|him|her|this|that|going)|talk|call|sleep|eat|bed|cry|die|just|look|watch|show|send|miss|love|kill|not|know|hear|think|believe|understand|help|point|thank|apologi[sz]e|mention|give (?:it|you|him|her|this|that|them)|put (?!the|our|my)|leave|head|order|grab|throw|scream|wait|explain|assume|guess|pretend|ignore|skip|pop|nip|come|meet|text|email|ring|phone|cook|take (?:a (?:nap|break|shower|bath|look|walk|moment|second|seat)|it|that|this|you|him|her|the (?:bus|bin|bins|dog|train|rubbish))|shower|nap|stop|use|get (?!married|my|a (?:dog|cat|puppy|kitten|tattoo|degree|licen|new|better|job|mortgage|promotion|pilot)|fit|out of debt|into|the (?:roof|loft|house)|in shape|healthy|certified|qualified|better at|back into|over (?:my|the)|sober|pregnant|rid)|feel|it\b|you\b|that\b|this\b|him\b|her\b|them\b|me\b|us\b|scream|puke|explode|lose it|lose my (?:mind|temper|rag)|want|sit|lie|rest|stick|stay (?:in|home|up|here|late)|go\b$|rain|snow|happen|win (?:this|that|it|today)|fall|die|starve|murder|strangle|regret|assume)\b"
)
_FAR = re.compile(
    r"\s+(?:in (?:the (?:spring|summer|autumn|fall|winter|new year|next)|january|february|march|april|may|june|july|august|september|october|november|december|\d|early|late|a (?:few|couple)|about)|by (?:the (?:end|time)|christmas|easter|next|january|february|march|april|may|june|july|august|september|october|november|december|\d|spring|summer|autumn|winter|then|thirty|forty|fifty|sixty|age)|at (?:easter|christmas|the end|some point|new year|the weekend)|next|this (?:year|spring|summer|autumn|fall|winter|month|week|weekend|time|january|february|march|april|may|june|july|august|september|october|november|december)|before|after|when|once|because|so|but|if|since|though|while|until|till|tomorrow|today|tonight|one day|some day|someday|soon|too|again|instead|eventually|for (?:good|summer|christmas|easter|my \w+th|the summer|a change|once|charity)|from (?:january|february|march|april|may|june|july|august|september|october|november|december|next|monday|the)|on (?:mon|tue|wed|thu|fri|sat|sun|the \d)\w*|as soon|with (?:lou|you)|lol|haha|tbh|this|last|please|and (?:i|we|it|that|then|my|i'm|hope)|which|that's|over (?:the|christmas|easter)|during|even if|no matter|all (?:being|going) well|\d{1,2}(?:st|nd|rd|th)|after all|of course|obviously|to be honest|apparently)\b.*$",
    re.IGNORECASE,
)


def to_do(lasting: bool, longest: int = 9) -> Take:
    """An infinitive or gerund phrase, cut before its date or an aside. `lasting`: an errand and
    what is vague serve as well ("get fit"), where the words before speak of an aim."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        end = re.compile(r"[,.;:!?()\n](?!\d)|\s[—–-]\s").search(sentence.low, start, stop)
        raw = sentence.text[start : end.start() if end else stop]
        value = _FAR.sub("", raw).strip(" \"'")
        value = re.sub(r"^(?:also|finally|eventually|one day|just|either|actually|really|properly|simply)\s+", "", value)  # fmt: skip
        if not lasting and _IDLE.match(value.lower()):
            return
        words = value.split()
        if not words or len(words) > longest or (len(words) == 1 and len(value) < 5):
            return
        if re.match(r"(?:it|that|this|you|him|her|them|me|us|so|not|never|is|are|was|be\s*$|an?\s|the\s|my\s|our\s|make (?:it|this|that|sure|them|him|her|the most|a (?:difference|change)|things)|keep|continue|find (?:the|my|a way|out)|give (?:it|this)|do (?:my|our|it|this|that|the right|great|good|well)|move (?:forward|on)|work hard|push|fight|stay (?:positive|strong|focused)|show|what|how|the same|nothing|something|and|or|get (?:it|there|this|that)\b|see (?!the|every)|say\b|know\b|the\s*$|a\s*$)\b", value.lower()):  # fmt: skip
            return
        for one in each_aim(value) if lasting else [value]:
            at = sentence.text.find(one, start)
            yield one, at, at + len(one)

    return take


_AIM = to_do(lasting=True)
_DO = to_do(lasting=False)
_GOAL = r"(?:goals?|aims?|ambitions?|dreams?|targets?|objectives?|missions?|resolutions?|north star|life goal)"
_STRIVE = r"(?:become|be (?:a|an|the|debt|free|fluent|fit|able to|self|financially|more|independent|my own|mortgage)|learn|run a|run the|lose \w+ (?:kg|kilos?|pounds?|stone|weight|lbs)|lose weight|publish|write a|open (?:a|my)|start (?:a|my own)|get (?:my|a (?:degree|promotion|black belt|licen)|into|fit|out of debt|in shape|healthy|sober|certified|qualified|better at)|pass (?:the|my|our)|save (?:up|enough|for|\W?\d)|buy (?:a|my|our) (?:first\s+)?(?:house|home|flat|place)|pay off|retire|climb|master|finish (?:my|a|the)|quit (?:smoking|drinking|sugar|vaping)|stop (?:smoking|drinking|vaping)|give up (?:smoking|drinking)|hike|read \d|earn|win|build (?:a|my)|own (?:a|my)|visit every|speak \w+ (?:fluently|properly)|hit|swim|cycle|qualify|break|beat|double|reach|complete|conquer|walk the|sail|see (?:the northern|every)|make (?:the (?:team|squad|cut|national)|partner|a living)|live (?:off|to)|travel (?:the|round|to every)|play (?:for|in))"
GOALS: list[Construction] = [
    of_first("goal", "hoping hope", rf"{LEAD}(?:still\s+)?hoping\s+to\s+(?:eventually\s+|one day\s+|finally\s+)?(?={_STRIVE}\b)", _AIM, dated=False, ignores=_HYPOTHETICAL),
    of_first("goal", "goal goals aim aims ambition ambitions dream target targets objective mission resolution resolutions", rf"(?:\b(?:my|our)\s+|{LEAD}(?:the\s+|this (?:year|month|season)'s\s+|new year'?s?'?\s+)?)(?:(?:big|main|next|current|only|one|new|long[- ]term|short[- ]term|personal|ultimate|biggest|lifelong|number one|career|life|fitness|financial|real|overall|year's|new year'?s?|first|secret)\s+)*{_GOAL}(?:\s+(?:for|this|in|of|right|by|now|these)\b[^.!?;:,]{{0,25}}?)?(?:\s+(?:is|are|was|has always been|remains|would be)|'s|\s*[:=—–])\s*(?:now\s+|still\s+|simply\s+|just\s+|simple:\s+)*(?:to\s+)?(?!not\b|the\b|clear|far|near|done|reached|out\b|in sight|missed|off\b)", _AIM, dated=False, ignores=_HYPOTHETICAL, confidence=0.74),
    frame("goal", "goal aim ambition dream target objective", rf"(?P<third>'s\s+(?:(?:big|main|next|new|lifelong|ultimate|biggest)\s+)*{_GOAL}\s+(?:is|has always been|was always))\s+(?:to\s+)?", by_owner(_AIM), dated=False, ignores=_HYPOTHETICAL),
    *being("goal", "aiming striving determined trying hoping working saving training keen gunning shooting pushing looking", rf"(?:(?:aiming|striving|determined|hell[- ]bent|committed|on a mission|on track|resolved)\s+to|(?:trying|hoping|working|pushing|training)\s+(?:really hard\s+|hard\s+)?to\s+(?={_STRIVE}\b)|working\s+(?:my way\s+)?towards?|saving\s+(?:up\s+)?for|training\s+for|gunning\s+for|shooting\s+for)(?:\s+(?:an?|the|my))?", _AIM, dated=False, confidence=0.73),
    *told("goal", "want wants aspire hope dream dreams long intend aim vowed", rf"(?:(?:want|wanna|long|would love|aspire|aim)(?:\s+to)?\s+(?:eventually\s+|one day\s+|someday\s+|finally\s+|really\s+)?(?={_STRIVE}\b)|aspire to(?: become| be)?|dream (?:of|about)|have always dreamed of|'ve always dreamed of|am dreaming of|'m dreaming of|have vowed to|vowed to|aim to|strive to|set out to)", _AIM,
        third=rf"(?:(?:wants|aims|aspires|longs)\s+to\s+(?={_STRIVE}\b)|dreams (?:of|about)|aspires to)", dated=False, ignores=_HYPOTHETICAL, clipped=rf"(?:want|wanna|hoping|aiming|trying|determined)\s+to\s+(?={_STRIVE}\b)", confidence=0.7),
    of_first("goal", "set goal target", r"\bi(?:'ve| have)?\s+set\s+myself\s+(?:the|a)\s+(?:goal|target|aim|challenge|task)\s+(?:of|to)\s+", _AIM, dated=False),
    of_first("goal", "want", r"\b(?:what|all|the one thing|one thing|the only thing)\s+i\s+(?:really\s+|most\s+|truly\s+|actually\s+)*(?:want|hope for|am after)\s+(?:most\s+|more than anything\s+)?(?:[\w ]{0,15}?\s+)?is\s+(?:to\s+)?", _AIM, dated=False),
    of_first("goal", "one day someday", r"\b(?:one day|some ?day)\s+(?:i(?:'ll| will| shall)|we(?:'ll| will))\s+", _AIM, dated=False, confidence=0.66),
    of_first("goal", "given gave goal", r"\b(?:given up on|gave up on|abandoned|dropped|shelved)\s+(?:my|the)\s+(?:goal|dream|ambition|plan)\s+(?:of|to)\s+", _AIM, Mode.cancel),
]  # fmt: skip


PLANS: list[Construction] = [
    *told("plan", "plan plans intend intends mean decided decide shall hope booked signed enrolled arranged scheduled", r"(?:plan (?:to|on)|intend (?:to|on)|(?:have |'ve )?(?:just |finally )?decided (?:to|on)(?! not)|have plans to|'ve got plans to|mean to|am set to|have arranged to|'ve arranged to|are set to|propose to|resolved to|'ve resolved to|have resolved to|have made up my mind to|'ve made up my mind to)(?!\s+not\b)", _DO,
        third=r"(?:plans (?:to|on)|intends to|(?:has |'s )?(?:just |finally )?decided to|is set to|has plans to)(?!\s+not\b)", dated=False, confidence=0.74, clipped=r"(?:decided to|plan to|plan on)"),
    *being("plan", "planning going gonna about looking intending hoping set due starting thinking scheduled", r"(?:planning (?:to|on)|intending to|about to|all set to|scheduled to|due to(?=\s+(?:start|begin|retire|open|launch))|looking to(?=\s+(?:buy|sell|rent|move|hire|open|start|adopt|expand|invest|retire|switch|change|get|build|do up|downsize))|going to|gonna|planning for)(?!\s+(?:not|be\b))", _DO, dated=False, confidence=0.7),
    *being("plan", "planning organising organizing", r"(?:planning|organising|organizing|plotting)\s+(?=(?:an?|our|my|the)\s+(?:(?!party\b)[\w-]+\s+){0,2}?(?:trip|holiday|wedding|move|extension|renovation|tour|getaway|honeymoon|visit|expedition|retreat|cruise|road trip|vacation|hike|trek|safari|reunion|exhibition|course|business|launch|project|party|garden|loft|kitchen)\b)(?:an?|our|my|the)", noun_en(6, plain=True, keep=frozenset({"to", "in", "of", "for", "round", "around"})), dated=False),
    of_first("plan", "plan plans idea", rf"(?:\b(?:my|our|the)|{LEAD}(?:the\s+|my\s+|our\s+)?)\s*(?:current\s+|new\s+|big\s+|next\s+|rough\s+)*plans?(?:\s+(?:for|this|in|after|now|from)\b[^.!?;:,]{{0,28}}?)?(?:\s+(?:is|are)(?:\s+now|\s+still)?|\s*:)\s+(?:to\s+)?(?!not\b|that\b|still\b|off\b|on\b|to be\b|going\b|changed|cancelled|the same)", _DO, dated=False),
    of_first("plan", "will ll shall", r"\b(?:i'll|we'll|i will|we will|i shall|we shall)\s+(?:also\s+|finally\s+|probably\s+)?be\s+(?!\w+ing\s+[^.!?;,]{0,30}\b(?:at|for)\s+(?:the\s+)?(?:st\b|[a-z']+\s*(?:[.!,]|$)))(?P<o>(?:taking|starting|having an?|opening|launching|retiring|studying|running an?|joining|volunteering|getting (?:married|an?)|training|teaching|selling|buying|renovating|adopting|applying|building|fostering|learning|hosting|publishing|cycling|walking|hiking|climbing|touring|travelling|traveling|writing)\b[^.!?;,]{0,60})", _DO, dated=False),
    of_first("plan", "start starts begin next", r"\b(?:next (?:week|month|year|spring|summer|autumn|fall|winter|term|monday|tuesday)|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|this (?:spring|summer|autumn|fall|winter)|from (?:january|february|march|april|may|june|july|august|september|october|november|december|monday|next \w+)),?\s+(?:i|we)(?:'m|'re| am| are)?\s+(?P<o>(?:start|starting|begin|beginning|take up|taking up|launch|launching|open|opening)\s+(?!work|at|with|my (?:new )?job|a new job|on)[^.!?;,]{3,50})", _DO, dated=False),
    of_first("plan", "starting beginning taking", r"\b(?:i'm|i am|we're|we are|im)\s+(?P<o>(?:starting|beginning|taking up|launching|opening|joining|doing up|renovating|converting|adopting|running|doing)\s+(?!at|with|work|to|for|ok|well|fine|great|good|it|my (?:new )?job|a new job|late|again|here)[^.!?;,]{3,50}?)(?=\s+(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|the (?:spring|summer|autumn|new year))|next (?:week|month|year|spring|summer|autumn|term)|this (?:spring|summer|autumn)|from (?:january|february|march|april|may|june|july|august|september|october|november|december|next)))", _DO, dated=False),
    *told("plan", "signed enrolled booked registered applied entered", r"(?:signed up|enrolled|registered|entered|put my name down)\s+(?:for|on|onto|in)\s+(?=(?:an?|the|some|my|evening|night)\s)(?:an?|the|some|my)?", noun_en(6, plain=True, keep=frozenset({"in", "on", "for"})), third=None, dated=False, confidence=0.68),
    *told("plan", "booked", r"booked\s+(?:myself\s+|ourselves\s+)?(?:onto\s+|in for\s+|on\s+)?(?=an?\s+(?:(?!table|taxi|cab|room|appointment|meeting|call|flight|hotel|slot)[\w-]+\s+){0,2}?(?:test|course|trip|holiday|class|tour|retreat|cruise|safari|exam|lesson|workshop)\b)an?", noun_en(5, plain=True, keep=frozenset({"to", "in"})), third=None, dated=False),
]  # fmt: skip


_USED_UP = re.compile(
    r"\b(?:milk|bread|coffee(?! (?:machine|maker|grinder|table))|tea|lunch|dinner|breakfast|tickets?|drinks?|flowers?|grocer\w+|food(?! (?:truck|processor|mixer))|snacks?|sandwich\w*|cakes?|pizza|beers?|wine|petrol|gas|stamps?|meds|medicine|presents?|gifts?|cards?|stuff|things?|time|bits|round|round of|fish|meat|veg\w*|fruit|eggs?|cheese|chocolates?|sweets|candy|ice cream|toilet paper|loo roll|shampoo|soap|candles?|balloons?|"
    r"shares?|stocks?|crypto|bitcoin|insurance|subscription|membership|pass|season ticket|cold|flu|bug|virus|habit|hint|job|call|letter|email|text|message|parcel|package|feeling|headache|chance|lift|ride|taxi|cab|uber|loan|quote|refund|discount|appointment|meeting|degree|idea|answer|reply|new job|promotion|raise|rise|fine|shock|fright|"
    r"dog|cat|puppy|kitten|hamster|rabbit|parrot|horse|pony|plants?|seeds|book|books|dress|dresses|shirt|shirts|t-shirt|jeans|shoes|socks|jumper|trousers|jacket|coat|hat|scarf|underwear|outfit|clothes|costume|magazine|newspaper|meal|takeaway|supplies|ingredients|toys?|games?|decorations?|(?:a|some) (?:lot|few|couple)|way|one|ones|friend|baby|boy|girl|son|daughter|brother|sister|nothing|everything|something|anything|day off|haircut|tattoo|massage|nap|break|drink|bite|vaccine|jab|results?|mark|grade|sunburn|divorce|married|sick|lost|rid|ready|better|worse|tired|old|nervous|pieces?|necklace|earrings?|bracelet|ring)\b",
    re.IGNORECASE,
)
_TRIM_NEW = re.compile(r"^(?:(?:rusty|old|new|used|second-?hand|pre-owned|refurbished|brand|brand-new|cheap|little|small|big|beautiful|nice|lovely|beat-up|trusty|another|first|own|very|gorgeous|fancy|shiny|cute|tiny|huge|massive|ancient|vintage(?= \w+ \w+)|battered)\s+)+", re.IGNORECASE)  # fmt: skip


def goods_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A thing of any sort that lasts: nothing that is eaten, worn, given or used up."""
    text = sentence.text[:stop]
    if not re.compile(r"\s*(?:an?|our|my|two|three|four|the|some|ourselves an?|myself an?|his|her)\s").match(sentence.low, start):  # fmt: skip
        return
    if re.compile(r"\s*the\s").match(sentence.low, start) and not re.search(r"\b(?:bought|purchased|inherited|own|owns)\s+$", sentence.low[:start]):  # fmt: skip
        return
    lead = re.compile(r"\s*(?:(?:an?|our|my|two|three|four|the|some|ourselves|myself|his|her)\s+)+").match(sentence.low, start)  # fmt: skip
    at = lead.end() if lead else start
    found = english_phrase(text, at, frozenset({"in", "near"}), 6)
    if found is None:
        return
    value, a, _b = found
    value = re.split(r"\s+(?:off|called|named|in (?=the (?:sale|shop|attic|garage|shed|end))|in \d|in (?=january|february|march|april|may|june|july|august|september|october|november|december)|to\b)", value)[0]  # fmt: skip
    plain = _TRIM_NEW.sub("", value)
    if not plain or _USED_UP.search(plain) or plain.lower().split()[0] in {"it", "one", "that", "this", "for", "so", "to", "been", "ready"}:  # fmt: skip
        return
    yield plain, a + len(value) - len(plain), a + len(value)


_KIT = r"(?:van|car|truck|bike|motorbike|motorcycle|scooter|boat|phone|laptop|camera|guitar|piano|house|flat|caravan|camper|campervan|motorhome|allotment|shed|greenhouse|telescope|kayak|canoe|narrowboat|yacht|tractor|drone|printer|lathe|loom|kiln|cottage|cabin|farm|garage|moped|e-?bike|drum kit|violin|cello|synth|turntable|tablet|ipad|macbook|pc|console|playstation|xbox|sewing machine|espresso machine|trailer|minibus|estate car|convertible|pickup|suv|tent|surfboard|studio|workshop|shop|café|cafe|bakery|restaurant|pub|salon|smallholding|orchard|vineyard|beach hut|houseboat|landy|land rover|mobility scooter|hot tub|sauna|pool|record player|accordion|grand piano|harp)"


def _given_up(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    for value, _a, b in slot_en(4)(sentence, scene, start, stop):
        plain = _TRIM_NEW.sub("", str(value))
        if plain and not _USED_UP.search(plain):
            yield plain, b - len(plain), b


OWNED: list[Construction] = [
    of_first("owns", "keys collected", r"\b(?:picked up|got|collected|received)\s+the\s+keys\s+(?:to|for|of)\s+", goods_en, Mode.change),
    *told("owns", "had kept", rf"(?:had|kept|owned)(?=\s+(?:an?|two|our|my)\s+(?:[\w-]+\s+){{0,3}}?{_KIT}\s+(?:since|for)\b)", goods_en, third=None, dated=None, clipped=None, core=rf"\b{_KIT}\b"),
    *told("owns", "bought purchased picked treated splashed inherited got acquired invested ordered own", r"(?:bought|purchased|picked up|treated (?:myself|ourselves) to|splashed out on|invested in|inherited|acquired|splurged on|got hold of|have bought|'ve bought|upgraded to|closed on|have inherited|'ve inherited|just got|finally got|got (?:myself|ourselves)(?= an?)|'ve just got (?:myself|ourselves)(?= an?)|traded (?:in )?(?:my|our|the) [\w ]{2,20}? for|swapped (?:my|our|the) [\w ]{2,20}? for)", goods_en, Mode.change,
        third=r"(?:bought|has bought|'s bought|purchased|picked up|inherited|has inherited|treated (?:himself|herself) to|splashed out on|acquired)(?!\s+(?:me|us|him|her|you|my))", confidence=0.7),
    *told("owns", "own owns have has got keep keeps", rf"(?:own|have|have got|'ve got|keep)(?=\s+(?:an?|two|three|our own|my own|the)\s+(?:(?!rental|company|hire|courtesy)[\w-]+\s+){{0,3}}?{_KIT}\b)", goods_en, third=rf"(?:owns|has|has got|'s got|keeps)(?=\s+(?:an?|two|three)\s+(?:(?!rental|company|hire)[\w-]+\s+){{0,3}}?{_KIT}\b)", dated=False, clipped=None, core=rf"\b{_KIT}\b"),
    *told("owns", "own owns", r"(?:own|co-own|jointly own)", goods_en, third=r"(?:owns|co-owns)", dated=False, clipped=r"proud owner of"),
    of_first("owns", "owner", r"\b(?:i'm|i am|im|we're|we are)\s+(?:now\s+)?(?:the\s+|an?\s+)?(?:proud\s+|new\s+|happy\s+)*owners?\s+of\s+", goods_en, dated=False),
    *told("owns", "drive drives ride rides", r"(?:drive|ride|sail|fly)(?=\s+an?\s)(?![^.!?;,]{3,30}\s(?:for|at)\s+(?!an?\b|the\b|\d|years|ages|fun|now|over|work|least|weekends|night|speed))(?!\s+an?\s+(?:hard bargain|forklift|crane|digger|ambulance|coach|train|tractor trailer|taxi|cab|bus|lorry|tram|truck for|company|rental|hire|lot|bit|long|few))", goods_en, third=r"(?:drives|rides)(?=\s+an?\s)(?![^.!?;,]{3,30}\s(?:for|at)\s+(?!an?\b|the\b|\d|years|ages|fun|now|over|work|least|weekends|night|speed))(?!\s+an?\s+(?:hard bargain|forklift|crane|digger|ambulance|coach|train|tractor trailer|taxi|cab|bus|lorry|tram|company|rental))", clipped=r"(?:driving an?(?= [a-z]+ [\w ]+ these days))", dated=False),
    of_first("owns", "my our", r"\b(?:my|our)\s+(?:new\s+|current\s+|trusty\s+|beloved\s+|old\s+|first\s+)*(?:car|van|truck|bike|motorbike|motorcycle|scooter|boat|phone|laptop|camera|guitar|piano|tractor|drone|printer|tablet|watch|telescope|caravan|motorhome|ride|wheels|e-?bike|computer|console|bass|amp|violin|synth|yacht|bass guitar)\s+(?:is|are|:)\s+(?:an?|the|my)\s+(?P<o>[a-z0-9][\w' .-]{1,30}?)(?=\s*(?:[,.;!]|$)|\s+(?:and|but|from|with|that|which|so|now)\b)", slot_en(4), dated=False),
    of_first("owns", "belongs belong", r"(?:^|[,.;]\s*|\band\s+)(?:the|that|this)\s+(?P<o>[a-z][\w' -]{2,30}?)\s+(?:belongs?\s+to|is\s+owned\s+by)\s+(?:me|us|my \w+ and (?:me|i))\b", slot_en(5), dated=False),
    of_first("owns", "sold stolen wrecked scrapped totalled crashed gave donated given away traded got rid stole nicked", rf"(?:\b(?:i|we|i've|we've)\s+(?:have\s+|just\s+|finally\s+|recently\s+)*|{LEAD})(?:sold|scrapped|wrecked|totall?ed|gave away|given away|donated|got rid of|traded in|wrote off|written off|flogged|parted with|auctioned(?: off)?)\s+(?:off\s+)?(?:my|our|the)\s+(?P<o>[a-z][\w' -]{{2,30}}?)(?=\s*(?:[,.;!]|$)|\s+(?:for|to|last|yesterday|today|on|in|at|and|but|this|because|so|after|when|weeks?|months?|ago)\b)", _given_up, Mode.end),
    of_first("owns", "stolen nicked stole", r"\b(?:my|our)\s+(?P<o>[a-z][\w' -]{2,30}?)\s+(?:got|was|has been|were|got)\s+(?:stolen|nicked|pinched|written off|totalled|totaled|repossessed|sold)\b", _given_up, Mode.end),
]  # fmt: skip


WANTS_EN: list[Construction] = [*TASTES, *TOOLS, *SKILLS, *TONGUES, *GOALS, *PLANS, *OWNED]
