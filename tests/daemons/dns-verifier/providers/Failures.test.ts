import { Duration, Effect, Exit, Result, Scope } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Adapter, ProviderError, RecordSet, Zone } from "#daemons/dns-verifier/providers/Adapter.ts"
import * as Sites from "#support/dns/Sites.ts"

const set = (type: string, name: string, contents: ReadonlyArray<string>, ttl: number | null = 300): RecordSet => ({ type, name, contents, ttl })
const first = set("A", "www", ["192.0.2.1"])
const second = set("A", "www", ["192.0.2.2"])

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))

const refusal = async (effect: Effect.Effect<unknown, ProviderError>): Promise<ProviderError> => {
  const result = await Effect.runPromise(Effect.result(effect))
  assert(Result.isFailure(result), "was not refused")
  return result.failure
}
let zones = 0
const freshZone = async (site: Sites.Site): Promise<Zone> => {
  const name = `failing${++zones}.test`
  await site.makeZone(name)
  return Effect.runPromise(Sites.zoneNamed(site.adapter, name))
}
const write = (adapter: Adapter, zone: Zone, before: RecordSet | null, after: RecordSet | null) => adapter.write(zone, (after ?? before)!, before, after)
const run = <A>(effect: Effect.Effect<A, ProviderError>) => Effect.runPromise(effect)
const served = (site: Sites.Site, zone: Zone) => site.served(zone.name, "www", "A")

