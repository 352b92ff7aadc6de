/**
 * Tells operators by mail that the alarm path itself is broken: it uses neither Postgres nor the cluster nor any
 * channel of the alarms. Watches report what is wrong in their view (second-path/Troubles.ts decides what of it is
 * told); one actor of this process sends. Nothing waits as a mail: while the relay is away each round decides anew, so
 * what comes through at last is what is true then, and what waits is bounded by the causes. It sends no alarms, and
 * nothing to anybody else.
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
import { addressProblem, noticeSettings, relayOf } from "./NoticeSettings.ts"
import * as ToldFile from "./ToldFile.ts"
import * as Troubles from "./Troubles.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"

export type { Report, Trouble } from "./Troubles.ts"

/** Between two decisions. Unit: minutes. Reason: small against the shortest limit, 3 minutes. */
const tick = 1 / 4

/** The shortest of it, when the minute is a test's. Unit: milliseconds. */
const leastTick = 20

/**
 * Between two looks whether the relay would take a mail. Unit: minutes. Reason: a second path that broke unseen is
 * none.
 */
const probeEvery = 15

export class SecondPath extends Context.Service<
  SecondPath,
  {
    /** Takes a watch's whole present view in the place of its last one. */
    readonly report: (report: Troubles.Report) => Effect.Effect<void>
    /** `unconfigured` without an address; `degraded` while the relay takes nothing. */
    readonly component: Effect.Effect<Component>
    /** Decides and sends; fails with `MailRelayError` when the relay does not take a notice, to be started again. */
    readonly actor: ActorSpec<never>
  }
>()("signalbox/core/SecondPath") {}

export interface SecondPathOptions {
  /** Names the file of what was told, and who tells. */
  readonly daemon: string
  /** Unit: milliseconds. 60,000 but in tests. */
  readonly minute: number
}

export const layer = ({ daemon, minute }: SecondPathOptions): Layer.Layer<SecondPath, ConfigInvalid> =>
  Layer.effect(
    SecondPath,
    Effect.gen(function* () {
      const {
        adminEmail: to,
        dataDir,
        noticeFrom,
        noticeRelay
      } = yield* settings({ ...noticeSettings, dataDir: platformSettings.dataDir })
      const relay = relayOf(noticeRelay)
      const from = noticeFrom ?? defaultFrom(hostname())
      const rules = Troubles.rulesOf(minute)
      const path = join(resolve(dataDir), "second-path", `${daemon}.json`)
      let state = yield* ToldFile.read(path)
      const reports = new Map<string, Troubles.Report>()
      const seen: { success?: number; failure?: { readonly at: number; readonly message: string } } = {}
      let probedAt: number | undefined
      let written = ToldFile.contentOf(state)
      /** Message id of what the log has: a relay that is away does not fill it. */
      let logged = ""

      const noting = <A>(work: Effect.Effect<A, MailRelay.MailRelayError>) =>
        work.pipe(
          Effect.tap(() => Effect.sync(() => (seen.success = Date.now()))),
          Effect.tapError((error) => Effect.sync(() => (seen.failure = { at: Date.now(), message: error.message })))
        )

      /** Whether a notice would have a way; that it has none is no failure of this round. */
      const probe = Effect.suspend(() => {
        const now = Date.now()
        if (probedAt !== undefined && now - probedAt < probeEvery * minute && now >= probedAt) return Effect.void
        probedAt = now
        return Effect.ignore(noting(MailRelay.probe(relay)))
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
          if (to.length > 0) {
            probedAt = now
            yield* noting(MailRelay.send(relay, { ...mail, from, to }))
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
        component: Effect.sync(() => componentOf(to.length > 0, seen)),
        actor: {
          name: "second path",
          backoff: Backoff.polite,
          run: Effect.gen(function* () {
            const actor = yield* Actor
            yield* actor.note(
              to.length > 0 ? `tells ${to.length === 1 ? "one address" : `${to.length} addresses`}` : "nobody to tell"
            )
            while (true) {
              yield* actor.progress
              yield* round
              if (to.length > 0) yield* probe
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

/** Between two rounds, of the actor here and of the watches. */
export const tickOf = (minute: number): Duration.Duration => Duration.millis(Math.max(leastTick, tick * minute))

/** A machine without a proper name still has to send from something that is an address. */
const defaultFrom = (host: string): string => {
  const address = `signalbox@${host}`
  return addressProblem(address) === undefined ? address : "signalbox@localhost"
}

const componentOf = (
  configured: boolean,
  {
    failure,
    success
  }: { readonly success?: number; readonly failure?: { readonly at: number; readonly message: string } }
): Component => {
  if (!configured)
    return {
      status: "unconfigured",
      detail: "SIGNALBOX_ADMIN_EMAIL is not set: a broken alarm path is told in the log only"
    }
  const failing = failure !== undefined && failure.at >= (success ?? 0)
  return {
    status: failing ? "degraded" : "ok",
    ...(failing ? { detail: failure.message } : {}),
    ...(success === undefined ? {} : { last_success: new Date(success).toISOString() }),
    ...(failure === undefined ? {} : { last_failure: new Date(failure.at).toISOString() })
  }
}
