/** A seat at the table, from 0. */
export type Seat = number;
/** Somebody at the table, by number. */
export type Person = number;
