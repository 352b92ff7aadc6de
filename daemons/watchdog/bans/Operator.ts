/** Implementation of `signalbox ban`. Uses the database, and CrowdSec for its bans; no daemon needs to run. */
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { print, table } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import { normalised } from "#core/gateway/BanList.ts"
import * as Audit from "#core/log/Audit.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { watchdog } from "../Daemon.ts"
import * as AlertStore from "./AlertStore.ts"
import * as Changes from "./Changes.ts"
import * as CrowdSecClient from "./CrowdSecClient.ts"
import * as CrowdSecState from "./CrowdSecState.ts"
import { staleAfter } from "./CrowdSecSync.ts"
import * as DecisionStore from "./DecisionStore.ts"
import { parseSeconds } from "./DurationText.ts"
import * as ExemptionStore from "./ExemptionStore.ts"
import { type alertKinds, maxBan, maxExemption, maxReason, minDuration } from "./Fields.ts"
import { hostAddresses } from "./HostAddresses.ts"
import { banSettings } from "./Settings.ts"
import { summary as counts } from "./Summary.ts"

const author: Changes.Author = { actor: Audit.operator, address: undefined }

const services = Layer.merge(Events.layer, CrowdSecClient.layer).pipe(
  Layer.provideMerge(Incarnation.layer(["operator"])),
  Layer.provideMerge(Wake.layer)
)

/** Uses the tables of the daemon, and may emit events. */
const withBans = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(watchdog.migrations), Effect.provide(use, services))).pipe(
    Effect.mapError(told)
  )

/** A refusal of the API as a sentence for the operator; other errors unchanged. */
const told = <E>(error: E) => {
  const { detail, errors, title } = error as {
    readonly title?: unknown
    readonly detail?: string
    readonly errors?: ReadonlyArray<{ readonly message: string }>
  }
  if (typeof title !== "string") return error
  return fail(
    errors === undefined ? (detail ?? title) : `The address ${errors.map(({ message }) => message).join("; ")}.`
  )
}

const state = Effect.gen(function* () {
  const { crowdsecInterval, crowdsecUrl } = yield* settings(banSettings)
  const known = crowdsecUrl === undefined ? undefined : yield* CrowdSecState.read
  return CrowdSecState.shown(known, Date.now(), staleAfter(crowdsecInterval))
})

/** A line about CrowdSec when its list may be old. */
const note = ({ as_of, problem, state }: ReturnType<typeof CrowdSecState.shown>): ReadonlyArray<string> =>
  state === "away" ? [`CrowdSec is away (${problem}); its bans are those of ${as_of ?? "never"}.`] : []

interface Filters {
  readonly address: Option.Option<string>
  readonly source: Option.Option<DecisionStore.SourceName>
  readonly rule: Option.Option<string>
}

const filterOf = Effect.fnUntraced(function* ({ address, rule, source }: Filters) {
  if (Option.isSome(address)) yield* range(address.value)
  return {
    address: Option.getOrUndefined(Option.map(address, (text) => normalised(text)!)),
    source: Option.getOrUndefined(source),
    rule: Option.getOrUndefined(rule)
  }
})

/** Canonical form of an address or range. */
const range = (text: string) => {
  const found = normalised(text)
  return found === undefined ? fail(`${text} is neither an address nor a range.`, exitUsage) : Effect.succeed(found)
}

/** Seconds of a duration that the flags have checked, within bounds. */
const secondsOf = (text: string, longest: number) => {
  const seconds = parseSeconds(text) ?? 0
  return seconds < minDuration || seconds > longest
    ? fail(`At most ${longest / 86_400} days are allowed.`, exitUsage)
    : Effect.succeed(seconds)
}

const checkedReason = (text: string) =>
  text.trim() === "" || text.length > maxReason || /\p{Cc}/u.test(text)
    ? fail(`The reason is a text of 1 to ${maxReason} characters without line breaks.`, exitUsage)
    : Effect.succeed(text)

type ListFlags = Filters & { readonly limit: number; readonly json: boolean }

export const list = Effect.fnUntraced(function* ({ json, limit, ...filters }: ListFlags) {
  const filter = yield* filterOf(filters)
  const { known, rows } = yield* withBans(
    Effect.gen(function* () {
      const known = yield* state
      return { known, rows: yield* DecisionStore.list(filter, known.state !== "unconfigured", undefined, limit) }
    })
  )
  const views = rows.map((row) => DecisionStore.view(row, known.state === "away"))
  yield* print(json, { items: views, crowdsec: known }, ({ items }) => [
    ...note(known),
    ...table("No active bans.", [
      ["ID", "SOURCE", "ADDRESS", "RULE", "UNTIL", "EXEMPT UNTIL", "REASON"],
      ...items.map(({ address, exempted_until, id, reason, rule, source, until }) => [
        String(id),
        source,
        address,
        rule,
        minute(new Date(until)),
        exempted_until === null ? "" : minute(new Date(exempted_until)),
        reason ?? ""
      ])
    ])
  ])
})

interface AddFlags {
  readonly address: string
  readonly reason: string
  readonly length: string
  readonly json: boolean
}

