"""Reading and checking the rules object `R` of the referee protocol."""

from dataclasses import dataclass, field

from cards import CUSTOM_CARDS, EDITIONS, STARTERS, USUAL, basic_deck


class Refused(Exception):
    """A request that must be refused, with every code that may apply."""

    def __init__(self, codes, why=""):
        self.codes = {codes} if isinstance(codes, str) else set(codes)
        super().__init__(f"{sorted(self.codes)} {why}")


SWITCHES = ("reverse_skips_with_two", "seven_zero", "jump_in", "draw_to_match",
            "force_play", "no_bluffing", "no_challenges")
NUMBERS = {"hand_size": (1, 20), "uno_penalty": (0, 20), "suggestion_penalty": (0, 20)}
WHO = ("next", "self", "others", "all")
NEXT_ONLY = ("draw_more", "dare")  # effects that know no other `who`


@dataclass
class Rules:
    edition: str
    colors: tuple
    deck: dict
    scoring: str = "first_to"
    target: int = 500
    ignore_symbols_at_start: bool = False
    wilds_match: bool = False
    stacking: str = "off"
    reverse_skips_with_two: bool = False
    seven_zero: bool = False
    jump_in: bool = False
    draw_to_match: bool = False
    force_play: bool = False
    no_bluffing: bool = False
    no_challenges: bool = False
    hand_size: int = 7
    uno_penalty: int = 2
    suggestion_penalty: int = 0
    custom: dict = field(default_factory=dict)  # "WC1" -> list of effects

    @property
    def deck_size(self):
        return sum(self.deck.values())

    @property
    def has_blocks(self):
        return "WF" in self.deck

    @property
    def has_challenges(self):
        return not (self.no_bluffing or self.no_challenges)


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def bad(why):
    return Refused({"bad_rules", "bad_request"}, why)


def need(condition, why):
    if not condition:
        raise bad(why)


def only_fields(obj, allowed, where):
    need(isinstance(obj, dict), f"{where} is not an object")
    unknown = set(obj) - set(allowed)
    need(not unknown, f"{where} has unknown fields {sorted(unknown)}")


def in_range(value, low, high, where):
    need(is_int(value) and low <= value <= high, f"{where} outside {low}-{high}")


def parse_rules(obj):
    only_fields(obj, ("edition", "scoring", "house", "custom_cards"), "rules")
    need(isinstance(obj.get("edition"), str) and obj["edition"] in EDITIONS, "no such edition")
    rules = preset(obj["edition"])
    if "custom_cards" in obj:
        put_custom_cards(rules, obj["custom_cards"])
    if "scoring" in obj:
        rules.scoring, rules.target = parse_scoring(obj["scoring"])
    if "house" in obj:
        put_house(rules, obj["house"])
    return rules


def preset(edition):
    data = EDITIONS[edition]
    deck = basic_deck(data["colors"], data.get("zeros", 1))
    deck.update(data.get("own", {}))
    rules = Rules(edition, data["colors"], deck)
    rules.scoring, rules.target = data.get("scoring", ("first_to", 500))
    rules.ignore_symbols_at_start = data.get("ignore_symbols_at_start", False)
    rules.wilds_match = data.get("wilds_match", False)
    rules.suggestion_penalty = data.get("suggestion_penalty", 0)
    if data.get("custom"):
        put_custom_cards(rules, [None, None, None])
    return rules


def parse_scoring(obj):
    only_fields(obj, ("type", "target"), "scoring")
    kind = obj.get("type")
    if kind == "single_round":
        need("target" not in obj, "single_round has no target")
        return kind, None
    need(kind in ("first_to", "lowest_at"), "no such scoring")
    target = obj.get("target", 500)
    in_range(target, 1, 10_000, "target")
    return kind, target


