/** Checks one domain on request: asks all its name servers and stores the result before it answers. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DomainChanged } from "#core/contracts/Domains.ts"
import type { Database } from "#core/sql/Database.ts"
import { Events } from "#core/events/Events.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { source } from "../domain-store/Domains.ts"
import { questionsOf } from "./decide/Questions.ts"
import type { Observation } from "./observe/Observation.ts"
import { Observer } from "./observe/Observer.ts"
import { record, type Settings, system } from "./sweep/DomainLook.ts"
import * as DueRows from "./sweep/DueRows.ts"

/**
 * Checks at once in one process. Unit: domains. Reason: each check asks every server of its domain while a user waits.
 */
const atOnce = 16

export class Verification extends Context.Service<
  Verification,
  {
    /**
     * Deep check of a domain. An unverified domain is `pending_verification` meanwhile; a verified one stays
     * `verified`. The check continues when the caller goes away, and concurrent callers share its result. `actor`: as
     * in the audit log. Undefined: no such domain.
     */
    readonly verify: (domainId: number, actor?: string) => Effect.Effect<Observation | undefined, SqlError.SqlError>
    /** Checks without setting `pending_verification` first: after a write to the zone, or for a new domain. */
    readonly look: (domainId: number, actor?: string) => Effect.Effect<Observation | undefined, SqlError.SqlError>
  }
>()("signalbox/dns-verifier/Verification") {}

type Needs = Observer | SqlClient.SqlClient | PgClient.PgClient | Events | Jobs | Database

export const layer = (settings: Settings): Layer.Layer<Verification, never, Needs> =>
  Layer.effect(
    Verification,
    Effect.gen(function* () {
      const { observe } = yield* Observer
      const context = yield* Effect.context<Needs>()
      const scope = yield* Effect.scope
      const places = Semaphore.makeUnsafe(atOnce)
      const running = new Map<number, Deferred.Deferred<Observation | undefined, SqlError.SqlError>>()

      const look = Effect.fnUntraced(function* (id: number, actor: string) {
        const row = yield* DueRows.domain(id, false)
        if (row === undefined) return undefined
        const observation = yield* observe(row.name, questionsOf(row.records), "deep")
        yield* record(id, observation, settings, actor)
        return observation
      })

      const alone = (id: number, run: Effect.Effect<Observation | undefined, SqlError.SqlError, Needs>) =>
        Effect.uninterruptibleMask((restore) => {
          // Uninterruptible until the check is forked: otherwise the entry could stay without a check.
          const known = running.get(id)
          if (known !== undefined) return restore(Deferred.await(known))
          const answer = Deferred.makeUnsafe<Observation | undefined, SqlError.SqlError>()
          running.set(id, answer)
          const whole = places.withPermit(run).pipe(
            Effect.provideContext(context),
            Effect.onExit((exit) =>
              Effect.sync(() => {
                running.delete(id)
                Deferred.doneUnsafe(answer, exit)
              })
            )
          )
          return Effect.andThen(Effect.forkIn(whole, scope), restore(Deferred.await(answer)))
        })

      return Verification.of({
        look: (id, actor = system) => alone(id, look(id, actor)),
        verify: (id, actor = system) => alone(id, Effect.andThen(begun(id), look(id, actor)))
      })
    })
  )

/**
 * Sets `pending_verification`. If the process dies now, the next check of the sweep ends that state (decide/Decide).
 */
const begun = (id: number) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const [row] = yield* sql<{
        tenant_id: number
        customer_id: number
        name: string
        status: "pending" | "active"
        version: number
        proven: boolean
      }>`update dns_verifier.domain
      set dns_status = 'pending_verification', version = nextval('dns_verifier.domain_version'), updated_at = now()
      where id = ${id} and dns_status not in ('verified', 'pending_verification')
      returning tenant_id, customer_id, name, status, version, proven`
      if (row?.proven !== true) return
      const { proven: _, ...domain } = row
      yield* events.emit(
        DomainChanged,
        source,
        { domain_id: id, ...domain, dns_status: "pending_verification", state: "active" },
        { tenantId: domain.tenant_id }
      )
    })
  )