export const add = Effect.fnUntraced(function* ({ address, json, length, reason }: AddFlags) {
  yield* range(address)
  const own = hostAddresses()
  const request = { address, seconds: yield* secondsOf(length, maxBan), reason: yield* checkedReason(reason) }
  const row = yield* withBans(
    Effect.flatMap(settings(banSettings), ({ trustedProxies }) =>
      transaction(Changes.ban(request, author, { own, trusted: trustedProxies }))
    )
  )
  yield* print(json, DecisionStore.view(row, false), (view) => [
    `${view.address} is banned until ${minute(row.until)} (id ${view.id}).`
  ])
})

interface LiftFlags {
  readonly ban: string
  readonly exempt: string
  readonly reason: Option.Option<string>
  readonly json: boolean
}

/** Id of the ban that the operator names by id or address. */
const idOf = Effect.fnUntraced(function* (text: string) {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const [found] = yield* DecisionStore.ofAddress(yield* range(text))
  return found === undefined ? yield* fail(`${text} is not banned.`) : found.id
})

export const lift = Effect.fnUntraced(function* ({ ban, exempt, json, reason }: LiftFlags) {
  const exemptSeconds = exempt === "0" ? 0 : yield* secondsOf(exempt, maxExemption)
  const why = Option.isSome(reason) ? yield* checkedReason(reason.value) : undefined
  const lifted = yield* withBans(
    Effect.flatMap(idOf(ban), (id) => Changes.lift({ id, exemptSeconds, reason: why }, author))
  )
  yield* print(json, lifted, ({ address, exemption, lifted }) => [
    `${lifted} ${lifted === 1 ? "ban" : "bans"} of ${address} lifted.`,
    ...(exemption === null ? [] : [`The address is exempt from bans until ${minute(new Date(exemption.until))}.`])
  ])
})

interface ExemptFlags {
  readonly address: string
  readonly reason: Option.Option<string>
  readonly length: string
  readonly end: boolean
  readonly json: boolean
}

export const exempt = Effect.fnUntraced(function* ({ address, end, json, length, reason }: ExemptFlags) {
  const wanted = yield* range(address)
  if (end) {
    yield* withBans(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ id: number }>`select id from watchdog.exemption
          where address = ${wanted}::cidr and until > now()`
        if (row === undefined) return yield* fail(`${address} is not exempt.`)
        yield* transaction(Changes.endExemption(row.id, author))
      })
    )
    return yield* print(json, { address, exempt: false }, () => [`${address} is not exempt any more.`])
  }
  if (Option.isNone(reason)) return yield* fail("An exemption needs --reason.", exitUsage)
  const request = {
    address,
    seconds: yield* secondsOf(length, maxExemption),
    reason: yield* checkedReason(reason.value)
  }
  const row = yield* withBans(transaction(Changes.exempt(request, author)))
  yield* print(json, ExemptionStore.view(row), (view) => [
    `${view.address} is exempt from bans until ${minute(row.until)}.`
  ])
})

export const exemptions = Effect.fnUntraced(function* ({ json, limit }: Pick<ListFlags, "limit" | "json">) {
  const rows = yield* withBans(ExemptionStore.list(undefined, limit))
  yield* print(json, rows.map(ExemptionStore.view), (views) =>
    table("No exemptions.", [
      ["ID", "ADDRESS", "UNTIL", "BY", "REASON"],
      ...views.map(({ address, created_by, id, reason, until }) => [
        String(id),
        address,
        minute(new Date(until)),
        created_by,
        reason ?? ""
      ])
    ])
  )
})

type AlertFlags = ListFlags & { readonly kind: Option.Option<(typeof alertKinds)[number]> }

export const alerts = Effect.fnUntraced(function* ({ json, kind, limit, ...filters }: AlertFlags) {
  const filter = { ...(yield* filterOf(filters)), kind: Option.getOrUndefined(kind) }
  const rows = yield* withBans(
    Effect.flatMap(state, (known) => AlertStore.list(filter, known.state !== "unconfigured", undefined, limit))
  )
  yield* print(json, rows.map(AlertStore.view), (views) =>
    table("No offences.", [
      ["AT", "KIND", "SOURCE", "ADDRESS", "RULE", "REASON"],
      ...views.map(({ address, at, kind, reason, rule, source }) => [
        minute(new Date(at)),
        kind,
        source,
        address,
        rule,
        reason ?? ""
      ])
    ])
  )
})

export const summary = Effect.fnUntraced(function* ({ days, json }: { readonly days: number; readonly json: boolean }) {
  const found = yield* withBans(
    Effect.gen(function* () {
      const crowdsec = yield* state
      return { crowdsec, ...(yield* counts(days, crowdsec.state !== "unconfigured")) }
    })
  )
  yield* print(json, found, ({ active, by_rule, crowdsec, exemptions, offences, top_addresses }) => [
    ...note(crowdsec),
    `Active bans: ${active.own} of our own, ${active.crowdsec} of CrowdSec. Exemptions: ${exemptions}.`,
    `Offences in ${days} days: ${offences.own} of our own, ${offences.crowdsec} of CrowdSec.`,
    ...table("No offences by rule.", [
      ["RULE", "SOURCE", "ACTIVE", "OFFENCES"],
      ...by_rule.map(({ active, offences, rule, source }) => [rule, source, String(active), String(offences)])
    ]),
    ...table("No offences by address.", [
      ["ADDRESS", "OFFENCES", "LAST", "BANNED"],
      ...top_addresses.map(({ address, banned, last_at, offences }) => [
        address,
        String(offences),
        minute(new Date(last_at)),
        banned ? "yes" : "no"
      ])
    ])
  ])
})
