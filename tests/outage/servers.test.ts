/**
 * Outage matrix, first part: servers from which alarms come, which store them, and through which they call. One process
 * runs through all outages in order.
 */
import { layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { probeInterval, probeTimeout } from "#protocols/event-socket/Line.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { long, type Outage, prove } from "./Matrix.ts"
import { layer as siteLayer, OutageSite } from "./Site.ts"

/** An outage of Postgres: no alarm is accepted or delivered, and a call in progress may be repeated. */
const withoutPostgres = (name: string, door: "shut" | "mute"): Outage => ({
  name,
  away: ({ doors }) => doors.postgres.set(door),
  back: ({ doors }) => doors.postgres.set("open"),
  named: { daemon: "comm-dispatcher", part: /^database/ },
  mayRestart: /./,
  holds: ["webhook", "messenger", "messenger_voice", "call"],
  mayRepeat: ["call"],
  accepts: false
})

const outages: ReadonlyArray<Outage> = [
  withoutPostgres("Postgres refuses", "shut"),
  {
    name: "IMAP is away",
    away: ({ dovecot }) => dovecot.kill9,
    back: ({ dovecot }) => dovecot.start,
    named: { daemon: "alarm-bridge", part: /mailbox/ },
    mayRestart: /^alarm-bridge\/mailbox/,
    holds: []
  },
  {
    name: "the switch is away",
    // Starts the outage between two calls, because an interrupted call has an unknown end and repeats only after 30 s.
    away: ({ telephone }) =>
      Effect.andThen(
        until(
          "no call",
          Effect.sync(() => telephone.calls.every(({ ended }) => ended !== undefined))
        ),
        telephone.kill
      ),
    back: ({ telephone }) => telephone.restart,
    named: { daemon: "comm-dispatcher", part: /^telephony|^actor telephone switch/ },
    mayRestart: /^comm-dispatcher\/telephone switch/,
    holds: ["call"],
    mayRepeat: ["call"]
  },
  {
    name: "Redis refuses",
    away: ({ redis }) => redis.kill9,
    back: ({ redis }) => redis.start,
    named: { daemon: "comm-dispatcher", part: /^cache/ },
    holds: []
  }
]

/**
 * Outages with half-open connections. They are detected after a timeout, and a call of unknown end repeats after 30 s.
 */
const hanging: ReadonlyArray<Outage> = [
  withoutPostgres("Postgres hangs", "mute"),
  {
    name: "the switch hangs",
    away: ({ telephone }) => telephone.pause,
    back: ({ telephone }) => telephone.resume,
    named: { daemon: "comm-dispatcher", part: /^telephony|^actor telephone switch/ },
    mayRestart: /^comm-dispatcher\/telephone switch/,
    holds: ["call"],
    mayRepeat: ["call"],
    blindFor: Duration.toMillis(Duration.sum(probeInterval, probeTimeout))
  },
  {
    name: "Redis hangs",
    away: ({ redis }) => Effect.sync(() => process.kill(redis.pid()!, "SIGSTOP")),
    back: ({ redis }) => Effect.sync(() => process.kill(redis.pid()!, "SIGCONT")),
    named: { daemon: "comm-dispatcher", part: /^cache/ },
    holds: []
  }
]

describePeers(["dovecot", "redis", "espeak-ng", "ffmpeg"], "alarms while a server is away", () => {
  layer(siteLayer(), { excludeTestServices: true, timeout: "300 seconds" })((it) => {
    for (const outage of long ? [...outages, ...hanging] : outages) {
      it.effect(outage.name, () => Effect.flatMap(OutageSite, (site) => prove(site, outage)), long ? 400_000 : 300_000)
    }
  })
})
