/**
 * Current content of the page in memory, kept while Postgres is away. Independent loops read the database, follow
 * settings, renew the snapshot and write the files, so a hanging database or disk does not delay the others.
 */
import { Clock, Context, Duration, Effect, Latch, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import { type Component as HealthComponent, healthSentence } from "#core/daemon/Health.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { untilValuesChange, valuesVersion } from "#core/settings/ValueChanges.ts"
import { onTextChange } from "#core/words/TextMemory.ts"
import { Checking, checking } from "../checks/Exports.ts"
import { type PublicationConfig, publicationSettings } from "./Settings.ts"
import { StatusFiles, statusFiles } from "../status-files/Exports.ts"
import { type Snapshot, topic } from "../status/Model.ts"
import { baseOf } from "../status/Settings.ts"
import { freshFor } from "./Staleness.ts"
import { assemble, type StoredData, nextBoundary, noStoredData } from "./Assemble.ts"
import { read } from "./Store.ts"
import * as Shelf from "./Shelf.ts"
import * as WrittenFiles from "./WrittenFiles.ts"

/** Interval at which the database is asked without a wake-up. Unit: seconds. Reason: notices soon that it is away. */
const readEvery = 3
/**
 * Every how many rounds the status is read; the other rounds only ask whether the database answers. Unit: rounds.
 * Reason: limits the delay of a lost wake-up to 15 s, and a read takes seven statements.
 */
const readRounds = 5
/** Timeout of one read. Unit: seconds. */
const patience = 3
/**
 * Longest wait for a change, until the clock is compared. Unit: milliseconds. Reason: a changed clock is noticed soon,
 * and the actor shows progress.
 */
const lookEvery = 5_000
/** Longest wait for a changed setting, until the settings are compared again. Unit: seconds. */
const settingsEvery = 20
/** Longest age of the snapshot. Unit: milliseconds. Reason: the shown time stays current, and a new day appears. */
const renewEvery = 60_000
/** Minimum time between two renewals. Unit: milliseconds. Reason: many changes must not cause many compressions. */
const restEvery = 500
/** Silence of the database after which health is degraded. Unit: milliseconds. Reason: three times asked. */
const oldAfter = 10_000

export class Publication extends Context.Service<
  Publication,
  {
    readonly current: () => Snapshot
    /** Prepared answers of the snapshot. */
    readonly shelf: () => Shelf.Shelf
    readonly health: () => HealthComponent
    /** Keeps the snapshot current. Runs in every process. */
    readonly actor: ActorSpec
  }
>()("signalbox/status-checker/Publication") {}

/**
 * `config` has present values. Reads the database during the build, so that no request sees an empty page after a
 * start.
 */
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
      /** What the settings of this moment say about the page. */
      const site = () => ({
        base: baseOf(config),
        subscribable: config.smtpHost !== undefined && config.mailFrom !== undefined,
        brand: { name: config.brandName, logo: config.brandLogo }
      })
      let known: StoredData = noStoredData
      /** Last read, or last answer since then: an announcement would have told of a change. Monotonic, milliseconds. */
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

      /** Asks only whether the database answers. */
      const asking = answerWithin(sql`select 1`, Duration.seconds(patience), () =>
        Effect.fail({ message: `no answer within ${patience} s` })
      ).pipe(
        Effect.match({
          onFailure: ({ message }) => {
            readFailure = message
          },
          onSuccess: () => {
            readAt = performance.now()
          }
        })
      )

      let shownSite = ""
      let boundary = Number.POSITIVE_INFINITY
      let renewedAt = Number.NEGATIVE_INFINITY
      const make = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        shownSite = JSON.stringify(site())
        boundary = nextBoundary(known, now)
        renewedAt = now
        const snapshot = assemble(
          {
            components: files.components(),
            incidents: files.incidents(),
            known,
            latest: checks.latest(),
            freshFor: freshFor(config.checkInterval)
          },
          now
        )
        return yield* Effect.promise(() => Shelf.make(snapshot, site()))
      })

      // Before the first snapshot, so that no change is missed between it and the start of the actor.
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          [files.onChange, checks.onChange, onTextChange].map((on) => on(() => Latch.openUnsafe(changed)))
        ),
        (ends) => Effect.sync(() => ends.forEach((end) => end()))
      )
      yield* reading
      Latch.closeUnsafe(changed)
      let shelf = yield* make

      const reads: Effect.Effect<never, never, Scope.Scope> = Effect.gen(function* () {
        const wakeup = yield* wake.subscribe(topic)
        while (true) {
          yield* reading
          for (let round = 1; ; round++) {
            const rang = yield* wakeup.wait(Duration.seconds(readEvery))
            if (rang || readFailure !== undefined || round === readRounds) break
            yield* asking
          }
        }
      })

      const renewals = Effect.gen(function* () {
        const actor = yield* Actor
        while (true) {
          yield* actor.progress
          const wait = boundary - (yield* Clock.currentTimeMillis)
          const rang = yield* Effect.timeoutOption(
            changed.await,
            Duration.millis(Math.min(lookEvery, Math.max(0, wait)))
          )
          const now = yield* Clock.currentTimeMillis
          // Renews after a clock change in either direction.
          const isDue = rang._tag === "Some" || now >= boundary || Math.abs(now - renewedAt) >= renewEvery
          if (!isDue) continue
          Latch.closeUnsafe(changed)
          shelf = yield* make
          Latch.openUnsafe(renewed)
          yield* Effect.sleep(Duration.millis(restEvery))
        }
      })

      const settingChanges = Effect.gen(function* () {
        while (true) {
          const version = valuesVersion()
          if (JSON.stringify(site()) !== shownSite) Latch.openUnsafe(changed)
          yield* untilValuesChange(version, Duration.seconds(settingsEvery))
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
        const because = readFailure === undefined ? [] : [healthSentence(`the last read failed: ${readFailure}`)]
        const problems = [
          ...(age === undefined
            ? [
                healthSentence(
                  "the page shows no history and no incidents, because the database could not be read yet"
                ),
                ...because
              ]
            : []),
          ...(age !== undefined && age > oldAfter
            ? [
                healthSentence(
                  `history and incidents of the page are ${Math.round(age / 1_000)} s old, because the database has ` +
                    "not been read since"
                ),
                ...because
              ]
            : []),
          ...(writeFailure === undefined
            ? []
            : [
                healthSentence(
                  `the files that a proxy shows while this daemon is away cannot be written: ${writeFailure}`
                )
              ])
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
          run: Effect.all([reads, renewals, settingChanges, writes], { concurrency: "unbounded", discard: true })
        }
      })
    })
  )

/** Publication of the settings; one instance for all handlers and the lane. */
export const publication = Layer.unwrap(Effect.map(liveSettings(publicationSettings), layer)).pipe(
  Layer.provide([checking, statusFiles])
)