/** What both doubles' interfaces have in common: HTTP, its gateways, and limits. */
describe.each([["Hetzner", Sites.hetzner], ["IONOS", Sites.ionos]] as const)("%s", (_title, start) => {
  let site: Sites.HetznerSite | Sites.IonosSite
  beforeAll(async () => {
    site = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(start())
  })

  it("waits as long as it is told when there were too many requests, and then goes on", async () => {
    const zone = await freshZone(site)
    site.double.limitNext(1)
    const begun = Date.now()
    await run(write(site.adapter, zone, null, first))
    // The limit is told in whole seconds: of Hetzner when it ends, of IONOS how long it takes.
    expect(Date.now() - begun).toBeGreaterThan(_title === "IONOS" ? 900 : 0)
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
    expect(site.double.calls.some(({ status }) => status === 429)).toBe(true)
  })

  it("says when there is room again, where the limit stays", async () => {
    const zone = await freshZone(site)
    const patient = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(start({ ...Sites.quick, tries: 2, longestPause: Duration.seconds(2) }))
    await patient.makeZone(zone.name)
    patient.double.limitNext(100)
    const error = await refusal(patient.adapter.test)
    expect(error.reason).toBe("rate_limited")
    expect(error.retryAfter).toBeGreaterThanOrEqual(0)
    expect(patient.double.calls).toHaveLength(2)
  })

  it.each(["500", "html502", "cut-before", "html502"] as const)("reads again after %s", async (failure) => {
    const zone = await freshZone(site)
    site.double.failNext(failure, failure)
    expect(await run(site.adapter.read(zone))).toEqual([])
  })

  it.each(["500", "html502", "cut-before"] as const)("gives up reading when %s stays, and does not know", async (failure) => {
    const zone = await freshZone(site)
    const calls = site.double.calls.length
    site.double.failNext(...Array.from({ length: 50 }, () => failure))
    expect((await refusal(site.adapter.read(zone))).reason).toBe("unavailable")
    site.double.mend()
    // A kept connection that is cut is tried once more on a fresh one.
    expect(site.double.calls.length - calls).toBeGreaterThanOrEqual(Sites.quick.tries)
    expect(site.double.calls.length - calls).toBeLessThanOrEqual(2 * Sites.quick.tries)
  })

  it("takes somebody else's page for no answer, not even to a change", async () => {
    const zone = await freshZone(site)
    site.double.failNext("html200")
    expect((await refusal(site.adapter.zones)).reason).toBe("unavailable")
    site.double.failNextChange("html200")
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("unavailable")
    expect(await served(site, zone)).toEqual([])
  })

  it("follows no redirect, so that the credentials go nowhere else", async () => {
    const seen: Array<IncomingHttpHeaders> = []
    const server = createServer((request, response) => {
      seen.push(request.headers)
      response.end("[]")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    site.double.redirectTo = `http://127.0.0.1:${(server.address() as AddressInfo).port}/zones`
    site.double.failNext("redirect")
    const error = await refusal(site.adapter.zones)
    server.close()
    expect(error.reason).toBe("unavailable")
    expect(error.detail).toContain("redirect")
    expect(seen).toEqual([])
  })

  it("does not create twice when the answer is lost: it says so, and a repetition finds the set", async () => {
    const zone = await freshZone(site)
    if ("failActions" in site.double) site.double.looks = 0
    site.double.failNextChange("cut-after")
    const changes = site.double.changes.length
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("unavailable")
    expect(site.double.changes.length - changes).toBe(1)
    if ("failActions" in site.double) {
      // What the lost answer told was done meanwhile.
      site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "192.0.2.1" }] })
      site.double.looks = 1
    }
    await run(write(site.adapter, zone, null, first))
    expect(site.double.changes.length - changes).toBe(1)
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
  })

  it("does not create again after a failure that may have come too late", async () => {
    const zone = await freshZone(site)
    const changes = site.double.changes.length
    site.double.failNextChange("html502")
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("unavailable")
    expect(site.double.changes.length - changes).toBe(1)
  })

  it("repeats by itself what may be repeated", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    site.double.failNextChange("500", "cut-before")
    await run(write(site.adapter, zone, first, second))
    expect(await served(site, zone)).toEqual(["192.0.2.2"])
    site.double.failNextChange("500", "cut-before")
    await run(write(site.adapter, zone, second, null))
    expect(await served(site, zone)).toEqual([])
  })

  it("stops waiting for who never answers", async () => {
    const hasty = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(start({ ...Sites.quick, operation: Duration.millis(1_500), list: Duration.millis(1_500) }))
    const zone = await freshZone(hasty)
    hasty.double.failNext("hang")
    expect((await refusal(hasty.adapter.zones)).reason).toBe("unavailable")
    hasty.double.failNextChange("hang")
    expect((await refusal(write(hasty.adapter, zone, null, first))).reason).toBe("unavailable")
    // Who waits behind it in the zone is not held up.
    await run(write(hasty.adapter, zone, null, first))
  })

  it("shows no credentials that the other side repeats", async () => {
    const zone = await freshZone(site)
    site.double.failNextChange("echo")
    const error = await refusal(write(site.adapter, zone, null, first))
    expect(error.detail).toContain("these credentials are odd: …")
    const secret = "token" in site.double ? site.double.token : site.double.secret
    expect(JSON.stringify(error) + String(error.stack)).not.toContain(secret)
  })

  it("tells that the credentials may only read", async () => {
    const zone = await freshZone(site)
    expect((await run(site.reader.test)).zones).toBeGreaterThan(0)
    expect((await refusal(write(site.reader, zone, null, first))).reason).toBe("read_only")
    expect(await served(site, zone)).toEqual([])
  })

  it("tells that a TTL is too short for the provider", async () => {
    const zone = await freshZone(site)
    const error = await refusal(write(site.adapter, zone, null, set("A", "www", ["192.0.2.1"], 59)))
    expect(error.reason).toBe("invalid")
    expect(error.detail).toContain("ttl")
  })

  it("changes nothing of a zone that is read from another server", async () => {
    if ("failActions" in site.double) site.double.makeZone("secondary.test", "secondary")
    else site.double.makeZone("secondary.test", "SLAVE")
    const zone = await run(Sites.zoneNamed(site.adapter, "secondary.test"))
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("read_only")
  })

  it("holds the pace that an account is given", async () => {
    const rate = { burst: 2, perSecond: 20 }
    const paced = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(start({ ...Sites.quick, rates: { provider_a: rate, provider_b: rate, provider_e: rate } }))
    const begun = performance.now()
    await Promise.all(Array.from({ length: 6 }, () => run(paced.adapter.test)))
    // Two at once, then four of 50 ms each.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(190)
  })
})

