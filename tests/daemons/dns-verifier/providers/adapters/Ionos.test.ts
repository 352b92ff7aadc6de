import { Effect, Result } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { freshZone, lasting, refusal, run, set, write } from "#support/dns/Cases.ts"
import type { Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"
import * as Sites from "#support/dns/Sites.ts"

const first = set("A", "www", ["192.0.2.1"])
const second = set("A", "www", ["192.0.2.2"])
const served = (site: Sites.Site, zone: Zone) => site.served(zone.name, "www", "A")
const inScope = lasting()

describe("IONOS", () => {
  let site: Sites.IonosSite
  beforeAll(async () => {
    site = await inScope(Sites.ionos())
  })
  const many = (...last: ReadonlyArray<number>) =>
    set(
      "A",
      "www",
      last.map((at) => `192.0.2.${at}`)
    )

  it.each([1, 2, 3, 4, 5])("continues a write that was interrupted at change %i", async (broken) => {
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

  it("reports a conflict when third parties changed the remains of an interrupted write", async () => {
    const zone = await freshZone(site)
    const [before, after] = [many(1, 2), many(11, 12)]
    await run(write(site.adapter, zone, null, before))
    const stop = breakAt(site, site.double.changes.length + 2)
    await refusal(write(site.adapter, zone, before, after))
    stop()
    site.double.put(zone.name, { name: "www", type: "A", content: "203.0.113.9" })
    expect((await refusal(write(site.adapter, zone, before, after))).reason).toBe("conflict")
  })

  it("keeps disabled records, and enables a required one", async () => {
    const zone = await freshZone(site)
    site.double.put(zone.name, { name: "www", type: "A", content: "192.0.2.1", ttl: 300, disabled: true })
    site.double.put(zone.name, { name: "www", type: "A", content: "203.0.113.9", ttl: 300, disabled: true })
    expect(await run(site.adapter.read(zone))).toEqual([])
    await run(write(site.adapter, zone, null, first))
    expect(site.double.held(zone.name, "www", "A").map(({ content, disabled }) => [content, disabled])).toEqual([
      ["192.0.2.1", false],
      ["203.0.113.9", true]
    ])
    await run(write(site.adapter, zone, first, null))
    expect(site.double.held(zone.name, "www", "A").map(({ content }) => content)).toEqual(["203.0.113.9"])
  })

  it("changes a value in place, so that the set is never empty", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    const [{ id } = { id: "" }] = site.double.held(zone.name, "www", "A")
    const calls = site.double.calls.length
    await run(write(site.adapter, zone, first, second))
    expect(site.double.held(zone.name, "www", "A")).toMatchObject([
      { id, content: "192.0.2.2", ttl: 300, disabled: false }
    ])
    expect(site.double.calls.slice(calls).map(({ method }) => method)).toEqual(["GET", "PUT"])
  })

  it("accepts that a record to remove is gone, and reports a conflict for a record to change", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    site.double.before = () => site.double.clear(zone.name, "www", "A")
    expect((await refusal(write(site.adapter, zone, first, second))).reason).toBe("conflict")
    await run(write(site.adapter, zone, null, first))
    site.double.before = () => site.double.clear(zone.name, "www", "A")
    await run(write(site.adapter, zone, first, null))
    expect(await served(site, zone)).toEqual([])
  })

  it("changes only the named records of a zone", () => {
    expect(
      site.double.changes.filter(
        ({ method, path }) => (method === "PUT" || method === "PATCH") && !path.includes("/records/")
      )
    ).toEqual([])
  })

  it("reads internationalised names in ASCII", async () => {
    site.double.makeZone("bücher.test")
    site.double.put("bücher.test", { name: "größe", type: "CNAME", content: "www.bücher.test" })
    const zone = await run(Sites.zoneNamed(site.adapter, "xn--bcher-kva.test"))
    expect(await run(site.adapter.read(zone))).toEqual([
      set("CNAME", "xn--gre-6ka8i", ["www.xn--bcher-kva.test"], 3_600)
    ])
  })

  it("handles a rate limit without a retry time", async () => {
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
