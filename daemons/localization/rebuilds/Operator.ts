/** Implementation of the commands of automatic translations. */
import { Console, Duration, Effect, Option } from "effect"
import { Ended, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { fullId } from "#core/cli/ShortId.ts"
import { settings } from "#core/config/Environment.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { inOneTransaction, told, withTexts } from "../OperatorStore.ts"
import { notConfigured } from "./RebuildProblem.ts"
import { translationSettings } from "./Settings.ts"
import * as Store from "./Store.ts"

/** Interval at which a waiting command reads the progress. Unit: milliseconds. */
const lookEvery = Duration.millis(500)

const by = { actor: Audit.operator }

export const rebuild = Effect.fnUntraced(function* (flags: {
  readonly locale: Option.Option<string>
  readonly noWait: boolean
  readonly json: boolean
}) {
  const { url } = yield* settings(translationSettings)
  if (url === undefined) return yield* fail(notConfigured.text)
  const last = yield* withTexts(
    Effect.gen(function* () {
      const started = yield* transaction(Store.start(Option.getOrNull(flags.locale), by))
      return flags.noWait ? started : yield* followed(started)
    })
  ).pipe(Effect.catchTags({ NotFound: told, RebuildActive: told }))
  yield* print(flags.json, Store.view(last), (view) => [line(view)])
  if (last.state === "failed" || last.state === "cancelled") return yield* new Ended({ code: 1 })
})

/** Reads the rebuild until it has ended, and prints each change to standard error. */
const followed = Effect.fnUntraced(function* (started: Store.Rebuild) {
  let shown = ""
  for (;;) {
    const now = yield* transaction(Store.get(started.id))
    if (now.state !== "waiting" && now.state !== "running") return now
    const text = line(Store.view(now))
    if (text !== shown) yield* Console.error(text)
    shown = text
    yield* Effect.sleep(lookEvery)
  }
})

type View = ReturnType<typeof Store.view>

const line = ({ id, kept, problem, state, total, translated, uncertain }: View): string =>
  `${id} ${state}: ${translated} of ${total} texts translated, ${kept} stay English, ${uncertain} uncertain` +
  (problem === null ? "" : ` (${problem})`)

export const list = Effect.fnUntraced(function* ({ json, limit }: { readonly json: boolean; readonly limit: number }) {
  const rows = yield* inOneTransaction(Store.list(undefined, limit))
  yield* print(json, rows.map(Store.view), (found) =>
    columns([
      ["ID", "LANGUAGE", "STATE", "TEXTS", "TRANSLATED", "KEPT", "UNCERTAIN", "BEGAN"],
      ...found.map((row) => [
        row.id,
        row.locale ?? "all",
        row.state,
        ...[row.total, row.translated, row.kept, row.uncertain].map(String),
        minute(new Date(row.created_at))
      ])
    ])
  )
})

export const cancel = Effect.fnUntraced(function* ({ id, json }: { readonly id: string; readonly json: boolean }) {
  const row = yield* inOneTransaction(
    Effect.flatMap(fullId("localization.rebuild", "rebuild", id), (whole) => Store.cancel(whole, by))
  ).pipe(Effect.catchTag("NotFound", told))
  yield* print(json, Store.view(row), (view) => [line(view)])
})
