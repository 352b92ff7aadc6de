/**
 * Projection of all telephony tables; the switch's requests are answered from it. An actor also compares it with
 * Postgres while there are no requests, so the last known state is only seconds old when Postgres goes away.
 */
import { settings } from "#core/config/Environment.ts"
import { routingSettings } from "./RoutingSettings.ts"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type Component, Health, healthSentence } from "#core/daemon/Health.ts"
import * as Projection from "#core/lane/Projection.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import type { Wake } from "#core/events/Wake.ts"
import { dataTopic, Gone } from "../directory/Exports.ts"
import type { Kind, Rows } from "./Rows.ts"
import * as Telephony from "./Telephony.ts"
import { type LastKnown, make as lastKnown } from "./LastKnown.ts"

/** Interval of comparisons without requests. */
const every = Duration.seconds(5)

/** Interval of deleting old deletion notes. Unit: milliseconds (an hour). */
const pruneEvery = 3_600_000

/** Longest comparison. Unit: milliseconds. Reason: reading 100,000 numbers takes two seconds on a busy machine. */
const longest = 20_000

/**
 * Columns read from each table. `served` false: the tenant has not proven the SIP domain, or the number is not assigned
 * to it, so the switch does not see the row.
 */
const columns: Readonly<Record<Kind, string>> = {
  sip_domain: "domain, proven as served",
  extension: "domain_id, extension, name, password, enabled",
  trunk:
    "name, host, port, transport, username, password, register, realm, caller_id, " +
    "networks::text[] as networks, confirmed::text[] as confirmed, enabled",
  ivr_menu: "domain_id, name, greeting, timeout, max_failures, entries",
  voicemail_box: "domain_id, box, name, pin, email, enabled",
  external_number: "number",
  ring_group: "domain_id, number, name, strategy, ring_timeout, extensions",
  did: "number, trunk_id, destination_type, destination_id, assigned as served",
  line: "extension_id, did_id, trunk_id, priority",
  call_filter: "name, type, pattern, enabled"
}

/**
 * `known`: recent enough to answer from. `old`: too old. `never`: not read yet. In the last two states no phone can
 * register and no call is routed.
 */
export type Freshness = "known" | "old" | "never"

export class TelephonyProjection extends Context.Service<
  TelephonyProjection,
  Projection.Projection & {
    readonly telephony: Telephony.Telephony
    readonly last: LastKnown
    readonly freshness: () => Freshness
  }
>()("signalbox/sip-config/TelephonyProjection") {}

/** Layer of the projection. `staleFor`: longest use without a comparison. Unit: seconds. */
export const layer = (staleFor: number): Layer.Layer<TelephonyProjection, never, SqlClient.SqlClient | Wake> =>
  Layer.effect(
    TelephonyProjection,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const telephony = Telephony.make()
      const source = <K extends Kind>(kind: K): Projection.Source<Rows[K] & { readonly served?: boolean }> => ({
        changed: (since): Statement.Fragment =>
          sql`select id, tenant_id, xid::text as xid, ${sql.literal(columns[kind])} from ${sql(`sip_config.${kind}`)}
            where ${Projection.after(sql, since)}`,
        apply: (rows) => {
          for (const row of rows) {
            if (row.served === false) telephony.remove(kind, row.id)
            else telephony.put(kind, row)
          }
        }
      })
      const projection = yield* Projection.make({
        name: "the telephony",
        topic: dataTopic,
        longest,
        sources: {
          ...Object.fromEntries(Telephony.kinds.map((kind) => [kind, source(kind)])),
          gone: {
            // Before the first comparison the memory is empty, so no deletions are needed.
            changed: (since) =>
              sql`select kind, row_id from sip_config.gone
                where ${since === undefined ? sql`false` : Projection.after(sql, since)}`,
            apply: (rows: ReadonlyArray<{ readonly kind: Kind; readonly row_id: number }>) => {
              for (const { kind, row_id: id } of rows) if (kind in columns) telephony.remove(kind, id)
            }
          }
        }
      })
      const last = lastKnown(projection)
      const freshness = (): Freshness => {
        const age = projection.age()
        return age <= staleFor * 1000 ? "known" : Number.isFinite(age) ? "old" : "never"
      }
      return TelephonyProjection.of({ ...projection, telephony, last, freshness })
    })
  )

/** Keeps the projection up to date without requests, and shows its age in `/health`. */
export const upkeep = (staleFor: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const projection = yield* TelephonyProjection
      yield* Health.component(
        "switch_picture",
        Effect.sync(() => component(projection, staleFor))
      )
      yield* Supervisor.actor({ name: "switch picture", run: compareOften(projection) })
    })
  )

const component = (projection: TelephonyProjection["Service"], staleFor: number): Component => {
  const { freshness, last, telephony } = projection
  const age = projection.age()
  const known = {
    domains: telephony.size("sip_domain"),
    extensions: telephony.size("extension"),
    numbers: telephony.size("did"),
    compared_ms_ago: Number.isFinite(age) ? Math.round(age) : null
  }
  if (!last.isAway()) return { status: "ok", ...known }
  if (freshness() === "known") {
    const detail = healthSentence("the database does not answer: the switch gets the last known data")
    return { status: "degraded", detail, ...known }
  }
  const detail = healthSentence(
    `not compared with the database for more than ${staleFor} s: registrations fail, calls are refused with 503`
  )
  return { status: "down", detail, ...known }
}

const compareOften = ({ last, telephony }: TelephonyProjection["Service"]) =>
  Effect.gen(function* () {
    const actor = yield* Actor
    let prunedAt = 0
    while (true) {
      const known = yield* Effect.promise(last.soon)
      yield* actor.progress
      if (known === "fresh" && Date.now() - prunedAt > pruneEvery) {
        yield* Gone.prune
        prunedAt = Date.now()
      }
      yield* actor.note(
        known === "fresh"
          ? `${telephony.size("extension")} extensions, ${telephony.size("did")} numbers`
          : "the database does not answer"
      )
      yield* Effect.sleep(every)
    }
  })

/** The projection with its settings: one instance for all features of the daemon. */
export const projected = Layer.unwrap(
  Effect.map(settings(routingSettings), ({ switchStaleFor }) => layer(switchStaleFor))
)
