import type { RulesSpec, RulesView } from '../../protocol';

/** The rules as far as they decide who is dealt which cards. */
export function dealtBy({ edition, hand_size, custom }: RulesView): RulesSpec {
  return {
    edition,
    house: { hand_size },
    // What is on the cards makes no difference to how they are dealt.
    ...(edition === 'custom' ? { custom_cards: custom.map(() => null) } : {}),
  };
}
