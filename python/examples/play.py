"""A round of three bots, told event by event."""

import unum_game as unum

match = unum.Match("original", players=3, seed=11)
bots = [unum.Bot("hard", seed=1), unum.Bot("normal", seed=2), unum.Bot("easy", seed=3)]
for seat, bot in enumerate(bots):
    bot.begin(match, seat)
while match.seat is not None:
    seat = match.seat
    match.apply(seat, bots[seat].act(match, seat))
    for other, bot in enumerate(bots):
        bot.watch(match, other)
    for event in match.seen_events(None):
        print(event)
print("result:", match.result)
