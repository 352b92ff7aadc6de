/**
 * One automatic run over a tenant's undecided transactions: reads the open invoices once, decides in memory, and writes
 * in short transactions. Between them the event loop serves others.
 */
import { Effect } from "effect"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { building, type MatchIndex } from "../matching/MatchIndex.ts"
import { openInvoices, payers } from "../invoices/Exports.ts"
import { type Counts, type Decided, write } from "./MatchChunk.ts"
import { nothingRefused, outcomeOf, settleIn } from "./Outcome.ts"
import { ownIbans, refused, type Row, undecided } from "./TransactionRows.ts"

/**
 * Transactions of one write. Unit: rows. Reason: about 0.2 s, for which a person who matches one of them waits; larger
 * ones are hardly faster.
 */
export const chunkSize = 500

/** Decisions between two turns of the event loop. Unit: transactions. Reason: a few milliseconds. */
const turn = 100

/** Lets the event loop serve requests. A yield between fibers alone would not. */
const breathe = Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))

/** What a run reads once. */
export interface Ground {
  readonly index: MatchIndex
  readonly ownIbans: ReadonlySet<string>
}

/** Index over the tenant's open invoices, built in turns. */
export const groundOf = Effect.fnUntraced(function* (tenantId: number) {
  const read = yield* tenantTransaction(
    tenantId,
    Effect.all({ invoices: openInvoices(tenantId), payers: payers(tenantId), ownIbans: ownIbans(tenantId) })
  )
  const steps = building(read.invoices, read.payers)
  while (true) {
    const step = steps.next()
    if (step.done === true) return { index: step.value, ownIbans: read.ownIbans } satisfies Ground as Ground
    yield* breathe
  }
})

/** Decides about the rows, in their order. */
const decideAll = Effect.fnUntraced(function* (tenantId: number, rows: ReadonlyArray<Row>, ground: Ground) {
  const undone = yield* tenantTransaction(tenantId, refused(rows.map(({ id }) => id)))
  const decided: Array<Decided> = []
  for (const [at, row] of rows.entries()) {
    if (at % turn === turn - 1) yield* breathe
    const outcome = outcomeOf(row, ground.index, ground.ownIbans, undone.get(row.id) ?? nothingRefused)
    if (outcome.kind === "match") settleIn(ground.index, outcome.suggestion.allocations)
    decided.push({ row, outcome })
  }
  return decided
})

export interface Chunk {
  /** `seq` of the last transaction before the chunk, and of its last one. */
  readonly after: number
  readonly last: number
  readonly rows: number
}

/**
 * Runs over all undecided transactions after `seq`. `claim` runs in the transaction of each chunk before its writes,
 * and `record` after them; when `claim` answers false, another process has taken the run over, and this one ends.
 * Returns the number of decisions that an invoice no longer allowed.
 */
export const run = Effect.fnUntraced(function* <E, R, E2, R2>(
  tenantId: number,
  seq: number,
  claim: (chunk: Chunk) => Effect.Effect<boolean, E, R>,
  record: (counts: Counts, chunk: Chunk) => Effect.Effect<unknown, E2, R2>
) {
  const ground = yield* groundOf(tenantId)
  let after = seq
  let conflicts = 0
  while (true) {
    const rows = yield* tenantTransaction(tenantId, undecided(tenantId, after, chunkSize))
    if (rows.length === 0) return conflicts
    const decided = yield* decideAll(tenantId, rows, ground)
    const chunk = { after, last: rows.at(-1)!.seq, rows: rows.length }
    const counts = yield* tenantTransaction(
      tenantId,
      Effect.gen(function* () {
        if (!(yield* claim(chunk))) return undefined
        const written = yield* write(tenantId, decided)
        yield* record(written, chunk)
        return written
      })
    )
    if (counts === undefined) return conflicts
    conflicts += counts.conflicts
    after = chunk.last
  }
})
