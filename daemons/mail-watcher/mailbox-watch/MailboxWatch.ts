/** The mailboxes that this process watches, and what their actors share. */
import { Context, Duration, Effect, Layer } from "effect"
import type { SecureContext } from "node:tls"
import type { Component } from "#core/daemon/Health.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { collector } from "#core/metrics/Scrape.ts"
import { secureContextOf } from "../accounts/Exports.ts"
import { ConnectionLimiter } from "./ConnectionLimiter.ts"
import type { WatchSettings } from "./Settings.ts"
import { WatchedMailboxes } from "./WatchedMailbox.ts"
import { type WatchMode, watchModes } from "./WatchStatus.ts"

/** Shared by all mailbox actors of a process. */
export interface WatchDependencies {
  readonly connections: ConnectionLimiter
  /** Shared because a context of its own costs a connection 20 KB. */
  readonly secureContext: SecureContext
  /** Interval between two scans where the server does not notify about all folders. Default: that of imap-watch. */
  readonly pollEvery: Duration.Duration | undefined
}

export class MailboxWatch extends Context.Service<
  MailboxWatch,
  WatchDependencies & { readonly mailboxes: WatchedMailboxes }
>()("signalbox/mail-watcher/MailboxWatch") {}

export const layer = (config: WatchSettings): Layer.Layer<MailboxWatch> =>
  Layer.sync(MailboxWatch, () =>
    MailboxWatch.of({
      mailboxes: new WatchedMailboxes(),
      connections: new ConnectionLimiter(),
      secureContext: secureContextOf(config),
      pollEvery: Duration.seconds(config.pollSeconds)
    })
  )

/** Health component: mailboxes of this process by mode. Only failures of our own mailboxes degrade it. */
export const health: Effect.Effect<Readonly<Record<string, Component>>, never, MailboxWatch> = Effect.map(
  MailboxWatch,
  ({ mailboxes }) => {
    const modes: Record<string, number> = {}
    let ownFailed = 0
    for (const { account, mode } of mailboxes.all) {
      modes[mode] = (modes[mode] ?? 0) + 1
      if (account.kind === "own" && mode === "failed") ownFailed += 1
    }
    return {
      mailboxes:
        mailboxes.size === 0
          ? { status: "unconfigured", modes }
          : ownFailed === 0
            ? { status: "ok", modes }
            : { status: "degraded", detail: `${ownFailed} of our own mailboxes cannot be watched`, modes }
    }
  }
)

const counts = Metrics.gauge("mailboxes", {
  daemon: "mail-watcher",
  help: "Mailboxes that this process watches, by mode of watching and kind of mail server: own or foreign.",
  labels: ["mode", "kind"]
})

/** Zero mailboxes in each mode. */
const noneIn = (): Record<WatchMode, number> => ({
  notify: 0,
  idle: 0,
  push: 0,
  poll: 0,
  lazy: 0,
  connecting: 0,
  failed: 0
})

/** Counts the mailboxes at each scrape. */
export const metrics = Effect.flatMap(MailboxWatch, ({ mailboxes }) =>
  collector({
    daemon: "mail-watcher",
    name: "mailboxes",
    collect: Effect.sync(() => {
      const found = { own: noneIn(), foreign: noneIn() }
      for (const { account, mode } of mailboxes.all) found[account.kind][mode] += 1
      counts.setAll(
        Object.entries(found).flatMap(([kind, modes]) =>
          watchModes.map((mode) => [{ mode, kind }, modes[mode]] as const)
        )
      )
    }),
    clear: () => counts.setAll([])
  })
)
