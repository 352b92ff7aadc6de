import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { effectiveNetworks } from "#daemons/sip-config/directory/trunks/Networks.ts"
import { until } from "#support/Frame.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { actions, as, callsOf, startTelephony } from "../Telephony.ts"

it.live("a tenant requests the networks of a trunk, and the provider confirms what it has seen", () =>
  Effect.gen(function* () {
    const suite = yield* startTelephony()
    const tenant = callsOf(suite, as(2))
    const provider = callsOf(suite, as(1))
    const platform = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
    const networks = ["192.0.2.0/24", "198.51.100.0/24"]

    for (const wide of ["0.0.0.0/0", "::/0", "128.0.0.0/1", "10.0.0.0/11", "2001:db0::/28"])
      expect([wide, (yield* tenant.post("trunks", { name: "A", host: "a.test", networks: [wide] })).status]).toEqual([
        wide,
        422
      ])
    const { id } = yield* tenant.trunk("First", { networks })
    const pending = Effect.map(tenant.get(`trunks/${id}`), ({ json }) => json.networks_pending)
    expect(yield* pending).toEqual(networks)

    const confirm = (who: typeof tenant, seen: ReadonlyArray<string>) =>
      Effect.map(who.post(`trunks/${id}/networks/confirm`, { networks: seen }), ({ status }) => status)
    expect(yield* confirm(tenant, networks)).toBe(403)
    expect(yield* confirm(provider, networks.slice(1))).toBe(422)
    expect(yield* pending).toEqual(networks)
    expect(yield* confirm(provider, networks)).toBe(200)
    expect(yield* pending).toEqual([])

    // A new network waits; the confirmed ones stay in effect.
    yield* tenant.put(`trunks/${id}`, { networks: [...networks, "203.0.113.0/24"], name: "Renamed" })
    expect(yield* pending).toEqual(["203.0.113.0/24"])
    expect(yield* confirm(platform, [...networks, "203.0.113.0/24"])).toBe(200)
    expect(yield* pending).toEqual([])
    expect(yield* actions(suite, "sip_trunk")).toEqual([
      "created",
      "networks_confirmed",
      "changed",
      "networks_confirmed"
    ])

    // The provider's own changes are in effect at once.
    const own = yield* platform.trunk("Theirs", { networks, tenant_id: 2 })
    expect(own.networks_pending).toEqual([])
    expect((yield* platform.post("trunks/999/networks/confirm", { networks })).status).toBe(404)
  }).pipe(Effect.scoped)
)

it.live(
  "the firewall's file has the confirmed networks of enabled trunks, and follows them",
  () =>
    Effect.gen(function* () {
      const folder = yield* scratchFolder("network")
      const suite = yield* startTelephony({ env: { SIGNALBOX_NETWORK_DIR: folder } })
      const [tenant, provider] = [callsOf(suite, as(2)), callsOf(suite, as(1))]
      const networks = Effect.sync(() => {
        try {
          return [...readFileSync(join(folder, "trunks.nft"), "utf8").matchAll(/^ {2}([^,\n]+)/gm)].map(
            ([, cidr]) => cidr
          )
        } catch {
          return undefined
        }
      })
      const has = (...wanted: ReadonlyArray<string>) =>
        until(
          `the file has ${wanted.join(", ")}`,
          Effect.map(networks, (found) => JSON.stringify(found) === JSON.stringify(wanted)),
          60
        )
      yield* has()
      const { id } = yield* tenant.trunk("First", { networks: ["192.0.2.0/24"] })
      yield* tenant.trunk("Second", { host: "198.51.100.9" })
      yield* has("198.51.100.9/32")
      yield* provider.post(`trunks/${id}/networks/confirm`, { networks: ["192.0.2.0/24"] })
      yield* has("192.0.2.0/24", "198.51.100.9/32")
      yield* tenant.put(`trunks/${id}`, { enabled: false })
      yield* has("198.51.100.9/32")
    }).pipe(Effect.scoped),
  120_000
)

it("a network that is too wide is never in effect, even when an earlier version stored and confirmed it", () => {
  const stored = ["0.0.0.0/0", "192.0.2.0/24", "::/0"]
  expect(effectiveNetworks({ host: "a.test", networks: stored, confirmed: stored })).toEqual(["192.0.2.0/24"])
})
