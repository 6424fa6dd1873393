"""Random rules `R`, rules at their bounds, and broken ones."""

from cards import USUAL
from rules import SWITCHES, WHO


def random_rules(rng, edition):
    rules = {"edition": edition}
    house = random_house(rng)
    if house or rng.random() < 0.1:
        rules["house"] = house
    if rng.random() < 0.6:
        rules["scoring"] = random_scoring(rng)
    if edition == "custom" and rng.random() < 0.9:
        rules["custom_cards"] = [random_custom_card(rng) for _ in range(rng.choice((0, 1, 2, 3, 3, 3)))]
    return rules


def random_house(rng):
    house = {}
    if rng.random() < 0.25:
        return house
    share = rng.choice((0.1, 0.25, 0.5))
    for name in SWITCHES:
        if rng.random() < share:
            house[name] = rng.random() < 0.95
    if house.get("no_bluffing") and house.get("no_challenges"):
        del house[rng.choice(("no_bluffing", "no_challenges"))]
    if rng.random() < 0.4:
        house["stacking"] = rng.choice(("off", "same", "any", "any"))
    if rng.random() < 0.3:
        house["uno_penalty"] = rng.choice((0, 1, 2, 3, 7))
    if rng.random() < 0.3:
        house["suggestion_penalty"] = rng.choice((0, 1, 4, 9))
    if rng.random() < 0.4:
        house["hand_size"] = rng.choice((1, 2, 2, 3, 4, 5, 10))
    return house


def random_scoring(rng):
    kind = rng.choice(("first_to", "lowest_at", "single_round"))
    if kind == "single_round":
        return {"type": kind}
    if rng.random() < 0.1:
        return {"type": kind}  # the target is 500
    return {"type": kind, "target": rng.choice((1, 20, 60, 150, 500, 10_000))}


def random_custom_card(rng):
    roll = rng.random()
    if roll < 0.1:
        return None
    if roll < 0.4:
        return rng.randint(1, 10)
    rule = {"title": "House rule"}
    if rng.random() < 0.5:
        rule["text"] = "As agreed."
    if rng.random() < 0.95:
        rule["effects"] = random_effects(rng, 1, rng.choice((1, 2, 2, 3, 4, 6)))
        while count_effects(rule["effects"]) > 20:
            rule["effects"].pop()
    return rule


def count_effects(effects):
    return sum(1 + sum(count_effects(value) for value in effect.values() if isinstance(value, list))
               for effect in effects)


def random_effects(rng, depth, size):
    return [random_effect(rng, depth) for _ in range(size)]


def random_effect(rng, depth):
    kinds = ["draw", "draw_until_color", "discard_all", "discard_all", "level", "level",
             "discard_down", "discard_down", "draw_more", "draw_more", "extra_turn", "extra_turn",
             "skip", "skip", "skip", "reverse", "reverse", "reveal", "reveal", "banner", "banner"]
    if depth < 3:
        kinds += ["perform", "perform", "dare", "dare"]
    kind = rng.choice(kinds)
    effect = {"do": kind}
    if kind in ("draw", "draw_until_color", "discard_all", "level", "discard_down", "reveal", "banner"):
        effect["who"] = rng.choice(WHO)
    if kind in ("draw_more", "dare"):
        effect["who"] = "next"
    if kind in ("draw", "draw_more"):
        effect["count"] = rng.choice((1, 2, 3, 4, 20))
    if kind in ("level", "discard_down"):
        effect["to"] = rng.choice((1, 1, 1, 2, 3, 4, 7))
    if kind == "draw_until_color":
        effect["color"] = rng.choice(USUAL + ("called",) * 3)
    if kind == "discard_all":
        effect["match"] = rng.choice(USUAL + ("wild", "action", "number"))
    if kind == "banner":
        effect.update(text=rng.choice(("hum", "stand")), until=rng.choice(("uno", "next_turn")))
    if kind in ("perform", "dare"):
        effect["prompt"] = rng.choice(("sing", "dance"))
    for name in {"perform": ("success", "failure"), "dare": ("refuse",)}.get(kind, ()):
        effect[name] = random_effects(rng, depth + 1, rng.choice((0, 1, 1, 2)))
    return effect


def nested(depth, inner):
    """A dare in a dare in a dare ..."""
    effects = [inner]
    for _ in range(depth - 1):
        effects = [{"do": "dare", "who": "next", "prompt": "", "refuse": effects}]
    return effects


SKIP = {"do": "skip"}
DRAW = {"do": "draw", "who": "next", "count": 1}


def with_rule(rule):
    return {"edition": "custom", "custom_cards": [rule]}


def with_effects(*effects):
    return with_rule({"title": "t", "effects": list(effects)})


