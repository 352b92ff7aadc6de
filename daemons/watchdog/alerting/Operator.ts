/** Implements `signalbox alert …`: over the database, with or without a running daemon. */
import { Effect, Layer, Option, Result, Schema } from "effect"
import { type CommandFailed, exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { parseLifetime } from "#core/cli/Lifetime.ts"
import { colour, columns, print, table } from "#core/cli/Output.ts"
import { operatorSettings } from "#core/cli/OperatorSettings.ts"
import { fullId } from "#core/cli/ShortId.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { watchdog } from "../Daemon.ts"
import * as AlertList from "./AlertList.ts"
import { alerts } from "./Alerts.ts"
import * as AlertStore from "./AlertStore.ts"
import { AlertRules, NewSilence, SilenceEdit } from "./Api.ts"
import * as Heartbeats from "./Heartbeats.ts"
import { isLate } from "./HeartbeatDecision.ts"
import { alertSettings } from "./Settings.ts"
import * as Silences from "./Silences.ts"
import { targetsOf } from "./Ways.ts"
import type { Severity } from "./Words.ts"

const by = Audit.operator

/** Runs `use` in one short transaction; refusals become messages. */
const withAlerts = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(Migrations.run(watchdog.migrations), transaction(inWords(use))).pipe(
      Effect.provide(
        alerts.pipe(
          Layer.provideMerge(operatorSettings(alertSettings)),
          Layer.provideMerge(Events.layer),
          Layer.provideMerge(Wake.layer)
        )
      )
    )
  )

interface Refusal {
  readonly detail?: string
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

const refusals = new Set(["InvalidRequest", "NotFound", "AlertClosedAlready", "SilenceOver", "TooManySilences"])

const inWords = <A, E, R>(use: Effect.Effect<A, E, R>): Effect.Effect<A, E | CommandFailed, R> =>
  Effect.catch(use, (error): Effect.Effect<never, E | CommandFailed> => {
    if (!refusals.has(String((error as { readonly _tag?: unknown } | undefined)?._tag))) return Effect.fail(error)
    const { detail, errors } = error as Refusal
    const text = errors?.map(({ field, message }) => `${field.replace(/^payload\.?/, "")}: ${message}`).join("; ")
    return fail(text ?? detail ?? "refused")
  })

/** Id of the alert, or of the silence, that the typed text begins. */
const alertId = (typed: string) => fullId("watchdog.alert", "alert", typed)
const silenceId = (typed: string) => fullId("watchdog.silence", "silence", typed)

const decode = <S extends Schema.Codec<unknown, unknown>>(schema: S, typed: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(typed), ({ message }) =>
    fail(message, exitUsage)
  ) as Effect.Effect<S["Type"], ReturnType<typeof fail>>

/** Empty for a time that is still to come. */
const shownAt = (at: string | null): string => (at === null ? "" : minute(at))

const painted = (severity: Severity, isOpen: boolean): string =>
  colour(isOpen ? (severity === "critical" ? "red" : "yellow") : "dim", severity)

interface ListFlags {
  readonly state: Option.Option<"open" | "closed">
  readonly severity: Option.Option<Severity>
  readonly group: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

export const list = Effect.fnUntraced(function* ({ group, json, limit, severity, state }: ListFlags) {
  const filter = {
    state: Option.getOrUndefined(state),
    severity: Option.getOrUndefined(severity),
    group: Option.getOrUndefined(group)
  }
  const found = yield* withAlerts(AlertList.list(filter, undefined, limit))
  yield* print(json, found, () =>
    table("No matching alerts.", [
      ["id", "severity", "opened", "closed", "group", "key", "summary"],
      ...found.map((one) => [
        one.id,
        painted(one.severity, one.state === "open"),
        minute(one.opened_at),
        shownAt(one.closed_at),
        one.group,
        one.key,
        one.summary
      ])
    ])
  )
})

interface OneFlags {
  readonly id: string
  readonly json: boolean
}

export const show = Effect.fnUntraced(function* ({ id, json }: OneFlags) {
  const alert = yield* withAlerts(Effect.flatMap(alertId(id), AlertList.show))
  yield* print(json, alert, () => [
    ...columns([
      ["alert", alert.id],
      ["key", alert.key],
      ["group", alert.group],
      ["severity", painted(alert.severity, alert.state === "open")],
      ["state", `${alert.state}${alert.flapping ? ", flapping" : ""}`],
      ["summary", alert.summary],
      ["opened", minute(alert.opened_at)],
      ...(alert.closed_at === null ? [] : [["closed", `${minute(alert.closed_at)} (${alert.close_reason})`]]),
      ...(alert.silence_id === null ? [] : [["silence", alert.silence_id]]),
      ...(alert.maintenance_id === null ? [] : [["maintenance", alert.maintenance_id]]),
      ...(alert.acknowledged_at === null
        ? []
        : [["acknowledged", `${minute(alert.acknowledged_at)} by ${alert.acknowledged_by} ${alert.note ?? ""}`.trim()]])
    ]),
    ...(alert.detail === null ? [] : ["", ...alert.detail.split("\n")]),
    ...alert.messages.flatMap(({ created_at, deliveries, kind }) => [
      "",
      `${minute(created_at)}  ${kind}`,
      ...columns(deliveries.map(({ problem, state, way }) => ["", way, state, problem ?? ""]))
    ])
  ])
})

export const acknowledge = Effect.fnUntraced(function* ({
  id,
  json,
  note
}: OneFlags & { readonly note: Option.Option<string> }) {
  const alert = yield* withAlerts(
    Effect.flatMap(alertId(id), (whole) => AlertList.acknowledge(whole, Option.getOrUndefined(note), by))
  )
  yield* print(json, alert, () => [`Acknowledged ${alert.key}.`])
})

interface SilenceFlags {
  readonly key: Option.Option<string>
  readonly group: Option.Option<string>
  readonly from: Option.Option<string>
  readonly for: string
  readonly reason: string
  readonly json: boolean
}

/** Milliseconds of `--for`. */
const lengthOf = (text: string) =>
  Result.match(parseLifetime(text), {
    onFailure: (problem) => Effect.fail(fail(`--for: ${problem}`, exitUsage)),
    onSuccess: Effect.succeed
  })

export const silence = Effect.fnUntraced(function* (flags: SilenceFlags) {
  const length = yield* lengthOf(flags.for)
  const start = Option.isNone(flags.from) ? Date.now() : Date.parse(flags.from.value)
  if (Number.isNaN(start)) return yield* fail("--from: must be a time such as 2030-01-31T22:00:00+01:00", exitUsage)
  const wanted = yield* decode(NewSilence, {
    ...(Option.isNone(flags.key) ? {} : { key_pattern: flags.key.value }),
    ...(Option.isNone(flags.group) ? {} : { group_pattern: flags.group.value }),
    ...(Option.isNone(flags.from) ? {} : { starts_at: new Date(start).toISOString() }),
    reason: flags.reason,
    ends_at: new Date(start + length).toISOString()
  })
  const made = yield* withAlerts(Silences.create(wanted, by))
  yield* print(flags.json, made, () => [
    `Silenced until ${minute(made.ends_at)}: ${made.alerts} open alerts match. Id: ${made.id}`
  ])
})

interface ChangeSilenceFlags {
  readonly id: string
  readonly key: Option.Option<string>
  readonly group: Option.Option<string>
  readonly for: Option.Option<string>
  readonly reason: Option.Option<string>
  readonly json: boolean
}

export const changeSilence = Effect.fnUntraced(function* (flags: ChangeSilenceFlags) {
  const pattern = (name: string, given: Option.Option<string>) =>
    Option.isNone(given) ? {} : { [name]: given.value === "" ? null : given.value }
  const changes = {
    ...pattern("key_pattern", flags.key),
    ...pattern("group_pattern", flags.group),
    ...(Option.isNone(flags.reason) ? {} : { reason: flags.reason.value }),
    ...(Option.isNone(flags.for)
      ? {}
      : { ends_at: new Date(Date.now() + (yield* lengthOf(flags.for.value))).toISOString() })
  }
  if (Object.keys(changes).length === 0)
    return yield* fail("Give one of --key, --group, --for and --reason.", exitUsage)
  const wanted = yield* decode(SilenceEdit, changes)
  const changed = yield* withAlerts(Effect.flatMap(silenceId(flags.id), (whole) => Silences.edit(whole, wanted, by)))
  yield* print(flags.json, changed, () => [
    `Silenced until ${minute(changed.ends_at)}: ${changed.alerts} open alerts match. Id: ${changed.id}`
  ])
})

export const unsilence = Effect.fnUntraced(function* ({ id, json }: OneFlags) {
  yield* withAlerts(Effect.flatMap(silenceId(id), (whole) => Silences.end(whole, by)))
  yield* print(json, { id, ended: true }, () => [`Ended ${id}.`])
})

export const silences = Effect.fnUntraced(function* ({
  json,
  limit,
  state
}: {
  readonly state: Option.Option<"planned" | "active" | "over">
  readonly limit: number
  readonly json: boolean
}) {
  const found = yield* withAlerts(Silences.list(Option.getOrUndefined(state), undefined, limit))
  yield* print(json, found, () =>
    table("No silences.", [
      ["id", "state", "key", "group", "ends", "by", "reason"],
      ...found.map((one) => [
        one.id,
        one.state,
        one.key_pattern ?? "*",
        one.group_pattern ?? "*",
        minute(one.ends_at),
        one.created_by,
        one.reason
      ])
    ])
  )
})

export const test = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const message = yield* withAlerts(
    Effect.flatMap(liveSettings(alertSettings), (config) => AlertList.sendTest(targetsOf(config), by))
  )
  yield* print(json, message, () => [
    `The daemon sends a test by ${message.deliveries.map(({ way }) => way).join(", ")}. Message: ${message.id}`
  ])
})

