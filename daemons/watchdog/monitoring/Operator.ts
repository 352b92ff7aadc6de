/** Implements `signalbox monitor …`. The commands use the database; the running daemon carries out the checks. */
import { Effect, Option, Schema } from "effect"
import { Ended, exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { colour, columns, print, table } from "#core/cli/Output.ts"
import { settings } from "#core/config/Environment.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { changing, reading } from "./OperatorStore.ts"
import { CheckChange, NewCheck } from "./Api.ts"
import * as CheckChanges from "./CheckChanges.ts"
import * as CheckList from "./CheckList.ts"
import type { Kind, Origin, Status } from "./CheckKinds.ts"
import { view } from "./CheckRow.ts"
import { monitoringSettings, parseEndpoint } from "./Settings.ts"

const operator: CheckChanges.Author = { actor: Audit.operator }

/** Interval of looks at a check that a person waits for, and how long it may take. Units: milliseconds. */
const lookInterval = 300
const longestWait = 180_000

type View = ReturnType<typeof view>

const shown = (row: Parameters<typeof view>[0]) =>
  Effect.map(settings(monitoringSettings), (config) => view(row, config))

const word = (status: Status): string =>
  colour(status === "ok" ? "green" : status === "critical" ? "red" : status === "warning" ? "yellow" : "dim", status)

const amount = (value: number | null, unit: string | null): string =>
  value === null ? "" : `${Number(value.toPrecision(4))}${unit === null ? "" : ` ${unit}`}`

/** Units at the end of the names of measurements. */
const units = ["bytes", "ms", "s", "percent", "days", "hours"]

/** A measurement such as `size_bytes` as "size: 1000 bytes". */
const measurementText = (name: string, value: number): string => {
  const unit = units.find((one) => name.endsWith(`_${one}`))
  const bare = unit === undefined ? name : name.slice(0, -unit.length - 1)
  return `${bare.replaceAll("_", " ")}: ${Number(value.toPrecision(6))}${unit === undefined ? "" : ` ${unit}`}`
}

/** The row that a person means. */
const meant = Effect.fnUntraced(function* (which: string) {
  return (yield* CheckList.named(which)) ?? (yield* fail(`The check ${which} does not exist.`))
})

interface ListFlags {
  readonly kind: Option.Option<Kind>
  readonly status: Option.Option<Status>
  readonly origin: Option.Option<Origin>
  readonly host: Option.Option<string>
  readonly alerting: boolean
  readonly search: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

export const checks = Effect.fnUntraced(function* (flags: ListFlags) {
  const rows = yield* reading(
    CheckList.list(
      {
        kind: Option.getOrUndefined(flags.kind),
        status: Option.getOrUndefined(flags.status),
        origin: Option.getOrUndefined(flags.origin),
        host: Option.getOrUndefined(flags.host),
        alerting: flags.alerting ? true : undefined,
        q: Option.getOrUndefined(flags.search)
      },
      undefined,
      flags.limit
    )
  )
  const items = yield* Effect.forEach(rows, shown)
  yield* print(flags.json, items, () =>
    table("No matching checks.", [
      ["ID", "STATUS", "CHECK", "VALUE", "CHECKED", "RESULT"],
      ...items.map((item) => [
        String(item.id),
        item.enabled ? word(item.status) : colour("dim", "disabled"),
        item.key,
        amount(item.value, item.unit),
        item.checked_at === null ? "never" : minute(new Date(item.checked_at)),
        item.detail
      ])
    ])
  )
  if (flags.alerting && items.length > 0) return yield* new Ended({ code: 1 })
})

const lines = (item: View): ReadonlyArray<string> => {
  const limit = (value: number | null) => (value === null ? "none" : amount(value, item.unit))
  const { direction, critical, warning } = item.thresholds
  return [
    `${item.key} (${item.id}): ${item.enabled ? word(item.status) : "disabled"}${item.alerting ? ", alert open" : ""}`,
    ...(item.detail === "" ? [] : [`  ${item.detail}`]),
    `  ${direction}: warning ${limit(warning)}, critical ${limit(critical)}`,
    `  every ${item.interval_s} s, at most ${item.timeout_s} s; ${item.failures} failed checks open an alert, ` +
      `${item.successes} good ones close it`,
    ...Object.entries(item.measurements).map(([name, value]) => `  ${measurementText(name, value)}`)
  ]
}

export const show = Effect.fnUntraced(function* (flags: {
  readonly check: string
  readonly hours: number
  readonly json: boolean
}) {
  const { past, row } = yield* reading(
    Effect.gen(function* () {
      const found = yield* meant(flags.check)
      return { row: found, past: yield* CheckList.history(found.id, flags.hours) }
    })
  )
  const item = { ...(yield* shown(row)), ...past }
  yield* print(flags.json, item, () => [
    ...lines(item),
    ...columns(
      item.history.map(({ at, max, min, status, value }) => [
        `  ${minute(new Date(at))}`,
        word(status),
        amount(value, item.unit),
        min === max ? "" : `${amount(min, null)} to ${amount(max, null)}`
      ])
    )
  ])
})

export const run = Effect.fnUntraced(function* (flags: {
  readonly check: string
  readonly wait: boolean
  readonly json: boolean
}) {
  const row = yield* changing(
    Effect.gen(function* () {
      const found = yield* meant(flags.check)
      return yield* CheckChanges.requestRun(found.id, operator)
    })
  )
  if (!flags.wait) return yield* print(flags.json, yield* shown(row), () => [`${row.key} runs soon.`])
  const ended = yield* reading(
    Effect.gen(function* () {
      for (let waited = 0; waited < longestWait; waited += lookInterval) {
        const now = yield* transaction(CheckList.show(row.id))
        if (now.checked_at !== null && now.checked_at.getTime() !== row.checked_at?.getTime()) return now
        yield* Effect.sleep(lookInterval)
      }
      return yield* fail(`${row.key} did not run within ${longestWait / 1_000} s. Is the daemon watchdog running?`)
    })
  )
  const item = yield* shown(ended)
  yield* print(flags.json, item, lines)
  if (item.status !== "ok" || item.streak > 0) return yield* new Ended({ code: 1 })
})

interface Adjustments {
  readonly interval: Option.Option<number>
  readonly timeout: Option.Option<number>
  readonly warning: Option.Option<number>
  readonly critical: Option.Option<number>
  readonly failures: Option.Option<number>
  readonly successes: Option.Option<number>
}

/** The given ones by the names of the API. */
const adjustmentsOf = ({ critical, failures, interval, successes, timeout, warning }: Adjustments) =>
  Object.fromEntries(
    Object.entries({ interval_s: interval, timeout_s: timeout, warning, critical, failures, successes }).flatMap(
      ([name, value]) => (Option.isSome(value) ? [[name, value.value]] : [])
    )
  )

const decoded = <A, I>(schema: Schema.Codec<A, I>, input: unknown) =>
  Effect.catchTag(Schema.decodeUnknownEffect(schema, { errors: "all" })(input), "SchemaError", (error) =>
    fail(error.message, exitUsage)
  )

interface AddFlags extends Adjustments {
  readonly name: string
  readonly url: Option.Option<string>
  readonly expect: Option.Option<string>
  readonly contains: Option.Option<string>
  readonly tcp: Option.Option<string>
  readonly certificate: Option.Option<string>
  readonly command: Option.Option<string>
  readonly arguments: ReadonlyArray<string>
  readonly host: Option.Option<string>
  readonly group: Option.Option<string>
  readonly json: boolean
}

const definitionOf = Effect.fnUntraced(function* (flags: AddFlags) {
  const given = [flags.url, flags.tcp, flags.certificate, flags.command].filter(Option.isSome)
  if (given.length !== 1) return yield* fail("Give one of --url, --tcp, --certificate, --command.", exitUsage)
  if (Option.isSome(flags.url))
    return {
      type: "http",
      url: flags.url.value,
      ...(Option.isSome(flags.expect) ? { expect: flags.expect.value.split(",").map(Number) } : {}),
      ...(Option.isSome(flags.contains) ? { contains: flags.contains.value } : {})
    }
  if (Option.isSome(flags.command)) return { type: "command", program: flags.command.value, arguments: flags.arguments }
  const endpoint = parseEndpoint(Option.getOrElse(flags.tcp, () => Option.getOrThrow(flags.certificate)))
  if (endpoint === undefined) return yield* fail("Give the endpoint as host:port.", exitUsage)
  const { host, port, servername } = endpoint
  return Option.isSome(flags.tcp)
    ? { type: "tcp", host, port }
    : { type: "certificate", host, port, ...(servername === null ? {} : { servername }) }
})

export const add = Effect.fnUntraced(function* (flags: AddFlags) {
  const check = yield* decoded(NewCheck, {
    name: flags.name,
    definition: yield* definitionOf(flags),
    ...(Option.isSome(flags.group) ? { group: flags.group.value } : {}),
    ...(Option.isSome(flags.host) ? { host: flags.host.value } : {}),
    ...adjustmentsOf(flags)
  })
  const item = yield* shown(yield* changing(CheckChanges.add(check, operator)))
  yield* print(flags.json, item, () => [`Added ${item.key} with the id ${item.id}.`])
})

interface ChangeFlags extends Adjustments {
  readonly check: string
  readonly enable: boolean
  readonly disable: boolean
  readonly reset: boolean
  readonly group: Option.Option<string>
  readonly json: boolean
}

const defaults = { interval_s: null, timeout_s: null, warning: null, critical: null, failures: null, successes: null }

export const change = Effect.fnUntraced(function* (flags: ChangeFlags) {
  if (flags.enable && flags.disable) return yield* fail("Give --enable or --disable.", exitUsage)
  const wanted = yield* decoded(CheckChange, {
    ...(flags.reset ? defaults : {}),
    ...adjustmentsOf(flags),
    ...(flags.enable ? { enabled: true } : flags.disable ? { enabled: false } : {}),
    ...(Option.isSome(flags.group) ? { group: flags.group.value } : {})
  })
  const row = yield* changing(Effect.flatMap(meant(flags.check), ({ id }) => CheckChanges.change(id, wanted, operator)))
  yield* print(flags.json, yield* shown(row), lines)
})

export const remove = Effect.fnUntraced(function* (flags: { readonly check: string; readonly json: boolean }) {
  const row = yield* changing(
    Effect.gen(function* () {
      const found = yield* meant(flags.check)
      yield* CheckChanges.remove(found.id, operator)
      return found
    })
  )
  yield* print(flags.json, { id: row.id, removed: true }, () => [`Removed ${row.key}.`])
})
