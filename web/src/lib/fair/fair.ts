import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { FairDeal } from '../../protocol';

/**
 * What a page needs to take part in deals, module or not: the fingerprints that are published before a deal. What follows from
 * one is worked out by the module (`deal.ts`).
 */

// The browser's own SHA-256 is missing where the page comes over a local network without encryption.
const digest = (parts: Uint8Array[]) => sha256(concatBytes(...parts));

/** The fingerprint that had to be published before the deal. */
export function commitmentOf(deal: FairDeal): string {
  return bytesToHex(digest([utf8ToBytes('unum deal 2 commit\n'), hexToBytes(deal.secret)]));
}

/** The fingerprint of a part that a player was to publish before anybody opened theirs. */
export function pledgeOf(commitment: string, attempt: number, seat: number, part: string): string {
  const place = Uint8Array.of(attempt, seat);
  return bytesToHex(digest([utf8ToBytes('unum deal 2 part\n'), hexToBytes(commitment), place, hexToBytes(part)]));
}
