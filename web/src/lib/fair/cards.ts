import type { CardName, DealAgain, FairDeal, RulesSpec } from '../../protocol';
import { call, moduleState } from '../local/client.svelte';
import { ApiError } from '../net/error';
import { sparesData } from '../page/site';

/** A deal that was revealed, and what a player saw of it. */
export type Dealt = {
  deal: FairDeal;
  rules: RulesSpec;
  round: number;
  dealer: number;
  seat: number | null;
  /** The player's cards, in any order, if they were seen. */
  hand: CardName[] | null;
};

const sorted = (cards: readonly CardName[]) => [...cards].sort().join();

/**
 * Whether other cards or another dealer follow from what was revealed: the module plays the deal again by the rules. `null` if
 * there is no module, or it would have to be loaded although the visitor saves data; "Check the deal" does it then.
 */
export async function isMisdealt({ deal, rules, round, dealer, seat, hand }: Dealt): Promise<boolean | null> {
  const state = moduleState();
  if (state === 'none' || (state === 'idle' && sparesData())) return null;
  let again: DealAgain;
  try {
    again = await call('deal', { deal, rules, dealer: round > 1 ? dealer : null });
  } catch (error) {
    // What the rules refuse cannot have been dealt.
    return error instanceof ApiError && error.refusal?.code === 'bad_settings' ? true : null;
  }
  const own = seat === null ? undefined : again.hands[seat];
  return again.dealer !== dealer || (hand !== null && own !== undefined && sorted(hand) !== sorted(own));
}
