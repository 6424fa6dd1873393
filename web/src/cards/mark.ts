/** The mark of unum, in a square of 100 by 100: the letter u as a pocket that holds one last card. */

/** The letter, a line 13 thick with round ends. */
export const pocket = 'M21 44V60A29 29 0 0 0 79 60V44';

/** The card, to be filled. */
export const one =
  'M44.8 4.8L65.6 7.8Q70.5 8.4 69.8 13.4L62.9 62.9Q62.2 67.9 57.2 67.2L36.4 64.2Q31.5 63.6 32.2 58.6L39.1 9.1Q39.8 4.1 44.8 4.8Z';

/** The sign on the card, in the tone of what lies behind the mark. */
export const pip =
  'M53.8 16.2Q56.5 25.7 62.2 31.5Q55.1 35.6 49.9 43.9Q47.2 34.5 41.4 28.6Q48.6 24.6 53.8 16.2Z';
