/**
 * What is shown, in memory: renewed when something changed, kept while Postgres is away. Three loops: one reads the
 * database, one renews what is shown from what is known, and one writes the files; none waits for another, so that a
 * database or a disk that hangs delays nobody.
 */
import { Clock, Context, Duration, Effect, Latch, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { Checking, checking } from "../checks/Exports.ts"
import { type PublicationConfig, publicationSettings } from "./Settings.ts"
import { StatusFiles, statusFiles } from "../status-files/Exports.ts"
import { type Snapshot, topic } from "../status/Model.ts"
import { baseOf } from "../status/PageAddress.ts"
import { assemble, type StoredData, nextBoundary, noStoredData } from "./Assemble.ts"
import { read } from "./Store.ts"
import * as Shelf from "./Shelf.ts"
import * as WrittenFiles from "./WrittenFiles.ts"

/** Between two readings that nobody rang for. Unit: seconds. Reason: a ring that was lost costs no more than this. */
const readEvery = 3
/** How long a reading may take. Unit: seconds. */
const patience = 3
/** Between two looks at what this process knows by itself. Unit: milliseconds. */
const lookEvery = 500
/**
 * The longest that what is shown bears an old time. Unit: milliseconds. Reason: readers see that the page lives, and a
 * day's end shows.
 */
const renewEvery = 60_000
/** Least time between two renewals. Unit: milliseconds. Reason: a storm of changes is no storm of compressions. */
const restEvery = 100
/**
 * From this age on it is told that what the database knows is old. Unit: milliseconds. Reason: three readings failed.
 */
const oldAfter = 10_000
/** How many checks may be missed before a component counts as not looked at. Unit: checks. */
const missedChecks = 3

export class Publication extends Context.Service<
  Publication,
  {
    readonly current: () => Snapshot
    /** The answers made of it. */
    readonly shelf: () => Shelf.Shelf
    readonly health: () => HealthComponent
    /** Renews it. In every process. */
    readonly actor: ActorSpec
  }
>()("signalbox/status-checker/Publication") {}

/** Filled before it is built: nobody is shown an empty page because we have just started. */
export const layer = (
  config: PublicationConfig
): Layer.Layer<Publication, never, SqlClient.SqlClient | Wake | StatusFiles | Checking> =>
  Layer.effect(
    Publication,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* StatusFiles
      const checks = yield* Checking
      const wake = yield* Wake
      const site = {
        base: baseOf(config),
        subscribable: config.smtpHost !== undefined && config.mailFrom !== undefined
      }
      let known: StoredData = noStoredData
      /** By a clock that nobody sets. */
      let readAt: number | undefined
      let readFailure: string | undefined
      let writeFailure: string | undefined
      const changed = Latch.makeUnsafe(false)
      const renewed = Latch.makeUnsafe(true)

      const reading = answerWithin(
        Effect.provideService(read, SqlClient.SqlClient, sql),
        Duration.seconds(patience),
        () => Effect.fail({ message: `no answer within ${patience} s` })
      ).pipe(
        Effect.match({
          onFailure: ({ message }) => {
            readFailure = message
          },
          onSuccess: (found) => {
            const isNew = JSON.stringify(found) !== JSON.stringify(known)
            known = found
            readAt = performance.now()
            readFailure = undefined
            if (isNew) Latch.openUnsafe(changed)
          }
        })
      )

      let seen = ""
      let boundary = Number.POSITIVE_INFINITY
      let renewedAt = Number.NEGATIVE_INFINITY
      /** What this process knows by itself, in a few words. */
      const ownKnowledge = () =>
        JSON.stringify([
          files.revision(),
          Array.from(checks.latest().values(), ({ checked_at, component_id, status }) => [
            component_id,
            status,
            checked_at
          ])
        ])

      const make = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        seen = ownKnowledge()
        boundary = nextBoundary(known, now)
        renewedAt = now
        const snapshot = assemble(
          {
            components: files.components(),
            incidents: files.incidents(),
            known,
            latest: checks.latest(),
            freshFor: missedChecks * 1_000 * config.checkInterval
          },
          now
        )
        return yield* Effect.promise(() => Shelf.make(snapshot, site))
      })

      yield* reading
      Latch.closeUnsafe(changed)
      let shelf = yield* make

      const reads: Effect.Effect<never, never, Scope.Scope> = Effect.gen(function* () {
        const wakeup = yield* wake.subscribe(topic)
        while (true) {
          yield* reading
          yield* wakeup.wait(Duration.seconds(readEvery))
        }
      })

      const renewals = Effect.gen(function* () {
        const actor = yield* Actor
        yield* Effect.acquireRelease(
          Effect.sync(() => files.onChange(() => Latch.openUnsafe(changed))),
          (end) => Effect.sync(end)
        )
        while (true) {
          yield* actor.progress
          const rang = yield* Effect.timeoutOption(changed.await, Duration.millis(lookEvery))
          const now = yield* Clock.currentTimeMillis
          // A clock that was set back is no reason to stand still.
          const isDue =
            rang._tag === "Some" ||
            now >= boundary ||
            Math.abs(now - renewedAt) >= renewEvery ||
            ownKnowledge() !== seen
          if (!isDue) continue
          Latch.closeUnsafe(changed)
          shelf = yield* make
          Latch.openUnsafe(renewed)
          yield* Effect.sleep(Duration.millis(restEvery))
        }
      })

      const writes =
        config.pageDirectory === undefined
          ? Effect.void
          : Effect.gen(function* () {
              const target = WrittenFiles.make(config.pageDirectory!)
              while (true) {
                yield* renewed.await
                Latch.closeUnsafe(renewed)
                yield* Effect.tryPromise(() => target.write(shelf)).pipe(
                  Effect.matchEffect({
                    onFailure: ({ cause }) => {
                      const failure = cause instanceof Error ? cause.message : String(cause)
                      const isNews = writeFailure === undefined
                      writeFailure = failure
                      return isNews ? Effect.logWarning(`the page cannot be written as files: ${failure}`) : Effect.void
                    },
                    onSuccess: () =>
                      Effect.sync(() => {
                        writeFailure = undefined
                      })
                  })
                )
              }
            })

      const health = (): HealthComponent => {
        const age = readAt === undefined ? undefined : performance.now() - readAt
        const problems = [
          ...(age === undefined ? [`nothing is known of the past: ${readFailure ?? "not read yet"}`] : []),
          ...(age !== undefined && age > oldAfter
            ? [
                `days and incidents are as they were ${Math.round(age / 1_000)} s ago: ${readFailure ?? "not read again"}`
              ]
            : []),
          ...(writeFailure === undefined ? [] : [`the page cannot be written as files: ${writeFailure}`])
        ]
        return {
          status: problems.length === 0 ? "ok" : "degraded",
          ...(problems.length === 0 ? {} : { detail: problems.join("; ") }),
          age_s: age === undefined ? null : Math.round(age / 1_000),
          shown_at: shelf.snapshot.at
        }
      }

      return Publication.of({
        current: () => shelf.snapshot,
        shelf: () => shelf,
        health,
        actor: {
          name: "publication",
          run: Effect.all([reads, renewals, writes], { concurrency: "unbounded", discard: true })
        }
      })
    })
  )

/** The publication as the settings say; one instance for all handlers and the lane. */
export const publication = Layer.unwrap(Effect.map(settings(publicationSettings), (config) => layer(config))).pipe(
  Layer.provide([checking, statusFiles])
)