def put_house(rules, obj):
    only_fields(obj, SWITCHES + tuple(NUMBERS) + ("stacking",), "house")
    for name, value in obj.items():
        if name in SWITCHES:
            need(isinstance(value, bool), f"{name} is true or false")
        elif name in NUMBERS:
            in_range(value, *NUMBERS[name], name)
        else:
            need(value in ("off", "same", "any"), "stacking is off, same or any")
        setattr(rules, name, value)
    need(not (rules.no_bluffing and rules.no_challenges),
         "no_bluffing and no_challenges exclude each other")


def put_custom_cards(rules, entries):
    need(rules.edition == "custom", "custom_cards only in custom")
    need(isinstance(entries, list) and len(entries) <= 3, "0 to 3 custom cards")
    rules.custom = {}
    for card, entry in zip(CUSTOM_CARDS, entries):
        rules.custom[card] = parse_custom_rule(entry)
    for card in CUSTOM_CARDS:
        rules.deck.pop(card, None)
        if card in rules.custom:
            rules.deck[card] = 1


def parse_custom_rule(entry):
    """The list of effects of one Customizable card (C1, C2)."""
    if entry is None:
        return []
    if is_int(entry):
        need(entry in STARTERS, "starters are 1-10")
        return STARTERS[entry]["effects"]
    only_fields(entry, ("title", "text", "effects"), "custom rule")
    check_text(entry.get("title"), 60, "title")
    check_text(entry.get("text", ""), 300, "text")
    effects = entry.get("effects", [])
    need(check_effects(effects, 1) <= 20, "more than 20 effects")
    return effects


def check_text(value, limit, where):
    need(isinstance(value, str) and len(value) <= limit, f"{where} missing or too long")


# field of an effect -> its checker, given the value and the depth of the list
CHECKS = {
    "who": lambda v, d: need(v in WHO, "who"),
    "count": lambda v, d: in_range(v, 1, 20, "count"),
    "to": lambda v, d: in_range(v, 1, 20, "to"),
    "color": lambda v, d: need(v in USUAL + ("called",), "color"),
    "match": lambda v, d: need(v in USUAL + ("wild", "action", "number"), "match"),
    "prompt": lambda v, d: check_text(v, 300, "prompt"),
    "text": lambda v, d: check_text(v, 300, "text"),
    "until": lambda v, d: need(v in ("uno", "next_turn"), "until"),
    "success": lambda v, d: check_effects(v, d + 1),
    "failure": lambda v, d: check_effects(v, d + 1),
    "refuse": lambda v, d: check_effects(v, d + 1),
}
# effect -> its fields other than "do"
EFFECT_FIELDS = {
    "draw": ("who", "count"),
    "draw_until_color": ("who", "color"),
    "discard_all": ("who", "match"),
    "level": ("who", "to"),
    "discard_down": ("who", "to"),
    "draw_more": ("who", "count"),
    "extra_turn": (), "skip": (), "reverse": (),
    "reveal": ("who",),
    "perform": ("prompt", "success", "failure"),
    "dare": ("who", "prompt", "refuse"),
    "banner": ("who", "text", "until"),
}


def check_effects(effects, depth):
    """How many effects there are, nested ones included."""
    need(isinstance(effects, list), "effects is not a list")
    need(depth <= 3, "lists nested too deep")
    return sum(check_effect(effect, depth) for effect in effects)


def check_effect(effect, depth):
    need(isinstance(effect, dict) and effect.get("do") in EFFECT_FIELDS, "no such effect")
    fields = EFFECT_FIELDS[effect["do"]]
    only_fields(effect, ("do",) + fields, effect["do"])
    inside = 0
    need(effect["do"] not in NEXT_ONLY or effect.get("who") == "next", "who: only next")
    for name in fields:
        inside += CHECKS[name](effect.get(name), depth) or 0
    return 1 + inside


def check_table(rules, players):
    """Whether that many players can be dealt to."""
    if not (is_int(players) and 2 <= players <= 10):
        raise Refused("bad_request", "2-10 players")
    need(players * rules.hand_size + 1 <= rules.deck_size, "more cards to deal than the deck has")
