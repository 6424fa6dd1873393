import type { Refusal } from '../../protocol';

/** An answer that was no success: a refusal, or `null` if something else answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal | null;

  constructor(status: number, refusal: Refusal | null) {
    super(refusal?.message ?? `HTTP ${status}`);
    this.status = status;
    this.refusal = refusal;
  }
}
