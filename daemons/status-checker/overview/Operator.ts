/** Implements `signalbox status check` and `signalbox status subscribers`. */
import { Clock, Effect, Option } from "effect"
import { isMeasured, requestChecks } from "../checks/Exports.ts"
import { fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import { fileProblems, StatusFiles, withStatus } from "../status-files/Exports.ts"
import { operator } from "../status/AdminChange.ts"
import { noComponents, painted } from "../status/Terminal.ts"
import * as Overview from "./Overview.ts"

/** Longest wait for a requested check. Unit: milliseconds. Reason: a round mostly takes seconds. */
const longestWait = 60_000

/** Interval at which results are looked for. Unit: milliseconds. */
const look = 500

const lastChecks = withStatus(
  Effect.flatMap(StatusFiles, (files) =>
    Effect.map(Overview.checks(files.components()), (checks) => ({ files, checks }))
  )
)

/** Requests a round, and waits until every measured component was checked since. */
const checkNow = Effect.gen(function* () {
  const since = yield* Clock.currentTimeMillis
  // A transaction of its own: the request is sent when it commits.
  yield* withStatus(requestChecks)
  while (true) {
    const found = yield* lastChecks
    const measured = new Set(
      found.files
        .components()
        .filter(isMeasured)
        .map(({ id }) => id)
    )
    const isDone = found.checks.every(
      ({ checked_at, component_id }) =>
        !measured.has(component_id) || (checked_at !== null && Date.parse(checked_at) >= since)
    )
    if (isDone) return found
    if ((yield* Clock.currentTimeMillis) - since > longestWait)
      return yield* fail(
        `no check within ${longestWait / 1000} s: does status-checker run? \`signalbox health\` shows it`
      )
    yield* Effect.sleep(look)
  }
})

export const check = Effect.fnUntraced(function* ({ json, now }: { readonly json: boolean; readonly now: boolean }) {
  const { checks, files } = yield* now ? checkNow : lastChecks
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

export const removeSubscriber = Effect.fnUntraced(function* ({
  id,
  json
}: {
  readonly id: number
  readonly json: boolean
}) {
  yield* withStatus(Overview.removeSubscriber(id, operator))
  yield* print(json, { id, removed: true }, () => [`Subscriber ${id} is removed.`])
})

/** Removes control characters, which other servers could send to the terminal. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, " ")