BROKEN_RULES = {
    "edition": {"edition": "ancient"},
    "no edition": {},
    "unknown field": {"edition": "original", "houses": {}},
    "unknown house rule": {"edition": "original", "house": {"sevens": True}},
    "switch not a bool": {"edition": "original", "house": {"jump_in": 1}},
    "stacking": {"edition": "original", "house": {"stacking": "all"}},
    "both": {"edition": "original", "house": {"no_bluffing": True, "no_challenges": True}},
    "hand_size 0": {"edition": "original", "house": {"hand_size": 0}},
    "hand_size 21": {"edition": "original", "house": {"hand_size": 21}},
    "uno_penalty 21": {"edition": "original", "house": {"uno_penalty": 21}},
    "uno_penalty -1": {"edition": "original", "house": {"uno_penalty": -1}},
    "suggestion 21": {"edition": "original", "house": {"suggestion_penalty": 21}},
    "target 0": {"edition": "original", "scoring": {"type": "first_to", "target": 0}},
    "target 10001": {"edition": "original", "scoring": {"type": "lowest_at", "target": 10_001}},
    "scoring type": {"edition": "original", "scoring": {"type": "best_of", "target": 5}},
    "custom cards elsewhere": {"edition": "original", "custom_cards": [None]},
    "no custom cards elsewhere": {"edition": "original", "custom_cards": []},
    "target of one round": {"edition": "original", "scoring": {"type": "single_round", "target": 500}},
    "four custom cards": {"edition": "custom", "custom_cards": [None] * 4},
    "starter 0": with_rule(0), "starter 11": with_rule(11),
    "no title": with_rule({"text": "x", "effects": [SKIP]}),
    "long title": with_rule({"title": "t" * 61}),
    "long text": with_rule({"title": "t", "text": "x" * 301}),
    "long prompt": with_effects({"do": "dare", "who": "next", "prompt": "p" * 301, "refuse": []}),
    "long banner": with_effects({"do": "banner", "who": "next", "text": "b" * 301, "until": "uno"}),
    "unknown rule field": with_rule({"title": "t", "effect": []}),
    "unknown effect": with_effects({"do": "explode"}),
    "unknown effect field": with_effects({"do": "skip", "count": 1}),
    "count 0": with_effects({**DRAW, "count": 0}), "count 21": with_effects({**DRAW, "count": 21}),
    "to 0": with_effects({"do": "level", "who": "all", "to": 0}),
    "to 21": with_effects({"do": "discard_down", "who": "all", "to": 21}),
    "who": with_effects({**DRAW, "who": "previous"}),
    "draw_more others": with_effects({"do": "draw_more", "who": "others", "count": 2}),
    "dare all": with_effects({"do": "dare", "who": "all", "prompt": "", "refuse": []}),
    "match": with_effects({"do": "discard_all", "who": "all", "match": "even"}),
    "color": with_effects({"do": "draw_until_color", "who": "next", "color": "mauve"}),
    "until": with_effects({"do": "banner", "who": "next", "text": "b", "until": "dawn"}),
    "21 effects": with_effects(*[SKIP] * 21),
    "21 with nested": with_effects(*[SKIP] * 19, {"do": "dare", "who": "next", "prompt": "", "refuse": [SKIP]}),
    "4 deep": with_rule({"title": "t", "effects": nested(4, SKIP)}),
}

# faults whose code is bad_rules and no other
BOUNDS = {"both", "hand_size 0", "hand_size 21", "uno_penalty 21", "uno_penalty -1", "suggestion 21",
          "target 0", "target 10001", "custom cards elsewhere", "four custom cards", "starter 0",
          "starter 11", "long title", "long text", "long prompt", "long banner", "count 0", "count 21",
          "to 0", "to 21", "21 effects", "21 with nested", "4 deep"}


def broken_rules(rng):
    """Rules that must be refused, and why."""
    name = rng.choice(sorted(BROKEN_RULES))
    return name, BROKEN_RULES[name]


EDGE_RULES = [
    {"edition": "custom", "custom_cards": [{"title": "t" * 60, "text": "x" * 300, "effects": [SKIP] * 20}]},
    {"edition": "custom", "custom_cards": [{"title": "ü" * 60, "text": "é" * 300}]},
    with_effects(*nested(3, SKIP)),
    {"edition": "custom", "custom_cards": [{"title": "t", "effects": [
        {"do": "draw", "who": "all", "count": 20}, {"do": "level", "who": "all", "to": 20}]}]},
    {"edition": "custom", "custom_cards": []},
    {"edition": "original", "house": {"uno_penalty": 20, "suggestion_penalty": 20, "hand_size": 20}},
    {"edition": "modern", "scoring": {"type": "first_to", "target": 10_000}},
    {"edition": "frozen", "scoring": {"type": "lowest_at", "target": 1}},
]


def edge_rules(rng):
    """Rules at their bounds that must be accepted."""
    return rng.choice(EDGE_RULES)