export const rules = Effect.fnUntraced(function* ({
  json,
  set
}: {
  readonly set: Option.Option<string>
  readonly json: boolean
}) {
  const changes = Option.isNone(set) ? undefined : yield* decode(Schema.fromJsonString(Schema.Json), set.value)
  const found = yield* withAlerts(
    Effect.gen(function* () {
      const before = yield* AlertStore.rules
      if (changes === undefined) return before
      if (typeof changes !== "object" || changes === null) return yield* fail("--set: must be an object", exitUsage)
      return yield* AlertList.setRules(yield* decode(AlertRules, { ...before, ...changes }), by)
    })
  )
  yield* print(json, found, () =>
    columns(
      Object.entries(found).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)])
    )
  )
})

export const heartbeats = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const found = yield* withAlerts(Heartbeats.all)
  const now = Date.now()
  const shown = found.map((one) => ({
    name: one.name,
    state: isLate(one, now) ? "late" : "alive",
    last_at: new Date(one.lastAt).toISOString(),
    timeout_s: one.timeoutS
  }))
  yield* print(json, shown, () =>
    table("No heartbeats of other hosts.", [
      ["host", "state", "last", "timeout"],
      ...shown.map((one) => [one.name, one.state, minute(one.last_at), `${one.timeout_s} s`])
    ])
  )
})

export const forget = Effect.fnUntraced(function* ({ json, name }: { readonly name: string; readonly json: boolean }) {
  yield* withAlerts(Heartbeats.forget(name))
  yield* print(json, { name, forgotten: true }, () => [`No heartbeat of ${name} is expected any more.`])
})
