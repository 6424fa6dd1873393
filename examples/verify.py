#!/usr/bin/env python3
"""Works out the cards of a fairly dealt game again, without unum.

    python3 verify.py GAME.json        prints a JSON line per round

The record is one of version 3, as JSON (`unum replay FILE --to json`). For every round this
prints the commitment, the players' pledges, the key of the generator, the dealer, the hands that
were dealt, the cards turned up and the order of the draw pile. `unum verify FILE --json` prints the same and plays the
moves as well. docs/fairness.md explains each step. Plain Python 3, no other modules.
"""

import hashlib
import json
import sys

# --- Step 1: from the secret and what the players added to a key ---------------------------------


def commitment(secret):
    return hashlib.sha256(b"unum deal 2 commit\n" + secret).digest()


def pledge(commitment, attempt, seat, part):
    """What a player publishes before anybody opens a part."""
    return hashlib.sha256(b"unum deal 2 part\n" + commitment + bytes([attempt, seat]) + part).digest()


def key(secret, attempt, entropy):
    data = b"unum deal 2 seed\n" + secret + bytes([attempt])
    for part in entropy:
        data += b"\1" + part if part is not None else b"\0"
    return hashlib.sha256(data).digest()


# --- Step 2: from the key to numbers -------------------------------------------------------------


def rotate(word, bits):
    return (word << bits | word >> (32 - bits)) & 0xFFFFFFFF


def quarter(s, a, b, c, d):
    for first, second, third, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[first] = (s[first] + s[second]) & 0xFFFFFFFF
        s[third] = rotate(s[third] ^ s[first], bits)


def chacha8_words(key):
    """ChaCha with 8 rounds, a 64-bit block counter from 0 and a nonce of 0, as 32-bit words."""
    constant = [int.from_bytes(b"expand 32-byte k"[i:i + 4], "little") for i in range(0, 16, 4)]
    key = [int.from_bytes(key[i:i + 4], "little") for i in range(0, 32, 4)]
    counter = 0
    while True:
        start = constant + key + [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
        state = list(start)
        for _ in range(4):
            for column in range(4):
                quarter(state, column, column + 4, column + 8, column + 12)
            for i in range(4):
                quarter(state, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(state, start))
        counter += 1


class Chance:
    def __init__(self, key):
        self.words = chacha8_words(key)

    def below(self, bound):
        """Each number below the bound equally likely (Lemire)."""
        while True:
            product = next(self.words) * bound
            if product & 0xFFFFFFFF >= (1 << 32) % bound:
                return product >> 32

    def shuffle(self, cards):
        """Fisher-Yates, from the last place down. The last card is the first to be drawn."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


# --- Step 3: from numbers to cards ---------------------------------------------------------------

FACES = [*"0123456789", "S", "R", "+2"]
WILDS = ["W", "W+4", "WO", "WF", "WH", "WC1", "WC2", "WC3"]
OWN = {"original": {}, "fairies": {"WF": 4}, "frozen": {"WO": 4}, "custom": {"WH": 1}, "modern": {}}


def sorted_deck(rules):
    edition = rules["edition"]
    colors = "PYGB" if edition == "frozen" else "RYGB"
    zeros = 2 if edition == "modern" else 1
    deck = [color + face for color in colors for face in FACES for _ in range(zeros if face == "0" else 2)]
    copies = {"W": 4, "W+4": 4, **OWN[edition]}
    if edition == "custom":
        customizable = rules.get("custom_cards")
        count = 3 if customizable is None else len(customizable)
        copies.update({f"WC{number}": 1 for number in range(1, count + 1)})
    return deck + [wild for wild in WILDS for _ in range(copies.get(wild, 0))]


def number_on(card):
    return int(card[1]) if card[1:].isdigit() else None


def choose_dealer(rules, players, chance):
    """D1: everybody draws a card, the highest number deals; who tie draw again."""
    if rules["edition"] == "modern":
        return chance.below(players)
    contenders, pile = list(range(players)), []
    while len(contenders) > 1:
        if len(pile) < len(contenders):
            pile = sorted_deck(rules)
            chance.shuffle(pile)
        drawn = {seat: number_on(pile.pop()) or 0 for seat in contenders}
        contenders = [seat for seat in contenders if drawn[seat] == max(drawn.values())]
    return contenders[0]


def turn_up(rules, pile, chance):
    """S1, S6, S8: the cards turned up, the start card last; None when there is no start card."""
    turned = []
    if rules["edition"] == "modern":
        while pile:
            turned.append(pile.pop())
            if number_on(turned[-1]) is not None:
                return turned
        return None
    while pile:
        turned.append(pile[-1])
        if pile[-1] != "W+4":
            pile.pop()
            return turned
        if set(pile) == {"W+4"}:
            return None
        chance.shuffle(pile)
    return None


def deal(rules, players, dealer, chance):
    """D2: one card at a time, beginning on the dealer's left."""
    size = rules.get("house", {}).get("hand_size", 7)
    turned = None
    while turned is None:
        pile = sorted_deck(rules)
        chance.shuffle(pile)
        hands = [[] for _ in range(players)]
        for place in range(players * size):
            hands[(dealer + 1 + place) % players].append(pile.pop())
        turned = turn_up(rules, pile, chance)
    return hands, turned, pile[::-1]


def rounds(record):
    rules, players = record["rules"], record["players"]
    dealer = record.get("dealer")
    for number, part in enumerate(record["deals"], 1):
        secret = bytes.fromhex(part["secret"])
        entropy = [None if one is None else bytes.fromhex(one) for one in part["entropy"]]
        attempt = part.get("attempt", 1)
        bound = commitment(secret)
        pledges = [None if one is None else pledge(bound, attempt, seat, one).hex() for seat, one in enumerate(entropy)]
        seed = key(secret, attempt, entropy)
        chance = Chance(seed)
        if number > 1:
            dealer = (dealer + 1) % players
        elif dealer is None:
            dealer = choose_dealer(rules, players, chance)
        hands, turned_up, draw_pile = deal(rules, players, dealer, chance)
        order = sorted(set(sorted_deck(rules)), key=sorted_deck(rules).index)
        yield {
            "round": number,
            "commitment": bound.hex(),
            "attempt": attempt,
            "pledges": pledges,
            "key": seed.hex(),
            "entropy": part["entropy"],
            "withheld": part.get("withheld", []),
            "dealer": dealer,
            "hands": [sorted(hand, key=order.index) for hand in hands],
            "turned_up": turned_up,
            "draw_pile": draw_pile,
        }


def read(path):
    """A record with the secrets of its deals, or a sentence on what is wrong."""
    try:
        with open(path) if path else sys.stdin as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{path or 'standard input'} cannot be read: {error}")
    if text.lstrip().startswith("["):
        sys.exit("this is a record as text: save it as JSON, for instance with `unum record --format json`")
    try:
        record = json.loads(text)
    except ValueError as error:
        sys.exit(f"this is not JSON, or it was cut off: {error}")
    if not isinstance(record, dict) or record.get("format") != "unum-record":
        sys.exit("this is not a record of unum")
    if record.get("version") != 3:
        sys.exit("this record has no secrets of deals: only records of version 3 do, from a table or `unum record --fair`")
    return record


if __name__ == "__main__":
    for line in rounds(read(sys.argv[1] if sys.argv[1:] else None)):
        print(json.dumps(line))