describe("Hetzner", () => {
  let site: Sites.HetznerSite
  beforeAll(async () => {
    site = await inScope(Sites.hetzner())
  })
  beforeEach(() => {
    site.double.looks = 1
  })

  it("waits until a change is done", async () => {
    const zone = await freshZone(site)
    site.double.looks = 4
    await run(write(site.adapter, zone, null, first))
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
    await run(write(site.adapter, zone, first, set("A", "www", ["192.0.2.2"], 900)))
    expect(site.double.held(zone.name, "www", "A")).toMatchObject({ ttl: 900, records: [{ value: "192.0.2.2" }] })
    expect(site.double.calls.filter(({ path }) => path.startsWith("/actions/")).length).toBeGreaterThanOrEqual(12)
  })

  it("tells of a change that was taken and failed, and what there was stays", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    for (const after of [second, null, set("A", "www", ["192.0.2.1"], 900)]) {
      site.double.failActions = 1
      const error = await refusal(write(site.adapter, zone, first, after))
      expect(error.reason).toBe("action_failed")
      expect(error.detail).toContain("Action failed")
      expect(await run(site.adapter.read(zone))).toEqual([first])
    }
  })

  it("goes on where the values were set and the TTL was not", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    const after = set("A", "www", ["192.0.2.2"], 900)
    const failing = write(site.adapter, zone, first, after)
    // The second action, that of the TTL, fails.
    site.double.before = () => {
      site.double.before = () => {
        site.double.failActions = 1
      }
    }
    expect((await refusal(failing)).reason).toBe("action_failed")
    expect(site.double.held(zone.name, "www", "A")).toMatchObject({ ttl: 300, records: [{ value: "192.0.2.2" }] })
    await run(write(site.adapter, zone, first, after))
    expect(await run(site.adapter.read(zone))).toEqual([after])
  })

  it("does not wait for ever for a change, and says that it does not know", async () => {
    const hasty = await inScope(Sites.hetzner({ ...Sites.quick, actionWithin: Duration.millis(50) }))
    const zone = await freshZone(hasty)
    hasty.double.looks = Infinity
    expect((await refusal(write(hasty.adapter, zone, null, first))).reason).toBe("unavailable")
  })

  it("tries again while the zone is locked or changing", async () => {
    const zone = await freshZone(site)
    site.double.busyNext.push("locked", "conflict", "locked")
    await run(write(site.adapter, zone, null, first))
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
    site.double.busyNext.push("locked", "locked", "locked", "locked")
    expect((await refusal(write(site.adapter, zone, first, second))).reason).toBe("conflict")
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
  })

  it("looks again after others changed the zone, before it writes over them", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    site.double.before = () => {
      site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "203.0.113.9" }] })
      site.double.busyNext.push("conflict")
    }
    expect((await refusal(write(site.adapter, zone, first, second))).reason).toBe("conflict")
    expect(await served(site, zone)).toEqual(["203.0.113.9"])
  })

  it("finds a set that somebody made between look and change", async () => {
    const zone = await freshZone(site)
    site.double.before = () => site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "203.0.113.9" }] })
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("conflict")
    expect(await served(site, zone)).toEqual(["203.0.113.9"])
  })

  it("reads hosts that are relative to the zone, keeps comments, and finds what is protected", async () => {
    const zone = await freshZone(site)
    site.double.put(zone.name, { name: "@", type: "MX", ttl: null, records: [{ value: "10 mail", comment: "ours" }, { value: "20 @" }] })
    const mx = set("MX", "@", ["10 mail." + zone.name, "20 " + zone.name], null)
    expect(await run(site.adapter.read(zone))).toEqual([mx])
    await run(write(site.adapter, zone, mx, set("MX", "@", [mx.contents[0]!, "30 other.test"], null)))
    expect(site.double.held(zone.name, "@", "MX")?.records).toEqual([{ value: "10 mail", comment: "ours" }, { value: "30 other.test." }])
    site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "192.0.2.1" }], protected: true })
    expect((await refusal(write(site.adapter, zone, first, second))).reason).toBe("conflict")
  })
})

