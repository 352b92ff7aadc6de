/** What the commands of models do. */
import { Effect } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { print, table } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { inOneTransaction, told } from "../OperatorStore.ts"
import * as Store from "./Store.ts"

interface Flags {
  readonly tenant: number
  readonly json: boolean
}

type View = ReturnType<typeof Store.view>

export const status = Effect.fnUntraced(function* ({ json, tenant }: Flags) {
  const [row] = yield* inOneTransaction(Store.activeOf([tenant]))
  const view = row === undefined ? null : Store.view(row)
  yield* print(json, view, (model) => (model === null ? ["No model is active."] : described(model)))
})

export const list = Effect.fnUntraced(function* (flags: Flags & { readonly limit: number }) {
  const rows = yield* inOneTransaction(Store.list(flags.tenant, undefined, flags.limit))
  yield* print(flags.json, rows.map(Store.view), (items) =>
    table("No models yet. Train one: bin/signalbox wakeword train WORD", [
      ["NAME", "WORD", "LANGUAGE", "ACTIVE", "FALSE ACCEPTS/H", "MISSES", "CREATED"],
      ...items.map((item) => [
        item.name,
        item.word,
        item.language,
        item.active ? "yes" : "no",
        figure(item.metrics.false_accepts_per_hour),
        share(item.metrics.miss_rate),
        minute(new Date(item.created_at))
      ])
    ])
  )
})

export const activate = Effect.fnUntraced(function* (
  flags: Flags & { readonly name: string; readonly force: boolean }
) {
  const row = yield* inOneTransaction(Store.activate(flags.tenant, flags.name, flags.force, Audit.operator)).pipe(
    Effect.catchTags({
      NotFound: told,
      GateRefused: ({ reasons }) => fail(`The model ${flags.name} needs --force: ${reasons.join("; ")}.`)
    })
  )
  yield* print(flags.json, Store.view(row), ({ name }) => [`model ${name} activated`])
})

export const deactivate = Effect.fnUntraced(function* (flags: Flags & { readonly name: string }) {
  const row = yield* inOneTransaction(Store.deactivate(flags.tenant, flags.name, Audit.operator)).pipe(
    Effect.catchTag("NotFound", told)
  )
  yield* print(flags.json, Store.view(row), ({ name }) => [`model ${name} deactivated`])
})

export const remove = Effect.fnUntraced(function* (flags: Flags & { readonly name: string }) {
  yield* inOneTransaction(Store.remove(flags.tenant, flags.name, Audit.operator)).pipe(
    Effect.catchTags({ NotFound: told, ModelActive: told })
  )
  yield* print(flags.json, { deleted: flags.name }, ({ deleted }) => [`model ${deleted} deleted`])
})

const figure = (value: number | null): string => (value === null ? "-" : value.toFixed(2))
const share = (value: number | null): string => (value === null ? "-" : `${(value * 100).toFixed(1)} %`)

const described = ({ gate, metrics, name, threshold, word }: View): ReadonlyArray<string> => [
  `${name}: "${word}", threshold ${threshold}`,
  `  ${figure(metrics.false_accepts_per_hour)} false accepts an hour over ${metrics.negative_hours.toFixed(2)} h`,
  `  ${share(metrics.miss_rate)} of ${metrics.utterances} utterances missed, ${metrics.voices.length} voices`,
  ...metrics.notes.map((note) => `  ${note}`),
  ...gate.map((reason) => `  activated by force: ${reason}`)
]
