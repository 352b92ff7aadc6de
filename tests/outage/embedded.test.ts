/**
 * Outage of the embedded Postgres: the server is stopped and all its sessions are killed. Long run only, because it
 * needs an additional process.
 */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { childrenOf } from "#support/AwayPostgres.ts"
import { requirePeer } from "#support/peers/install.ts"
import { long, type Outage, prove } from "./Matrix.ts"
import { layer as siteLayer, OutageSite, type Site } from "./Site.ts"

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

const postmaster = ({ fleet }: Site): number => fleet.postmaster()!

const outage: Outage = {
  name: "the embedded Postgres hangs",
  away: (site) =>
    Effect.sync(() => {
      signal(postmaster(site), "SIGSTOP")
      for (const child of childrenOf(postmaster(site))) signal(child, "SIGKILL")
    }),
  back: (site) => Effect.sync(() => signal(postmaster(site), "SIGCONT")),
  named: { daemon: "comm-dispatcher", part: /^database/ },
  mayRestart: /./,
  holds: ["webhook", "messenger", "messenger_voice", "call"],
  mayRepeat: ["call"],
  accepts: false
}

describe.runIf(long && requirePeer("dovecot").available && requirePeer("redis").available)(
  "alarms while the embedded Postgres is away",
  () => {
    layer(siteLayer("embedded"), { excludeTestServices: true, timeout: "300 seconds" })((it) => {
      it.effect(outage.name, () => Effect.flatMap(OutageSite, (site) => prove(site, outage)), 400_000)
    })
  }
)
