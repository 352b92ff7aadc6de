import { keyedId } from "#core/jobs/Jobs.ts"

/**
 * Names one attempt for good, from what the ledger holds before it begins: a process that inherits the attempt after a
 * crash can ask the other side for it by the same name (a call's channel uuid). `idempotencyKey` is the target's.
 */
export const attemptIdOf = (idempotencyKey: string, begun: number): string =>
  keyedId("attempt", `${idempotencyKey}:${begun}`)
