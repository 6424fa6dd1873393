"""The engine's shuffles are its own: which order they gave is worked out from
its reply, so that the oracle can follow and everything else be compared."""

from collections import Counter

from cards import COLOR_OF
from compare import adopt_texts, state_differences


class StateReader:
    """Stands in for the engine's shuffles: reads off the state in the reply
    what the order must have been. Where several draws of open length follow
    one shuffle, that is a guess."""

    def __init__(self, reply):
        self.state = reply["state"]
        self.drawn = []       # (seat, card) in the order of drawing
        self.used = False     # something was shuffled
        self.unknown = False  # the order of the draw pile is not known

    def shuffle(self, cards):
        self.used = self.unknown = True
        return list(cards)

    def next_card(self, game, seat, stop):
        card = self.likely_card(game, seat, stop) if self.unknown else game.draw_pile[0]
        game.draw_pile.remove(card)
        self.drawn.append((seat, card))
        return card

    def likely_card(self, game, seat, stop):
        """A card that the seat has gained in the reply; one that would end the
        drawing only when no other is left."""
        gained = Counter(self.state["hands"][seat]) - Counter(game.hands[seat])
        fits = [card for card in game.draw_pile if gained[card]]
        if stop:
            fits = [card for card in fits if not stop(card)] or fits
        if not fits:
            stays = Counter(self.state["draw_pile"])
            fits = list((Counter(game.draw_pile) - stays).elements()) or game.draw_pile
        return fits[0]

    def shuffle_hands(self, cards, seats):
        """H1: dealt one at a time, so the hands tell the order."""
        self.used = True
        hands = [list(hand) for hand in self.state["hands"]]
        if Counter(cards) != Counter(card for hand in hands for card in hand):
            return cards
        order = []
        for i in range(len(cards)):
            hand = hands[seats[i % len(seats)]]
            if not hand:
                return cards
            order.append(hand.pop())
        return order

    def settle(self, game):
        """What is left of a new draw pile lies as the reply says."""
        if self.unknown and sorted(game.draw_pile) == sorted(self.state["draw_pile"]):
            game.draw_pile = list(self.state["draw_pile"])


class EventReader(StateReader):
    """Takes the drawn cards from the `drew` events. Events are outside the
    contract, so they are only believed if they lead to the state in the reply."""

    def __init__(self, reply):
        super().__init__(reply)
        self.told = told_cards(reply.get("events", []))

    def likely_card(self, game, seat, stop):
        place = len(self.drawn)
        if place < len(self.told) and self.told[place] in game.draw_pile:
            return self.told[place]
        return super().likely_card(game, seat, stop)


def told_cards(events):
    """All cards drawn in one step, in order, as far as the events name them."""
    cards = []
    for event in events:
        if event.get("type") == "drew" and isinstance(event.get("cards"), list):
            cards += [card for card in event["cards"] if card in COLOR_OF]
    return cards


def follow_reply(game, reply, step):
    """The oracle's game after `step`, shuffles as in the reply, and their reader."""
    for reader in (StateReader(reply), EventReader(reply)):
        after = game.copy()
        after.source = reader
        step(after)
        reader.settle(after)
        adopt_texts(after, reply["state"])
        if not reader.unknown or not state_differences(after, reply["state"]):
            break
    return after, reader


def order_is_lost(rules, reader, reply):
    """Whether neither state nor events tell the order: cards of a new pile may
    have been drawn until a color came, or discarded again, in the same step."""
    effects = str(rules.custom)
    tangled = "discard_all" in effects or "draw_until_color" in effects
    return reader.unknown and tangled and not told_cards(reply.get("events", []))
