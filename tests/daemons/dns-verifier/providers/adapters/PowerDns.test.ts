import { beforeAll, describe, expect, it } from "vitest"
import { freshZone as fresh, lasting, refusal, run, set } from "#support/dns/Cases.ts"
import * as Sites from "#support/dns/Sites.ts"
import { requirePeer } from "#support/peers/install.ts"
import type { Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"

describe.skipIf(!requirePeer("powerdns").available)("PowerDNS, a real one", () => {
  const inScope = lasting()
  let site: Sites.PowerDnsSite
  beforeAll(async () => {
    site = await inScope(Sites.powerDns)
  })

  const freshZone = () => fresh(site)
  const patch = (zone: Zone, name: string, change: object) =>
    site.server.call("PATCH", `/zones/${zone.id}`, {
      rrsets: [{ name: `${name}.${zone.name}.`, changetype: "REPLACE", ttl: 300, ...change }]
    })
  const kept = async (zone: Zone, type: string) =>
    (await site.server.call("GET", `/zones/${zone.id}`)).json.rrsets.find(
      (one: { readonly type: string }) => one.type === type
    )

  it("keeps disabled records and comments, and enables a required record", async () => {
    const zone = await freshZone()
    await patch(zone, "www", {
      type: "A",
      records: [
        { content: "192.0.2.1", disabled: false },
        { content: "203.0.113.8", disabled: true },
        { content: "203.0.113.9", disabled: true }
      ],
      comments: [{ content: "ask Ann first", account: "ann" }]
    })
    const before = set("A", "www", ["192.0.2.1"])
    expect(await run(site.adapter.read(zone))).toEqual([before])
    const after = set("A", "www", ["192.0.2.2", "203.0.113.8"])
    await run(site.adapter.write(zone, after, before, after))
    const written = await kept(zone, "A")
    expect(written.records).toHaveLength(3)
    expect(written.records).toEqual(
      expect.arrayContaining([
        { content: "192.0.2.2", disabled: false },
        { content: "203.0.113.8", disabled: false },
        { content: "203.0.113.9", disabled: true }
      ])
    )
    expect(written.comments).toMatchObject([{ content: "ask Ann first" }])
    await run(site.adapter.write(zone, after, after, null))
    expect((await kept(zone, "A")).records).toEqual([{ content: "203.0.113.9", disabled: true }])
    expect(await run(site.adapter.read(zone))).toEqual([])
  })

  it("refuses a zone that another server serves", async () => {
    await site.server.call("POST", "/zones", {
      name: "slave.test.",
      kind: "Slave",
      masters: ["192.0.2.53"],
      nameservers: []
    })
    const zone = await run(Sites.zoneNamed(site.adapter, "slave.test"))
    expect(
      (await refusal(site.adapter.write(zone, { type: "A", name: "www" }, null, set("A", "www", ["192.0.2.1"])))).reason
    ).toBe("read_only")
  })

  it("gives a new set without a TTL the default", async () => {
    const zone = await freshZone()
    await run(site.adapter.write(zone, { type: "A", name: "www" }, null, set("A", "www", ["192.0.2.1"], null)))
    expect(await run(site.adapter.read(zone))).toEqual([set("A", "www", ["192.0.2.1"], 3_600)])
  })

  it("refuses private addresses that are not allowed", async () => {
    const of = await inScope(Sites.adapters({ allow: [] }))
    const adapter = await run(of("provider_e", { url: site.server.url, api_key: site.server.apiKey }))
    const error = await refusal(adapter.test)
    expect(error.reason).toBe("unavailable")
    expect(error.detail).toContain("is not public")
  })

  it("reports an unreachable server, and an unknown server_id", async () => {
    const of = await inScope(Sites.adapters({}))
    const other = await run(of("provider_e", { url: site.server.url, api_key: site.server.apiKey, server_id: "other" }))
    expect((await refusal(other.test)).reason).toBe("zone_not_found")
    const away = await run(of("provider_e", { url: "http://127.0.0.1:9", api_key: site.server.apiKey }))
    expect((await refusal(away.test)).reason).toBe("unavailable")
  })

  it("refuses types without an adapter, and invalid credentials", async () => {
    const of = await inScope(Sites.adapters({}))
    for (const type of ["provider_c", "provider_d", "manual", "provider_z"])
      expect((await refusal(of(type, {}))).reason).toBe("invalid")
    expect((await refusal(of("provider_a", {}))).reason).toBe("unauthorized")
    expect((await refusal(of("provider_e", { url: "ftp://127.0.0.1", api_key: "k" }))).reason).toBe("unauthorized")
    expect((await refusal(of("provider_b", { prefix: "a", secret: "b\r\nx-evil: 1" }))).reason).toBe("unauthorized")
  })
})
