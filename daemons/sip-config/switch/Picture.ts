/**
 * The telephony in memory, as the switch is answered from it: a projection of all tables of it. Kept compared also while nobody asks, so
 * that what was known last, when Postgres goes away, is seconds old and not hours.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import * as Projection from "#core/lane/Projection.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import type { Wake } from "#core/events/Wake.ts"
import { dataTopic } from "../data/DataTopic.ts"
import * as Gone from "../data/Gone.ts"
import type { Kind } from "../routing/Rows.ts"
import * as Telephony from "../routing/Telephony.ts"
import { type LastKnown, make as lastKnown } from "./LastKnown.ts"
import type { Standing } from "./SwitchAnswer.ts"

/** Between two comparisons that nobody asked for. Unit: seconds. */
const every = Duration.seconds(5)

/** Between two removals of old notes of deletions. Unit: milliseconds, an hour. */
const pruneEvery = 3_600_000

/** How long a comparison may take. Unit: milliseconds. Reason: 100,000 numbers that are read at once take two seconds on a busy machine. */
const longest = 20_000

/** What is read of each table. */
const columns: Readonly<Record<Kind, string>> = {
  sip_domain: "domain",
  extension: "domain_id, extension, name, password, enabled",
  trunk:
    "name, host, port, transport, username, password, register, realm, caller_id, networks::text[] as networks, enabled",
  ivr_menu: "domain_id, name, greeting, timeout, max_failures, entries",
  voicemail_box: "domain_id, box, name, pin, email, enabled",
  external_number: "number",
  ring_group: "domain_id, number, name, strategy, ring_timeout, extensions",
  did: "number, trunk_id, destination_type, destination_id",
  line: "extension_id, did_id, trunk_id, priority",
  call_filter: "name, type, pattern, enabled"
}

export class Picture extends Context.Service<
  Picture,
  Projection.Projection & {
    readonly telephony: Telephony.Telephony
    readonly last: LastKnown
    /** What may be said from it by now. */
    readonly standing: () => Standing
    readonly actor: ActorSpec<never>
    /** For `/health`. */
    readonly component: () => Component
  }
>()("signalbox/sip-config/Picture") {}

/** `staleFor`: how long it answers without having been compared. Unit: seconds. */
export const layer = (staleFor: number): Layer.Layer<Picture, never, SqlClient.SqlClient | Wake> =>
  Layer.effect(
    Picture,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const telephony = Telephony.make()
      const source = <K extends Kind>(kind: K): Projection.Source<any> => ({
        changed: (since): Statement.Fragment =>
          sql`select id, tenant_id, xid::text as xid, ${sql.literal(columns[kind])} from ${sql(`sip_config.${kind}`)} where ${Projection.after(sql, since)}`,
        apply: (rows) => {
          for (const row of rows) telephony.put(kind, row)
        }
      })
      const projection = yield* Projection.make({
        name: "the telephony",
        topic: dataTopic,
        longest,
        sources: {
          ...Object.fromEntries(Telephony.kinds.map((kind) => [kind, source(kind)])),
          gone: {
            // Before the first comparison there is nothing that could be gone.
            changed: (since) =>
              sql`select kind, row_id from sip_config.gone where ${since === undefined ? sql`false` : Projection.after(sql, since)}`,
            apply: (rows: ReadonlyArray<{ readonly kind: Kind; readonly row_id: number }>) => {
              for (const { kind, row_id: id } of rows) if (kind in columns) telephony.remove(kind, id)
            }
          }
        }
      })
      const last = lastKnown(projection)
      const standing = (): Standing => {
        const age = projection.age()
        return age <= staleFor * 1000 ? "known" : Number.isFinite(age) ? "old" : "never"
      }
      const component = (): Component => {
        const age = projection.age()
        const known = {
          domains: telephony.size("sip_domain"),
          extensions: telephony.size("extension"),
          numbers: telephony.size("did"),
          compared_ms_ago: Number.isFinite(age) ? Math.round(age) : null
        }
        if (!last.isAway()) return { status: "ok", ...known }
        return standing() !== "known"
          ? {
              status: "down",
              detail: `not compared with the database for more than ${staleFor} s: nobody can register, calls are refused with 503`,
              ...known
            }
          : {
              status: "degraded",
              detail: "the database does not answer: the switch is told what was known last",
              ...known
            }
      }
      return Picture.of({
        ...projection,
        telephony,
        last,
        standing,
        component,
        actor: {
          name: "switch picture",
          run: Effect.gen(function* () {
            const actor = yield* Actor
            let prunedAt = 0
            while (true) {
              const known = yield* Effect.promise(last.soon)
              yield* actor.progress
              if (known === "fresh" && Date.now() - prunedAt > pruneEvery) {
                yield* Effect.provideService(Gone.prune, SqlClient.SqlClient, sql)
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
        }
      })
    })
  )
