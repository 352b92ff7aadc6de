import { Duration } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { freshZone, lasting, refusal, run, set, write } from "#support/dns/Cases.ts"
import type { Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"
import * as Sites from "#support/dns/Sites.ts"

const first = set("A", "www", ["192.0.2.1"])
const second = set("A", "www", ["192.0.2.2"])
const served = (site: Sites.Site, zone: Zone) => site.served(zone.name, "www", "A")
const inScope = lasting()

describe("Hetzner", () => {
  let site: Sites.HetznerSite
  beforeAll(async () => {
    site = await inScope(Sites.hetzner())
  })
  beforeEach(() => {
    site.double.looks = 1
  })

  it("waits until a change is complete", async () => {
    const zone = await freshZone(site)
    site.double.looks = 4
    await run(write(site.adapter, zone, null, first))
    expect(await served(site, zone)).toEqual(["192.0.2.1"])
    await run(write(site.adapter, zone, first, set("A", "www", ["192.0.2.2"], 900)))
    expect(site.double.held(zone.name, "www", "A")).toMatchObject({ ttl: 900, records: [{ value: "192.0.2.2" }] })
    expect(site.double.calls.filter(({ path }) => path.startsWith("/actions/")).length).toBeGreaterThanOrEqual(12)
  })

  it("reports an accepted change that failed, and the old contents stay", async () => {
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

  it("continues when the values were written but not the TTL", async () => {
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

  it("stops waiting for a change and reports an unknown outcome", async () => {
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

  it("reads the zone again after a foreign change, before it writes", async () => {
    const zone = await freshZone(site)
    await run(write(site.adapter, zone, null, first))
    site.double.before = () => {
      site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "203.0.113.9" }] })
      site.double.busyNext.push("conflict")
    }
    expect((await refusal(write(site.adapter, zone, first, second))).reason).toBe("conflict")
    expect(await served(site, zone)).toEqual(["203.0.113.9"])
  })

  it("detects a set that was created between read and write", async () => {
    const zone = await freshZone(site)
    site.double.before = () =>
      site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "203.0.113.9" }] })
    expect((await refusal(write(site.adapter, zone, null, first))).reason).toBe("conflict")
    expect(await served(site, zone)).toEqual(["203.0.113.9"])
  })

  it("reads relative host names, keeps comments, and detects protected sets", async () => {
    const zone = await freshZone(site)
    site.double.put(zone.name, {
      name: "@",
      type: "MX",
      ttl: null,
      records: [{ value: "10 mail", comment: "ours" }, { value: "20 @" }]
    })
    const mx = set("MX", "@", ["10 mail." + zone.name, "20 " + zone.name], null)
    expect(await run(site.adapter.read(zone))).toEqual([mx])
    await run(write(site.adapter, zone, mx, set("MX", "@", [mx.contents[0]!, "30 other.test"], null)))
    expect(site.double.held(zone.name, "@", "MX")?.records).toEqual([
      { value: "10 mail", comment: "ours" },
      { value: "30 other.test." }
    ])
    site.double.put(zone.name, { name: "www", type: "A", ttl: 300, records: [{ value: "192.0.2.1" }], protected: true })
    expect((await refusal(write(site.adapter, zone, first, second))).reason).toBe("conflict")
  })
})
