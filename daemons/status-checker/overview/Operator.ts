/** Implements `signalbox status check` and `signalbox status subscribers`. */
import { Effect, Option } from "effect"
import { columns, print, table } from "#core/cli/Output.ts"
import { fileProblems, StatusFiles, withStatus } from "../status-files/Exports.ts"
import { minute, noComponents, painted } from "../status/Terminal.ts"
import * as Overview from "./Overview.ts"

export const check = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { checks, files } = yield* withStatus(
    Effect.flatMap(StatusFiles, (files) =>
      Effect.map(Overview.checks(files.components()), (checks) => ({ files, checks }))
    )
  )
  yield* print(json, checks, () => [
    ...checks.flatMap(({ checked_at, component_id, results, seen, status, streak }) => [
      `${component_id}: ` +
        (status === null ? "never measured" : `${painted(status)}, looked at ${minute(checked_at!)}`) +
        (seen === null || seen === status
          ? ""
          : `; ${painted(seen)} found ${streak} ${streak === 1 ? "time" : "times"} in a row`),
      ...columns(results.map(({ detail, kind, outcome }) => ["", kind, outcome, printable(detail)]))
    ]),
    ...(checks.length === 0 ? [noComponents] : []),
    ...fileProblems(files)
  ])
})

export const countSubscribers = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const counts = yield* withStatus(Overview.subscriberCounts)
  yield* print(json, counts, ({ confirmed, pending }) => [`${confirmed} confirmed, ${pending} not yet`])
})

interface ListFlags {
  readonly status: Option.Option<"pending" | "confirmed">
  readonly limit: number
  readonly json: boolean
}

export const listSubscribers = Effect.fnUntraced(function* ({ json, limit, status }: ListFlags) {
  const found = yield* withStatus(Overview.subscribers(Option.getOrUndefined(status), undefined, limit))
  yield* print(json, found, () =>
    table("No subscribers.", [
      ["id", "address", "language", "status", "since", "components"],
      ...found.map(({ components, created_at, email, id, lang, status }) => [
        String(id),
        email,
        lang,
        status,
        minute(created_at),
        components?.join(" ") ?? "all"
      ])
    ])
  )
})

/** Removes control characters, which other servers could send to the terminal. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, " ")
