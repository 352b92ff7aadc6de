/** What the commands of recordings do. */
import { Effect } from "effect"
import { minute } from "#core/cli/Moment.ts"
import { print, table } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { inOneTransaction, told } from "../OperatorStore.ts"
import { normalWord } from "../vocabulary/Exports.ts"
import * as Store from "./Store.ts"

interface Flags {
  readonly tenant: number
  readonly json: boolean
}

export const list = Effect.fnUntraced(function* (flags: Flags & { readonly limit: number }) {
  const found = yield* inOneTransaction(Store.words(flags.tenant, undefined, flags.limit))
  const items = found.map(({ newest_at, samples: _samples, ...row }) => ({
    ...row,
    newest_at: newest_at.toISOString()
  }))
  yield* print(flags.json, items, (rows) =>
    table("No recordings yet.", [
      ["WORD", "RECORDINGS", "SPEAKERS", "SECONDS", "NEWEST"],
      ...rows.map((row) => [
        row.word,
        String(row.count),
        String(row.speakers),
        (row.duration_ms / 1000).toFixed(1),
        minute(new Date(row.newest_at))
      ])
    ])
  )
})

export const remove = Effect.fnUntraced(function* (flags: Flags & { readonly word: string }) {
  const deleted = yield* inOneTransaction(
    Store.remove(flags.tenant, normalWord(flags.word), undefined, Audit.operator)
  ).pipe(Effect.catchTag("NotFound", told))
  yield* print(flags.json, { deleted }, () => [`${deleted} recordings deleted`])
})
