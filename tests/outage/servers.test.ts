/** The outage matrix, first half: what alarms come from, stand in, and call by. One process through all of it, in the order of the table. */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { long, type Outage, prove } from "./Matrix.ts"
import { layer as siteLayer, OutageSite } from "./Site.ts"

const outages: ReadonlyArray<Outage> = [
  {
    name: "Postgres refuses",
    away: ({ doors }) => doors.postgres.set("shut"),
    back: ({ doors }) => doors.postgres.set("open"),
    named: { daemon: "comm-dispatcher", part: /^database/ },
    mayRestart: /./,
    holds: ["webhook", "messenger", "messenger_voice", "call"],
    mayRepeat: ["call"],
    accepts: false
  },
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
    away: ({ telephone }) => telephone.kill,
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

describePeers(["dovecot", "redis", "espeak-ng", "ffmpeg"], "alarms while a server is away", () => {
  layer(siteLayer, { excludeTestServices: true, timeout: "90 seconds" })((it) => {
    for (const outage of outages) {
      it.effect(outage.name, () => Effect.flatMap(OutageSite, (site) => prove(site, outage)), long ? 400_000 : 150_000)
    }
  })
})
