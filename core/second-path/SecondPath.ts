/**
 * Reports failures of the alarm path to operators by mail. It uses neither Postgres nor the cluster nor an alarm
 * channel. Watches report their current troubles, Troubles.ts decides what to report, and one actor of this process
 * sends. Mails are not queued: while the relay is down, each round decides again, so the mail that finally goes out is
 * up to date. It sends no alarms, and writes to operators only.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import * as Backoff from "../supervision/Backoff.ts"
import { type ConfigInvalid, settings } from "../config/Environment.ts"
import type { Component } from "../daemon/Health.ts"
import * as MailRelay from "../mail-relay/MailRelay.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { compose } from "./NoticeMail.ts"
import { defaultSender, noticeSettings, relayOf } from "./NoticeSettings.ts"
import type { Relay } from "./RelayAddress.ts"
import * as ToldFile from "./ToldFile.ts"
import * as Troubles from "./Troubles.ts"
import { liveSettings, rebuilt } from "../settings/LiveSettings.ts"
import type { StoredSettings } from "../settings/StoredSettings.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"

export type { Report, Trouble } from "./Troubles.ts"

/** Interval of decisions. Unit: minutes. Reason: small compared with the shortest delay, 3 minutes. */
const tick = 1 / 4

/** Shortest interval in tests, which shorten the minute. Unit: milliseconds. */
const leastTick = 20

/** Interval of relay checks. Unit: minutes. Reason: detects a broken relay before a notice is needed. */
const probeEvery = 15

export class SecondPath extends Context.Service<
  SecondPath,
  {
    /** Replaces the previous report of a watch with its current view. */
    readonly report: (report: Troubles.Report) => Effect.Effect<void>
    /** Health component: `unconfigured` without an address; `degraded` while the relay refuses mail. */
    readonly component: Effect.Effect<Component>
    /**
     * Decides and sends. Fails with `MailRelayError` when the relay does not accept a notice; the supervisor restarts
     * it.
     */
    readonly actor: ActorSpec<never>
  }
>()("signalbox/core/SecondPath") {}

export interface SecondPathOptions {
  /** Name of the daemon: used in the state file and as the reporter in mails. */
  readonly daemon: string
  /** Length of a minute; tests shorten it. Unit: milliseconds. 60,000 in production. */
  readonly minute: number
}

export const layer = ({ daemon, minute }: SecondPathOptions): Layer.Layer<SecondPath, ConfigInvalid, StoredSettings> =>
  Layer.effect(
    SecondPath,
    Effect.gen(function* () {
      const { dataDir } = yield* settings({ dataDir: platformSettings.dataDir })
      // Read at each use: they may change. They are in memory, so Postgres may be away.
      const live = yield* liveSettings(noticeSettings)
      const relay = rebuilt(() => [live.noticeRelay], relayOf)
      const configured = () => live.adminEmail.length > 0
      const rules = Troubles.rulesOf(minute)
      const path = join(resolve(dataDir), "second-path", `${daemon}.json`)
      let state = yield* ToldFile.read(path)
      const reports = new Map<string, Troubles.Report>()
      const seen: Seen = {}
      let probedAt: number | undefined
      /** The relay that was asked last. */
      let probed: Relay | undefined
      let written = ToldFile.contentOf(state)
      /** Message id that was logged last, so that each mail is logged once while the relay is down. */
      let logged = ""

      const noting = <A>(work: Effect.Effect<A, MailRelay.MailRelayError>) =>
        work.pipe(
          Effect.tap(() => Effect.sync(() => (seen.success = Date.now()))),
          Effect.tapError((error) => Effect.sync(() => (seen.failure = { at: Date.now(), message: error.ownWords })))
        )

      /** Checks whether the relay accepts mail. A failure is recorded but does not fail the round. */
      const probe = Effect.suspend(() => {
        const now = Date.now()
        if (probed !== relay()) seen.failure = undefined
        else if (probedAt !== undefined && now - probedAt < probeEvery * minute && now >= probedAt) return Effect.void
        probed = relay()
        probedAt = now
        return Effect.ignore(noting(MailRelay.probe(relay())))
      })

      const round = Effect.gen(function* () {
        const now = Date.now()
        const decided = Troubles.decide(state, [...reports.values()], now, rules)
        state = decided.state
        const { notices } = decided
        if (notices.length > 0) {
          const mail = compose(notices, {
            daemon,
            host: hostname(),
            now,
            reminder: `${rules.remindEvery / minute / 60} h`
          })
          if (mail.messageId !== logged) yield* log(notices)
          logged = mail.messageId
          if (configured()) {
            probedAt = now
            probed = relay()
            const from = live.noticeFrom ?? defaultSender(hostname())
            yield* noting(MailRelay.send(relay(), { ...mail, from, to: live.adminEmail }))
          }
          state = Troubles.told(state, notices, now)
        }
        const content = ToldFile.contentOf(state)
        if (content === written) return
        written = content
        yield* ToldFile.write(path, content)
      })

      return SecondPath.of({
        report: (report) => Effect.sync(() => void reports.set(report.watch, report)),
        component: Effect.sync(() => componentOf(configured(), seen)),
        actor: {
          name: "second path",
          backoff: Backoff.polite,
          run: Effect.gen(function* () {
            const actor = yield* Actor
            while (true) {
              yield* actor.progress
              const { length } = live.adminEmail
              yield* actor.note(
                length > 0 ? `tells ${length === 1 ? "one address" : `${length} addresses`}` : "nobody to tell"
              )
              yield* round
              if (configured()) yield* probe
              yield* Effect.sleep(tickOf(minute))
            }
          })
        }
      })
    })
  )

const log = (notices: ReadonlyArray<Troubles.Notice>) =>
  Effect.forEach(
    notices,
    ({ kind, trouble }) =>
      (kind === "over" ? Effect.logInfo : Effect.logWarning)(`${kind === "over" ? "over: " : ""}${trouble.what}`),
    { discard: true }
  )

/** Interval of rounds, for this actor and for the watches. */
export const tickOf = (minute: number): Duration.Duration => Duration.millis(Math.max(leastTick, tick * minute))

/** What the relay answered last. Times are epoch milliseconds. */
interface Seen {
  success?: number
  failure?: { readonly at: number; readonly message: string } | undefined
}

const componentOf = (configured: boolean, { failure, success }: Readonly<Seen>): Component => {
  if (!configured)
    return {
      status: "unconfigured",
      detail: "SIGNALBOX_ADMIN_EMAIL is not set: a broken alarm path is reported only in the log"
    }
  const failing = failure !== undefined && failure.at >= (success ?? 0)
  return {
    status: failing ? "degraded" : "ok",
    ...(failing ? { detail: failure.message } : {}),
    ...(success === undefined ? {} : { last_success: new Date(success).toISOString() }),
    ...(failure === undefined ? {} : { last_failure: new Date(failure.at).toISOString() })
  }
}
