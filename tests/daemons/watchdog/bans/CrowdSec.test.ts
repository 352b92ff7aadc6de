/** Bans of a real CrowdSec beside our own: read, lifted, exempted; and what is shown while CrowdSec is away. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import * as CrowdSec from "#support/peers/CrowdSec.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { addresses, banned, callsOf, listBecomes, startWatchdog } from "./Security.ts"

const stateBecomes = (get: ReturnType<typeof callsOf>["get"], wanted: string) =>
  until(
    `CrowdSec is ${wanted}`,
    Effect.map(get("decisions"), ({ json }) => json.crowdsec?.state === wanted),
    60
  )

describePeers(["crowdsec"], "bans of a real CrowdSec", () => {
  it.live(
    "stand beside ours, are lifted in CrowdSec with an exemption, and stay known while CrowdSec is away",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const crowdsec = yield* CrowdSec.make
          const folder = yield* scratchFolder("network")
          const suite = yield* startWatchdog({ env: { ...crowdsec.env, SIGNALBOX_NETWORK_DIR: folder } })
          const { get, post, remove } = callsOf(suite)
          const decide = (...args: ReadonlyArray<string>) => crowdsec.cscli("decisions", "add", ...args)
          yield* decide("-i", "192.0.2.9", "-d", "4h", "-R", "manual test")
          yield* decide("-r", "198.51.100.0/24", "-d", "90m")
          yield* decide("-i", "192.0.2.50", "-d", "1h", "-t", "captcha")
          yield* banned(suite, "192.0.2.9")
          yield* listBecomes(suite, ["198.51.100.0/24", "192.0.2.9"], "&source=crowdsec")
          yield* until(
            "both sources ban the address",
            Effect.map(addresses(suite, "&address=192.0.2.9"), ({ length }) => length === 2)
          )
          const found = (yield* get("decisions?source=crowdsec&address=192.0.2.9")).json.items[0]
          expect(found).toMatchObject({ origin: "cscli", rule: "manual test", stale: false })
          expect(Date.parse(found.until) - Date.now()).toBeGreaterThan(3.9 * 3_600_000)
          expect(Date.parse(found.until) - Date.now()).toBeLessThanOrEqual(4 * 3_600_000)
          const path = join(folder, "crowdsec.nft")
          const file = () => (existsSync(path) ? readFileSync(path, "utf8") : "")
          yield* until(
            "the firewall's file has the bans",
            Effect.sync(() => file().includes("192.0.2.9/32 timeout") && file().includes("198.51.100.0/24 timeout"))
          )
          const alertsOf = get("alerts?source=crowdsec&address=192.0.2.9")
          // Alerts are read on their own, so they may come later than the decisions.
          yield* until(
            "the alert of the ban is read",
            Effect.map(alertsOf, ({ json }) => json.items.length > 0),
            60
          )
          const alerts = (yield* alertsOf).json.items
          expect(alerts).toMatchObject([{ kind: "offence", rule: "manual test", events: 1 }])

          // The lift ends both, here and in CrowdSec.
          expect((yield* remove(`decisions/${found.id}`)).json).toMatchObject({ address: "192.0.2.9", lifted: 2 })
          expect(yield* addresses(suite, "&address=192.0.2.9")).toEqual([])
          expect(yield* crowdsec.cscli("decisions", "list")).not.toContain("192.0.2.9")
          // CrowdSec bans again, and watchdog lifts that, because the address is exempt.
          yield* decide("-i", "192.0.2.9", "-d", "2h")
          yield* until(
            "CrowdSec has forgotten the exempt address",
            Effect.map(crowdsec.cscli("decisions", "list"), (text) => !text.includes("192.0.2.9")),
            60
          )

          // Away: the last list, marked.
          yield* crowdsec.stop
          yield* stateBecomes(get, "away")
          const away = (yield* get("decisions")).json
          expect(away.items).toMatchObject([{ address: "198.51.100.0/24", stale: true }])
          expect(away.crowdsec.as_of).not.toBe(null)
          const token = yield* suite.token
          const readHealth = suite.call("GET", "/health", { of: "watchdog", token })
          // The part of health reads the state after the announcement of its change.
          yield* until(
            "health is degraded",
            Effect.map(readHealth, ({ json }) => json.components.crowdsec.status === "degraded")
          )
          const health = yield* readHealth
          expect(health.json.components.crowdsec.detail).toContain(away.crowdsec.as_of)
          expect(health.text).not.toContain(CrowdSec.bouncerKey)
          // A lift needs CrowdSec; a ban of our own does not.
          const refused = yield* remove(`decisions/${away.items[0].id}`)
          expect([refused.status, refused.json.code]).toEqual([502, "crowdsec_failed"])
          expect((yield* get("decisions")).json.items).toHaveLength(1)
          expect((yield* post("decisions", { address: "192.0.2.99", duration_s: 600, reason: "x" })).status).toBe(201)

          yield* crowdsec.start
          yield* stateBecomes(get, "ok")
          expect((yield* get("decisions?source=crowdsec")).json.items).toMatchObject([{ stale: false }])
          expect((yield* remove(`decisions/${away.items[0].id}?exempt_s=0`)).status).toBe(200)
        })
      ),
    120_000
  )
})
