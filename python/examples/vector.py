"""How fast are random rounds in the vectorized environment?"""

import time

import unum_game as unum

env = unum.VectorEnv("original", players=4, tables=1024)
begin, steps, rounds = time.perf_counter(), 100, 0
for _ in range(steps):
    env.step(env.sample())
    rounds += int(env.dones.sum())
seconds = time.perf_counter() - begin
print(f"{steps * env.tables / seconds:,.0f} decisions a second, {rounds:,} rounds ended")
