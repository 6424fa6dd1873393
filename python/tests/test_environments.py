"""The environments, each by the conformance test of its own framework."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unum_game as unum

HOUSES = [{}, {"stacking": "any", "seven_zero": True, "jump_in": True}]


@pytest.mark.parametrize("edition", unum.EDITIONS)
def test_encoding(edition: str) -> None:
    encoding = unum.Encoding(edition)
    assert len(encoding.names) == encoding.actions == len(set(encoding.names))
    assert sum(count for _, count in encoding.action_sections.values()) == encoding.actions
    assert sum(count for _, count in encoding.observation_sections.values()) == encoding.observation
    assert encoding.high.shape == (encoding.observation,)
    assert encoding.version == unum.ENCODING_VERSION
    assert encoding.cards == list(unum.Rules(edition).deck)


def test_vector_env_steps_and_deals_again() -> None:
    env = unum.VectorEnv("custom", players=3, tables=300, threads=2, payoff="points")
    other = unum.VectorEnv("custom", players=3, tables=300, threads=1, payoff="points")
    arrays = env.observations, env.masks
    env.reset(seed=4)
    other.reset(seed=4)
    ended = 0
    for _ in range(200):
        actions = env.sample().copy()
        assert env.masks[np.arange(300), actions].all()
        env.step(actions)
        other.step(actions)
        assert (env.observations == other.observations).all() and (env.masks == other.masks).all()
        assert (env.rewards == other.rewards).all() and (env.dones == other.dones).all()
        assert (env.rewards[~env.dones] == 0).all()
        assert np.abs(env.rewards.sum(axis=1)).max() < 1e-4
        assert (env.observations <= env.encoding.high).all()
        ended += int(env.dones.sum())
    assert ended > 0
    assert env.observations is arrays[0] and env.masks is arrays[1]


def test_vector_env_with_bots() -> None:
    env = unum.VectorEnv(players=2, tables=100, bots=["hard", None])
    won, ended = 0.0, 0
    for _ in range(400):
        env.step(env.sample())
        assert (env.seats == 1).all()
        won += float(env.rewards[env.dones, 1].sum())
        ended += int(env.dones.sum())
    assert ended > 500 and won < -0.2 * ended


def test_vector_env_refuses_what_is_not_legal() -> None:
    env = unum.VectorEnv(players=2, tables=4)
    before = env.observations.copy()
    actions = env.sample().copy()
    actions[2] = 90_000
    with pytest.raises(unum.IllegalAction, match="table 2"):
        env.step(actions)
    assert (env.observations == before).all()
    with pytest.raises(unum.RequestError):
        env.step(actions[:3])
    for wrong in ({"tables": 0}, {"players": 1}, {"uno": "loud"}, {"payoff": "gold"}, {"bots": ["hard", "hard"]}):
        with pytest.raises(unum.UnumError):
            unum.VectorEnv(**{"players": 2, "tables": 2, **wrong})


@pytest.mark.parametrize("edition", unum.EDITIONS)
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("players", [2, 4, 10])
def test_pettingzoo(edition: str, house: dict[str, Any], players: int) -> None:
    from pettingzoo.test import api_test

    from unum_game.pettingzoo import env

    rules = {"edition": edition, "house": house}
    api_test(env(rules=rules, players=players, uno="chosen" if house else "called"), num_cycles=200)


def test_pettingzoo_seeds() -> None:
    from pettingzoo.test import seed_test

    from unum_game.pettingzoo import env

    seed_test(lambda: env(players=4), num_cycles=200)


def test_pettingzoo_in_the_middle_and_at_the_end_of_a_round() -> None:
    """What runs in the native half and what runs in Python look like one environment."""
    from copy import deepcopy

    from unum_game.pettingzoo import env

    table = env(players=3, payoff="points")
    table.reset(seed=5, options={"dealer": 1})
    assert list(table.agent_iter(max_iter=2)) == [table.agent_selection] * 2
    taken: list[int] = []
    copied: Any = None
    for agent in table.agent_iter():
        assert agent == table.agent_selection
        observation, reward, termination, truncation, info = table.last()
        assert info is table.infos[agent] and not truncation
        assert table.last(observe=False)[0] is None
        assert reward == table._cumulative_rewards[agent] and termination == table.terminations[agent]
        assert (observation["observation"] == table.observe(agent)["observation"]).all()
        if termination:
            with pytest.raises(ValueError, match="None"):
                table.step(taken[0])
            table.step(None)
            continue
        with pytest.raises(unum.IllegalAction):
            table.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
        if len(taken) == 10:
            copied = deepcopy(table)
        taken.append(int(observation["action_mask"].argmax()))
        table.step(taken[-1])
    assert table.agents == [] and sum(table.terminations.values()) == 0
    # A copy goes on by itself, with the same coming cards.
    for action in taken[10:]:
        copied.step(action)
    paid = {agent: copied.last(False)[1] for agent in copied.agent_iter(1)}
    assert copied.terminations == dict.fromkeys(copied.possible_agents, True)
    assert abs(sum(copied.rewards.values())) < 1e-6 and paid["player_0"] == copied.rewards["player_0"]
    deals = []
    for seed in (5, None, 5, None):
        table.reset(seed=seed)
        deals.append(table._table.hands())
    assert deals[0] == deals[2] != deals[1] == deals[3]


@pytest.mark.parametrize("edition", unum.EDITIONS)
def test_gymnasium(edition: str) -> None:
    from gymnasium.utils.env_checker import check_env

    from unum_game.gymnasium import UnoEnv

    check_env(UnoEnv(["hard", "random"], edition), skip_render_check=True)


def test_gymnasium_plays_by_the_mask() -> None:
    import gymnasium

    import unum_game.gymnasium  # noqa: F401

    env = gymnasium.make("unum/Uno-v1", opponents=["easy"], illegal="raise")
    random = np.random.default_rng(1)
    total = 0.0
    for episode in range(20):
        _, info = env.reset(seed=episode)
        over = False
        while not over:
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, reward, over, _, info = env.step(action)
            total += float(reward)
    assert -20 <= total <= 20
    env.reset(seed=1)
    with pytest.raises(unum.IllegalAction):
        env.step(int(np.flatnonzero(~env.unwrapped.action_masks())[0]))


def test_rlcard_code_runs() -> None:
    rlcard_agents = pytest.importorskip("rlcard.agents")
    from rlcard.models.uno_rule_models import UNORuleAgentV1

    from unum_game import rlcard

    env = rlcard.make("uno", config={"seed": 1, "allow_step_back": True})
    rule, random = UNORuleAgentV1(), rlcard_agents.RandomAgent(num_actions=env.num_actions)
    env.set_agents([rule, random])
    won = 0.0
    for _ in range(300):
        trajectories, payoffs = env.run(is_training=False)
        assert payoffs.sum() == 0 and len(trajectories) == 2
        won += payoffs[0]
    assert won > -60
    state, player = env.reset()
    assert state["obs"].shape == (4, 4, 15) and set(state["legal_actions"]) <= set(range(61))
    first = next(iter(state["legal_actions"]))
    env.step(first)
    back, same = env.step_back()
    assert same == player and (back["obs"] == state["obs"]).all()


def test_rlcard_planes_are_those_of_rlcard() -> None:
    utils = pytest.importorskip("rlcard.games.uno.utils")
    from unum_game import rlcard

    assert rlcard.ACTION_LIST == utils.ACTION_LIST and rlcard.ACTION_SPACE == utils.ACTION_SPACE
    env = rlcard.make("uno", config={"seed": 3})
    for _ in range(30):
        state, _ = env.reset()
        planes = np.zeros((4, 4, 15), dtype=int)
        utils.encode_hand(planes[:3], state["raw_obs"]["hand"])
        utils.encode_target(planes[3], state["raw_obs"]["target"])
        assert (planes == state["obs"]).all()


@pytest.mark.parametrize("game", ["python_unum", "python_unum(players=3,edition=frozen)", "python_unum(players=2,chance=explicit)"])
def test_openspiel(game: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import unum_game.openspiel  # noqa: F401

    loaded = pyspiel.load_game(game)
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=False, verbose=False)
    state = loaded.new_initial_state()
    random = np.random.default_rng(1)
    chances = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes())
            assert abs(sum(odds) - 1) < 1e-9
            state.apply_action(int(random.choice(outcomes, p=odds)))
            chances += 1
        else:
            clone = state.clone()
            state.apply_action(int(random.choice(state.legal_actions())))
            assert clone.legal_actions() != [] and clone.current_player() >= 0
    assert chances > 90 if "explicit" in game else chances == 1
    assert abs(sum(state.returns())) < 1e-6