describe("IONOS", () => {
  let site: Sites.IonosSite
  beforeAll(async () => {
    site = await inScope(Sites.ionos())
  })
  const many = (...last: ReadonlyArray<number>) => set("A", "www", last.map((at) => `192.0.2.${at}`))

  it.each([1, 2, 3, 4, 5])("goes on where a write broke off at its change %i", async (broken) => {
    const zone = await freshZone(site)
    const [before, after] = [many(1, 2, 3, 4), many(4, 11, 12)]
    await run(write(site.adapter, zone, null, before))
    const changes = site.double.changes.length
    const stop = breakAt(site, changes + broken)
    const error = await Effect.runPromise(Effect.result(write(site.adapter, zone, before, after)))
    stop()
    const there = await served(site, zone)
    // Three changes are to be made: two in place, one to remove.
    expect(Result.isFailure(error)).toBe(broken <= 3)
    if (broken <= 3) expect(there).not.toEqual(after.contents.toSorted())
    await run(write(site.adapter, zone, before, after))
    expect(await served(site, zone)).toEqual(after.contents.toSorted())
  })

  it("says conflict where others changed what a broken write left", async () => {
    const zone = await freshZone(site)
    const [before, after] = [many(1, 2), many(11, 12)]
    await run(write(site.adapter, zone, null, before))
    const stop = breakAt(site, site.double.changes.length + 2)
    await refusal(write(site.adapter, zone, before, after))
    stop()
    site.double.put(zone.name, { name: "www", type: "A", content: "203.0.113.9" })
    expect((await refusal(write(site.adapter, zone, before, after))).reason).toBe("conflict")
  })

  it("leaves disabled records alone, and enables the one that is wanted", async () => {
    const zone = await freshZone(site)
    site.double.put(zone.name, { name: "www", type: "A", content: "192.0.2.1", ttl: 300, disabled: true })
    site.double.put(zone.name, { name: "www", type: "A", content: "203.0.113.9", ttl: 300, disabled: true })
    expect(await run(site.adapter.read(zone))).toEqual([])
    await run(write(site.adapter, zone, null, first))
    expect(site.double.held(zone.name, "www", "A").map(({ content, disabled }) => [content, disabled])).toEqual([["192.0.2.1", false], ["203.0.113.9", true]])
    await run(write(site.adapter, zone, first, null))
    expect(site.double.held(zone.name, "www", "A").map(({ content }) => content)).toEqual(["203.0.113.9"])
  })

  it("changes a value in place, so that there is no moment without one", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    const [{ id } = { id: "" }] = site.double.held(zone.name, "www", "A")
    const calls = site.double.calls.length
    await run(write(site.adapter, zone, first, second))
    expect(site.double.held(zone.name, "www", "A")).toMatchObject([{ id, content: "192.0.2.2", ttl: 300, disabled: false }])
    expect(site.double.calls.slice(calls).map(({ method }) => method)).toEqual(["GET", "PUT"])
  })

  it("never replaces a zone, nor more of it than it names", () => {
    expect(site.double.changes.filter(({ method, path }) => (method === "PUT" || method === "PATCH") && !path.includes("/records/"))).toEqual([])
  })

  it("takes a limit that does not say how long", async () => {
    const zone = await freshZone(site)
    site.double.retryAfter = undefined
    site.double.limitNext(2)
    expect(await run(site.adapter.read(zone))).toEqual([])
  })
})

/** From the change number `at` on (counted over all that were made), changes fail, until it is stopped. */
const breakAt = (site: Sites.IonosSite, at: number) => {
  site.double.broken = (changes) => changes >= at
  return () => {
    site.double.broken = () => false
  }
}
