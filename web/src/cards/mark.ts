/** The mark of unum, in a square of 100 by 100: the letter u as a pocket that holds one last card. */

/** The letter, a line 13 thick with round ends. */
export const pocket = 'M25 40V60A25 25 0 0 0 75 60V40';

/** The card, to be filled. */
export const one = 'M45.8 7.4L64.2 9.8A4 4 0 0 1 67.7 14.3L62.4 56.5A13.6 13.6 0 0 1 37.2 56L42.2 10.9A4 4 0 0 1 45.8 7.4Z';
