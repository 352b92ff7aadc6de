import { Duration } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { beforeAll, describe, expect, it } from "vitest"
import { freshZone, lasting, refusal, run, set, write } from "#support/dns/Cases.ts"
import type { Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"
import * as Sites from "#support/dns/Sites.ts"

const first = set("A", "www", ["192.0.2.1"])
const second = set("A", "www", ["192.0.2.2"])
const served = (site: Sites.Site, zone: Zone) => site.served(zone.name, "www", "A")
const inScope = lasting()

/** What both doubles' interfaces have in common: HTTP, its gateways, and limits. */
describe.each([
  ["Hetzner", Sites.hetzner],
  ["IONOS", Sites.ionos]
] as const)("%s", (_title, start) => {
  let site: Sites.HetznerSite | Sites.IonosSite
  beforeAll(async () => {
    site = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(start())
  })

  it("waits for the given time after a rate limit, then continues", async () => {
    const zone = await freshZone(site)
    site.double.limitNext(1)
    const begun = Date.now()
    await run(write(site.adapter, zone, null, first))
    // The limit is told in whole seconds: of Hetzner when it ends, of IONOS how long it takes.
    expect(Date.now() - begun).toBeGreaterThan(_title === "IONOS" ? 900 : 0)
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
    expect(site.double.calls.some(({ status }) => status === 429)).toBe(true)
  })

  it("reports the retry time instead of waiting when it is long", async () => {
    const patient = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(
      start({ ...Sites.quick, longestPause: Duration.seconds(2) })
    )
    if ("resetAfter" in patient.double) patient.double.resetAfter = 12
    else patient.double.retryAfter = 12
    patient.double.limitNext(100)
    const error = await refusal(patient.adapter.test)
    expect(error.reason).toBe("rate_limited")
    expect(error.retryAfter).toBeGreaterThan(2_000)
    expect(error.retryAfter).toBeLessThanOrEqual(12_000)
    expect(patient.double.calls).toHaveLength(1)
  })

  it("gives up when the rate limit persists", async () => {
    const calls = site.double.calls.length
    if ("resetAfter" in site.double) site.double.resetAfter = 0
    else site.double.retryAfter = 0
    site.double.limitNext(Sites.quick.tries)
    expect((await refusal(site.adapter.test)).reason).toBe("rate_limited")
    expect(site.double.calls.length - calls).toBe(Sites.quick.tries)
  })

  it.each(["500", "html502", "cut-before", "html502"] as const)("reads again after %s", async (failure) => {
    const zone = await freshZone(site)
    site.double.failNext(failure, failure)
    expect(await run(site.adapter.read(zone))).toEqual([])
  })

  it.each(["500", "html502", "cut-before"] as const)(
    "gives up reading when %s persists, without a result",
    async (failure) => {
      const zone = await freshZone(site)
      const calls = site.double.calls.length
      site.double.failNext(...Array.from({ length: 50 }, () => failure))
      expect((await refusal(site.adapter.read(zone))).reason).toBe("unavailable")
      site.double.mend()
      // A kept connection that is cut is tried once more on a fresh one.
      expect(site.double.calls.length - calls).toBeGreaterThanOrEqual(Sites.quick.tries)
      expect(site.double.calls.length - calls).toBeLessThanOrEqual(2 * Sites.quick.tries)
    }
  )

  it("treats a foreign page as no answer, also for a change", async () => {
    const zone = await freshZone(site)
    site.double.failNext("html200")
    expect((await refusal(site.adapter.zones)).reason).toBe("unavailable")
    site.double.failNextChange("html200")
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("unavailable")
    expect(await served(site, zone)).toEqual([])
  })

  it("follows no redirect, so that credentials go to no other host", async () => {
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

  it("does not create twice when the answer is lost; a repetition finds the set", async () => {
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

  it("repeats idempotent requests automatically", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    site.double.failNextChange("500", "cut-before")
    await run(write(site.adapter, zone, first, second))
    expect(await served(site, zone)).toEqual(["192.0.2.2"])
    site.double.failNextChange("500", "cut-before")
    await run(write(site.adapter, zone, second, null))
    expect(await served(site, zone)).toEqual([])
  })

  it("stops waiting for a server that never answers", async () => {
    const hasty = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(
      start({ ...Sites.quick, operation: Duration.seconds(3), list: Duration.seconds(3) })
    )
    const zone = await freshZone(hasty)
    hasty.double.failNext("hang")
    expect((await refusal(hasty.adapter.zones)).reason).toBe("unavailable")
    hasty.double.failNextChange("hang")
    expect((await refusal(write(hasty.adapter, zone, null, first))).reason).toBe("unavailable")
    // Who waits behind it in the zone is not held up.
    await run(write(hasty.adapter, zone, null, first))
  })

  it("removes credentials that the server echoes", async () => {
    const zone = await freshZone(site)
    site.double.failNextChange("echo")
    const error = await refusal(write(site.adapter, zone, null, first))
    expect(error.detail).toContain("these credentials are odd: …")
    const secret = "token" in site.double ? site.double.token : site.double.secret
    expect(JSON.stringify(error) + String(error.stack)).not.toContain(secret)
  })

  it("reports read-only credentials", async () => {
    const zone = await freshZone(site)
    expect((await run(site.reader.test)).zones).toBeGreaterThan(0)
    expect((await refusal(write(site.reader, zone, null, first))).reason).toBe("read_only")
    expect(await served(site, zone)).toEqual([])
  })

  it("reports a TTL below the provider's minimum", async () => {
    const zone = await freshZone(site)
    const error = await refusal(write(site.adapter, zone, null, set("A", "www", ["192.0.2.1"], 59)))
    expect(error.reason).toBe("invalid")
    expect(error.detail).toContain("ttl")
  })

  it("changes nothing in a secondary zone", async () => {
    if ("failActions" in site.double) site.double.makeZone("secondary.test", "secondary")
    else site.double.makeZone("secondary.test", "SLAVE")
    const zone = await run(Sites.zoneNamed(site.adapter, "secondary.test"))
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("read_only")
  })

  it("limits requests to the rate of the account", async () => {
    const rate = { burst: 2, perSecond: 20 }
    const paced = await inScope<Sites.HetznerSite | Sites.IonosSite, never>(
      start({ ...Sites.quick, rates: { provider_a: rate, provider_b: rate, provider_e: rate } })
    )
    const begun = performance.now()
    await Promise.all(Array.from({ length: 6 }, () => run(paced.adapter.test)))
    // Two at once, then four of 50 ms each.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(190)
  })
})
