/**
 * State of this process that both senders share: what Postgres said last, what happened while it was away, and which
 * deliveries are under way. Sends one delivery and records its outcome where that is possible.
 */
import { Context, Duration, Effect, Latch, Layer, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import type { ConfigInvalid } from "#core/config/Environment.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import type { StoredSettings } from "#core/settings/StoredSettings.ts"
import { SqlClient, transaction } from "#core/sql/Sql.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { type Attempt, outcomeOf } from "./DeliveryDecision.ts"
import type { AlertReport } from "./Incident.ts"
import { type Delivery, deliveryKey, type Message, type Target } from "./Messages.ts"
import * as MessageStore from "./MessageStore.ts"
import * as OutageFile from "./OutageFile.ts"
import { type Outage, reported, type Snapshot } from "./OutageState.ts"
import { defaultRules, messageRules } from "./Rules.ts"
import { alertSettings, type AlertSettings } from "./Settings.ts"
import * as Ways from "./Ways.ts"

const attempts = Metrics.counter("alert_messages_total", {
  daemon: "watchdog",
  help: "Attempts to send a message about alerts, by way and outcome.",
  labels: ["way", "outcome"]
})

/** Counts an attempt. */
export const countAttempt = (way: string, outcome: string) => Effect.sync(() => attempts.add({ way, outcome }))

/** How long a sent delivery is remembered. Unit: milliseconds. Reason: the snapshot is far younger. */
const rememberedFor = 600_000

/** Longest wait for Postgres when an attempt is interrupted. Reason: short against the time that a stop may take. */
const handOver = Duration.seconds(2)

/** An attempt of the messenger that was interrupted. The messenger has no key that makes a repetition harmless. */
const interrupted: Attempt = { _tag: "Failed", problem: "the watchdog stopped during the attempt", perhaps: true }

export class AlertDesk extends Context.Service<
  AlertDesk,
  {
    /** Identity of this process. */
    readonly process: string
    readonly settings: AlertSettings
    /** The targets that are configured at this moment. */
    readonly targets: () => ReadonlyArray<Target>
    /** Mutable facts. */
    readonly facts: {
      snapshot: Snapshot | undefined
      outage: Outage
      /** This process was the last one that sent messages. */
      acting: boolean
      /** Since when Postgres does not answer; undefined: it answers. */
      awaySince: number | undefined
    }
    /** Deliveries under way, by `deliveryKey`. */
    readonly inFlight: ReadonlySet<string>
    /** Deliveries that this process finished or has under way. */
    readonly done: () => ReadonlySet<string>
    /** Replaces the state of the outage and writes the file. */
    readonly change: (to: Outage) => Effect.Effect<void>
    readonly reportWithoutDatabase: (report: AlertReport) => Effect.Effect<void>
    /** Waits for a report or for `milliseconds`. */
    readonly wait: (milliseconds: number) => Effect.Effect<void>
    /**
     * Starts one attempt, which records its outcome in Postgres or in the file. It ends with the daemon and not with
     * its caller: an attempt that is cut off may have arrived. The next sender takes an interrupted attempt at once.
     */
    readonly start: (delivery: Delivery, message: Message) => Effect.Effect<void>
  }
>()("signalbox/watchdog/AlertDesk") {}

const make = Effect.gen(function* () {
  const config = yield* liveSettings(alertSettings)
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Effect.scope
  const process = randomUUID()
  const path = OutageFile.pathIn(config.dataDir)
  const latch = Latch.makeUnsafe(false)
  const inFlight = new Set<string>()
  const finished = new Map<string, number>()
  const facts: AlertDesk["Service"]["facts"] = {
    snapshot: undefined,
    outage: yield* OutageFile.read(path),
    acting: false,
    awaySince: undefined
  }
  // One write at a time, of the newest state: two at once would mix in the draft of the file.
  const writing = Semaphore.makeUnsafe(1)
  const change = (to: Outage) =>
    Effect.suspend(() => {
      if (to === facts.outage) return Effect.void
      facts.outage = to
      return writing.withPermit(Effect.suspend(() => OutageFile.write(path, facts.outage)))
    })
  const send = yield* Ways.make(config, () => facts.snapshot?.mailZone ?? null)
  const rules = () => facts.snapshot?.rules ?? messageRules(defaultRules, config.second)

  /** Records the outcome of an attempt, in the file when Postgres does not accept it within `patience`. */
  const record = (delivery: Delivery, message: Message, attempt: Attempt, patience?: Duration.Duration) =>
    Effect.suspend(() => {
      const key = deliveryKey(delivery)
      const now = Date.now()
      const outcome = (sentElsewhere: boolean) =>
        outcomeOf(attempt, {
          attempts: delivery.attempts,
          createdAt: message.createdAt,
          sentElsewhere,
          now,
          second: config.second
        })
      /** In the file, for the transaction that brings the outage into Postgres. */
      const note = Effect.suspend(() => {
        const others = [...facts.outage.deliveries.values()]
        const result = outcome(
          others.some((other) => other.messageId === message.id && other.state === "sent" && deliveryKey(other) !== key)
        )
        const noted: Delivery = {
          ...delivery,
          state: result.state,
          sentAt: result.state === "sent" ? now : null,
          problem: result.state === "sent" ? null : result.problem,
          nextAt: result.state === "pending" ? result.nextAt : delivery.nextAt
        }
        return change({
          ...facts.outage,
          messages: new Map(facts.outage.messages).set(message.id, facts.outage.messages.get(message.id) ?? message),
          deliveries: new Map(facts.outage.deliveries).set(key, noted)
        })
      })
      if (facts.outage.deliveries.has(key)) return note
      const stored = transaction(
        Effect.gen(function* () {
          yield* MessageStore.record(delivery, outcome(yield* MessageStore.sentElsewhere(delivery)), now)
        })
      ).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      return Effect.catch(
        patience === undefined ? stored : stored.pipe(Effect.interruptible, Effect.timeout(patience)),
        () => note
      )
    })

  /** Hands an interrupted attempt over to the next sender. The file of an outage has its deliveries as pending. */
  const leave = (delivery: Delivery, message: Message, isBegun: boolean) =>
    Effect.suspend(() => {
      if (facts.outage.deliveries.has(deliveryKey(delivery))) return Effect.void
      if (isBegun && delivery.way === "messenger") return record(delivery, message, interrupted, handOver)
      return MessageStore.giveBackOne(process, delivery).pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.interruptible,
        Effect.timeout(handOver),
        Effect.catch((error) => Effect.logWarning(`an interrupted alert is sent minutes late: ${error.message}`))
      )
    })

  /** Runs in an uninterruptible fiber, so that an interruption between two steps leaves no claim behind. */
  const deliver = Effect.fn("Alerts.deliver")(function* (delivery: Delivery, message: Message) {
    let isBegun = false
    const attempt = yield* Effect.suspend(() => {
      isBegun = true
      return send(message, delivery)
    }).pipe(
      Effect.interruptible,
      Effect.onInterrupt(() => leave(delivery, message, isBegun))
    )
    yield* countAttempt(delivery.way, attempt._tag === "Sent" ? "sent" : "failed")
    const now = Date.now()
    for (const [other, at] of finished) if (now - at > rememberedFor) finished.delete(other)
    if (attempt._tag === "Sent") finished.set(deliveryKey(delivery), now)
    else yield* Effect.logWarning(`alert not sent by ${delivery.way}: ${attempt.problem}`)
    yield* record(delivery, message, attempt).pipe(
      Effect.interruptible,
      Effect.onInterrupt(() => record(delivery, message, attempt, handOver))
    )
  })

  return AlertDesk.of({
    process,
    settings: config,
    targets: () => Ways.targetsOf(config),
    facts,
    inFlight,
    done: () => new Set([...inFlight, ...finished.keys()]),
    change,
    reportWithoutDatabase: (report) =>
      Effect.suspend(() =>
        Effect.andThen(
          change(reported(facts.outage, facts.snapshot, report, rules())),
          Effect.sync(() => Latch.openUnsafe(latch))
        )
      ),
    wait: (milliseconds) =>
      latch.await.pipe(
        Effect.timeoutOption(milliseconds),
        Effect.andThen(Effect.sync(() => void Latch.closeUnsafe(latch)))
      ),
    start: (delivery, message) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          const key = deliveryKey(delivery)
          if (inFlight.has(key)) return Effect.void
          inFlight.add(key)
          return Effect.asVoid(
            Effect.forkIn(
              Effect.ensuring(
                deliver(delivery, message),
                Effect.sync(() => inFlight.delete(key))
              ),
              scope,
              { uninterruptible: true }
            )
          )
        })
      )
  })
})

export const alertDesk: Layer.Layer<AlertDesk, ConfigInvalid, SqlClient.SqlClient | StoredSettings> = Layer.effect(
  AlertDesk,
  make
).pipe(Layer.provide(OutboundHttp.layer))
