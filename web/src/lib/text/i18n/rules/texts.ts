import type { EDITIONS, RULES, SECTIONS } from '../../../../ids';

/** One rule in another language: as many rulings, and the same differences, as the English one has. */
export type RuleWords = {
  title: string;
  text: string;
  rulings?: string[];
  differences?: Partial<Record<keyof typeof EDITIONS, string>>;
};

/** The rule book and the starters of Customizable cards in another language. The English ones come from the server. */
export type Texts = {
  sections: Record<(typeof SECTIONS)[number], string>;
  rules: Record<keyof typeof RULES, RuleWords>;
  editions: Record<keyof typeof EDITIONS, { summary: string; special: string[]; rulings?: string[] }>;
  starters: { title: string; text: string; texts?: string[] }[];
};
