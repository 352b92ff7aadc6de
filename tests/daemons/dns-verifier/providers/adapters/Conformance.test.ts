import { Effect, Result, type Scope } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { freshZone as fresh, lasting, refusal, run, set, write as writeBy } from "#support/dns/Cases.ts"
import * as Sites from "#support/dns/Sites.ts"
import { availability } from "#support/peers/install.ts"
import type { RecordSet, Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"

/** A DKIM record with a key of 2,048 bits. */
const dkim = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(13).slice(0, 392)}`

const sorted = (sets: ReadonlyArray<RecordSet>) =>
  sets
    .map((one) => ({ ...one, contents: one.contents.toSorted() }))
    .toSorted((one, other) => (`${one.name} ${one.type}` < `${other.name} ${other.type}` ? -1 : 1))

const sites = [
  ["Hetzner", Sites.hetzner(), true],
  ["IONOS", Sites.ionos(), true],
  ["PowerDNS", Sites.powerDns, availability("powerdns").available || (process.env["CI"] ?? "") !== ""]
] as const

describe.each(sites)("%s", (_title, start, available) => {
  const inScope = lasting()
  let site: Sites.Site
  beforeAll(async () => {
    if (available) site = await inScope(start as Effect.Effect<Sites.Site, unknown, Scope.Scope>)
  })
  const test = it.skipIf(!available)

  const freshZone = () => fresh(site)
  const read = (zone: Zone) => run(Effect.map(site.adapter.read(zone), sorted))
  const write = (zone: Zone, before: RecordSet | null, after: RecordSet | null) =>
    run(writeBy(site.adapter, zone, before, after))

  test("reports whether the provider accepts the credentials, without showing them", async () => {
    await freshZone()
    expect((await run(site.adapter.test)).zones).toBeGreaterThan(0)
    const error = await refusal(site.stranger.adapter.test)
    expect(error.reason).toBe("unauthorized")
    expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain(site.stranger.secret)
  })

  test("lists every zone of 120", async () => {
    const names = Array.from({ length: 120 }, (_, at) => `many${at}.test`)
    for (const name of names) await site.makeZone(name)
    const listed = await run(site.adapter.zones)
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
    expect(await run(site.adapter.test)).toEqual({ zones: listed.length })
  })

  test("creates, replaces and removes a set, and changes no other set", async () => {
    const zone = await freshZone()
    await site.put(zone.name, { name: "www", type: "AAAA", ttl: 600, contents: ["2001:db8::9"] })
    const others = await read(zone)
    const first = set("A", "www", ["192.0.2.1", "192.0.2.2"])
    await write(zone, null, first)
    expect(await read(zone)).toEqual(sorted([...others, first]))
    expect(await site.served(zone.name, "www", "A")).toEqual(["192.0.2.1", "192.0.2.2"])
    const second = set("A", "www", ["192.0.2.2", "192.0.2.3"], 120)
    await write(zone, first, second)
    expect(await read(zone)).toEqual(sorted([...others, second]))
    expect(await site.served(zone.name, "www", "A")).toEqual(["192.0.2.2", "192.0.2.3"])
    await write(zone, second, null)
    expect(await read(zone)).toEqual(others)
    expect(await site.served(zone.name, "www", "A")).toEqual([])
  })

  test("changes only the TTL, and keeps it when none is given", async () => {
    const zone = await freshZone()
    await write(zone, null, set("A", "ttl", ["192.0.2.1"], 300))
    await write(zone, set("A", "ttl", ["192.0.2.1"], 300), set("A", "ttl", ["192.0.2.1"], 900))
    expect(await read(zone)).toEqual([set("A", "ttl", ["192.0.2.1"], 900)])
    await write(zone, set("A", "ttl", ["192.0.2.1"], 900), set("A", "ttl", ["192.0.2.7"], null))
    expect(await read(zone)).toEqual([set("A", "ttl", ["192.0.2.7"], 900)])
  })

  test("changes nothing when a write is repeated", async () => {
    const zone = await freshZone()
    const first = set("MX", "@", ["10 mail.zone.test", "20 other.zone.test"])
    const second = set("MX", "@", ["10 mail.zone.test"])
    for (const [before, after] of [
      [null, first],
      [first, second],
      [second, null]
    ] as const) {
      await write(zone, before, after)
      const [changes, sets] = [await site.changes(zone.name), await read(zone)]
      await write(zone, before, after)
      expect(await site.changes(zone.name)).toBe(changes)
      expect(await read(zone)).toEqual(sets)
    }
  })

  test.each([
    ["made meanwhile", null, ["203.0.113.9"], ["192.0.2.1"]],
    ["changed meanwhile", ["192.0.2.1"], ["203.0.113.9"], ["192.0.2.2"]],
    ["added to meanwhile", ["192.0.2.1"], ["192.0.2.1", "203.0.113.9"], ["192.0.2.2"]],
    ["removed meanwhile", ["192.0.2.1"], [], ["192.0.2.2"]],
    ["changed meanwhile, and is to go", ["192.0.2.1"], ["203.0.113.9"], null]
  ] as const)("does not overwrite a set that was %s", async (_what, before, there, after) => {
    const zone = await freshZone()
    await site.put(zone.name, { name: "www", type: "A", ttl: 300, contents: there })
    const [changes, sets] = [await site.changes(zone.name), await read(zone)]
    const given = [before, after].map((contents) => (contents === null ? null : set("A", "www", contents))) as [
      RecordSet | null,
      RecordSet | null
    ]
    expect((await refusal(site.adapter.write(zone, { type: "A", name: "www" }, ...given))).reason).toBe("conflict")
    expect(await site.changes(zone.name)).toBe(changes)
    expect(await read(zone)).toEqual(sets)
  })

  test.each([
    ["a DKIM key of 410 octets", dkim, dkim],
    ["exactly 255 octets", "x".repeat(255), "x".repeat(255)],
    ["256 octets", "x".repeat(256), "x".repeat(256)],
    ["2,000 octets", "0123456789".repeat(200), "0123456789".repeat(200)],
    ["quotes and backslashes", 'say \\"hi\\" to C:\\\\dir\\\\', 'say "hi" to C:\\dir\\'],
    ["255 octets that need escapes", '\\"'.repeat(200) + "\\\\".repeat(200), '"'.repeat(200) + "\\".repeat(200)],
    ["semicolons and spaces", "v=DMARC1;  p=none; rua=mailto:a@b.test", "v=DMARC1;  p=none; rua=mailto:a@b.test"],
    ["spaces at the ends", "\\032inner\\032", " inner "],
    ["characters beyond ASCII", "grüße ✉", "grüße ✉"]
  ])("keeps a TXT of %s", async (_what, content, text) => {
    const zone = await freshZone()
    await write(zone, null, set("TXT", "_t._domainkey", [content]))
    expect(await site.served(zone.name, "_t._domainkey", "TXT")).toEqual([text])
    expect(await read(zone)).toEqual([set("TXT", "_t._domainkey", [content])])
    const changes = await site.changes(zone.name)
    await write(zone, null, set("TXT", "_t._domainkey", [content]))
    expect(await site.changes(zone.name)).toBe(changes)
  })

  test("reads and writes names and contents of every kind", async () => {
    const zone = await freshZone()
    const sets = [
      set("A", "@", ["192.0.2.1"]),
      set("A", "*", ["192.0.2.2"]),
      set("TXT", "_dmarc", ["v=DMARC1; p=none"]),
      set("SRV", "_imaps._tcp", ["0 1 993 mail.example.test", "10 1 993 mail2.example.test"]),
      set("MX", "@", ["10 mail.example.test", "20 mail2.example.test"]),
      set("MX", "none", ["0 ."]),
      set("CNAME", "www", [zone.name]),
      set("CNAME", "key1._domainkey", ["key1.domainkey.example.test"]),
      set("CNAME", "xn--bcher-kva", ["xn--mnchen-3ya.example.test"]),
      set("AAAA", "v6.deep.er", ["2001:db8::1"]),
      set("CAA", "@", ['0 issue "ca.example.test"'])
    ]
    for (const one of sets) await write(zone, null, one)
    expect(await read(zone)).toEqual(sorted(sets))
    for (const { contents, name, type } of sets.filter(({ type }) => type !== "CAA"))
      expect(await site.served(zone.name, name, type)).toEqual(contents.toSorted())
    for (const one of sets) await write(zone, one, null)
    expect(await read(zone)).toEqual([])
  })

  test("lists an internationalised zone name in ASCII", async () => {
    await site.makeZone("xn--mnchen-3ya.test")
    const zone = await Effect.runPromise(Sites.zoneNamed(site.adapter, "xn--mnchen-3ya.test"))
    await write(zone, null, set("A", "xn--bro-hoa", ["192.0.2.1"]))
    expect(await site.served(zone.name, "xn--bro-hoa", "A")).toEqual(["192.0.2.1"])
  })

  test("reads 200 sets, and writes one of them without touching the others", async () => {
    const zone = await freshZone()
    const sets = Array.from({ length: 200 }, (_, at) => set("A", `host${at}`, [`192.0.2.${at}`]))
    await site.put(zone.name, ...sets.map((one) => ({ ...one, ttl: 300 })))
    expect(await read(zone)).toEqual(sorted(sets))
    const changed = set("A", "host142", ["203.0.113.7"])
    await write(zone, sets[142]!, changed)
    expect(await read(zone)).toEqual(sorted(sets.with(142, changed)))
  })

  test("keeps foreign contents of a set unchanged", async () => {
    const zone = await freshZone()
    // In three strings, which we would have made one.
    const foreign = '"google-site-" "verif" "ication=x"'
    await site.put(zone.name, { name: "@", type: "TXT", ttl: 300, contents: [foreign, '"v=spf1 -all"'] })
    const [before] = await read(zone)
    expect(before?.contents).toEqual(["google-site-verification=x", "v=spf1 -all"])
    await write(zone, before!, set("TXT", "@", ["v=spf1 mx -all", "google-site-verification=x"]))
    expect(await site.written(zone.name, "@", "TXT")).toContain(foreign)
    expect(await site.served(zone.name, "@", "TXT")).toEqual(["google-site-verification=x", "v=spf1 mx -all"])
  })

  test("does not change the zone's NS and SOA records", async () => {
    const zone = await freshZone()
    expect(await read(zone)).toEqual([])
    const changes = await site.changes(zone.name)
    for (const type of ["NS", "SOA"]) {
      expect(
        (await refusal(site.adapter.write(zone, { type, name: "@" }, null, set(type, "@", ["ns1.example.test"]))))
          .reason
      ).toBe("invalid")
      expect((await refusal(site.adapter.write(zone, { type, name: "@" }, null, null))).reason).toBe("invalid")
    }
    expect(await site.changes(zone.name)).toBe(changes)
    await write(zone, null, set("NS", "sub", ["ns1.example.test", "ns2.example.test"]))
    expect(await read(zone)).toEqual([set("NS", "sub", ["ns1.example.test", "ns2.example.test"])])
  })

  test.each([
    set("A", "www", ["192.0.2.300"]),
    set("A", "www", ["192.0.2.1\n@ A 203.0.113.1"]),
    set("TXT", "www", ["line\nfeed"]),
    set("TXT", "www", [""]),
    set("MX", "www", ["mail.example.test"]),
    set("CNAME", "www", ["one.example.test", "two.example.test"]),
    set("A", "Www", ["192.0.2.1"]),
    set("A", "a..b", ["192.0.2.1"]),
    set("A", "../../zones", ["192.0.2.1"]),
    set("A", "x".repeat(64), ["192.0.2.1"]),
    set("A", "www", []),
    set("A", "www", ["192.0.2.1"], -1)
  ])("refuses $type at $name of $contents, and asks nobody to write it", async (wrong) => {
    const zone = await freshZone()
    const changes = await site.changes(zone.name)
    expect((await refusal(site.adapter.write(zone, wrong, null, wrong))).reason).toBe("invalid")
    expect(await site.changes(zone.name)).toBe(changes)
  })

  test("reports the provider's reason for refusing a record", async () => {
    const zone = await freshZone()
    await write(zone, null, set("CNAME", "www", ["one.example.test"]))
    const error = await refusal(
      site.adapter.write(zone, { type: "A", name: "www" }, null, set("A", "www", ["192.0.2.1"]))
    )
    expect(error.reason).toBe("invalid")
    expect(error.detail).toMatch(/CNAME|Conflicts|INVALID_RECORD/)
  })

  test("reports a zone that no longer exists", async () => {
    const gone = { id: "gone.test.", name: "gone.test" }
    expect((await refusal(site.adapter.read(gone))).reason).toBe("zone_not_found")
    expect(
      (await refusal(site.adapter.write(gone, { type: "A", name: "www" }, null, set("A", "www", ["192.0.2.1"])))).reason
    ).toBe("zone_not_found")
    expect(
      (await refusal(site.adapter.write(gone, { type: "A", name: "www" }, set("A", "www", ["192.0.2.1"]), null))).reason
    ).toBe("zone_not_found")
  })

  test("serialises writes to one zone; a second write to the same set conflicts", async () => {
    const zone = await freshZone()
    const sets = Array.from({ length: 8 }, (_, at) => set("A", `host${at}`, [`192.0.2.${at}`]))
    await run(Effect.forEach(sets, (one) => site.adapter.write(zone, one, null, one), { concurrency: "unbounded" }))
    expect(await read(zone)).toEqual(sorted(sets))
    const rivals = await Effect.runPromise(
      Effect.forEach(
        ["203.0.113.1", "203.0.113.2", "203.0.113.3"],
        (content) =>
          Effect.result(site.adapter.write(zone, { type: "A", name: "host0" }, sets[0]!, set("A", "host0", [content]))),
        { concurrency: "unbounded" }
      )
    )
    expect(rivals.map((result) => (Result.isFailure(result) ? result.failure.reason : "written"))).toEqual([
      "written",
      "conflict",
      "conflict"
    ])
  })
})
