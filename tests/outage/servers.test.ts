/**
 * The outage matrix, first half: what alarms come from, stand in, and call by. One process through all of it, in the
 * order of the table.
 */
import { layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { probeInterval, probeTimeout } from "#protocols/event-socket/Line.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { long, type Outage, prove } from "./Matrix.ts"
import { layer as siteLayer, OutageSite } from "./Site.ts"

/**
 * Postgres, away in one way or another: nothing goes, nothing is accepted, and a call that was on its way may be made
 * again.
 */
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
    // Between two calls: one that is cut off is in doubt, and its repeat 30 s away.
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

/** Half-open ones, which take their time-outs to be noticed, and a call in doubt its 30 s. */
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
  layer(siteLayer(), { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    for (const outage of long ? [...outages, ...hanging] : outages) {
      it.effect(outage.name, () => Effect.flatMap(OutageSite, (site) => prove(site, outage)), long ? 400_000 : 150_000)
    }
  })
})
