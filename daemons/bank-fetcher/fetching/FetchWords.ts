/** States, reasons and order types of fetches, as requests and answers spell them. */

/**
 * - `waiting`: for its turn, for the next attempt (`retry_at`), or for the passphrase (`problem` says it).
 * - `running`: talks to the bank.
 * - `done`: at least one new file. `empty`: the bank had nothing new, or only files that we have.
 * - `failed`: ended without success; `problem` says why.
 */
export const fetchStates = ["waiting", "running", "done", "empty", "failed"] as const

/** Order types of statements. STA: MT940; VMK: MT942; C53, C52, C54: camt.053, camt.052, camt.054. */
export const statementOrders = ["C53", "C52", "C54", "STA", "VMK"] as const
