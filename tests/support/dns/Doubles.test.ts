import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HetznerDouble } from "./HetznerDouble.ts"
import { IonosDouble } from "./IonosDouble.ts"

/**
 * Checks that the doubles refuse invalid requests, so that adapter tests cannot pass with requests that real providers
 * refuse.
 */
describe("HetznerDouble", () => {
  const double = new HetznerDouble()
  let base = ""
  beforeAll(async () => {
    base = await double.start()
    double.makeZone("a.test")
  })
  afterAll(() => double.stop())
  const ask = async (method: string, path: string, body?: unknown, token = double.token) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, json: (await response.json()) as any }
  }
  const create = (set: object) =>
    ask("POST", "/zones/a.test/rrsets", { name: "www", type: "A", records: [{ value: "192.0.2.1" }], ...set })

  it.each([
    ["a TXT without quotes", { type: "TXT", records: [{ value: "v=spf1 -all" }] }],
    ["a string of 256 octets", { type: "TXT", records: [{ value: `"${"x".repeat(256)}"` }] }],
    ["a TTL of 59", { ttl: 59 }],
    ["a name in capitals", { name: "Www" }],
    ["a name in full", { name: "www.a.test" }],
    ["a name with a dot", { name: "www." }],
    ["no records", { records: [] }],
    ["the same twice", { records: [{ value: "192.0.2.1" }, { value: "192.0.2.1" }] }],
    ["an MX without a priority", { type: "MX", records: [{ value: "mail.a.test." }] }]
  ])("refuses %s", async (_what, set) =>
    expect(await create(set)).toMatchObject({ status: 422, json: { error: { code: "invalid_input" } } })
  )

  it("takes a host without a dot for one of the zone", async () => {
    double.put("a.test", { name: "alias", type: "CNAME", ttl: null, records: [{ value: "www.b.test" }] })
    expect(double.served("a.test", "alias", "CNAME")).toEqual(["www.b.test.a.test"])
  })

  it("changes nothing before its action is done, and locks the zone until then", async () => {
    const made = await create({ name: "once" })
    expect(made).toMatchObject({ status: 201, json: { action: { status: "running" } } })
    expect(double.served("a.test", "once", "A")).toEqual([])
    expect((await create({ name: "other" })).json.error.code).toBe("locked")
    expect((await ask("GET", `/actions/${made.json.action.id}`)).json.action.status).toBe("success")
    expect(double.served("a.test", "once", "A")).toEqual(["192.0.2.1"])
    expect((await create({ name: "once" })).json.error.code).toBe("uniqueness_error")
  })

  it("knows who asks, and gives pages", async () => {
    expect((await ask("GET", "/zones", undefined, "nobody's")).json.error.code).toBe("unauthorized")
    expect((await ask("DELETE", "/zones/a.test/rrsets/www/A", undefined, double.readOnlyToken)).json.error.code).toBe(
      "token_readonly"
    )
    expect((await ask("GET", "/zones?per_page=51")).status).toBe(422)
    expect((await ask("GET", "/zones/a.test/rrsets?per_page=1")).json.meta.pagination).toMatchObject({
      page: 1,
      next_page: 2
    })
  })
})

describe("IonosDouble", () => {
  const double = new IonosDouble()
  let [base, zone] = ["", ""]
  beforeAll(async () => {
    base = await double.start()
    double.makeZone("a.test")
    zone = (await ask("GET", "/zones")).json[0].id
  })
  afterAll(() => double.stop())
  const ask = async (method: string, path: string, body?: unknown, key = `${double.prefix}.${double.secret}`) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { "x-api-key": key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
  }
  const create = (record: object) =>
    ask("POST", `/zones/${zone}/records`, [
      { name: "www.a.test", type: "A", content: "192.0.2.1", ttl: 60, prio: 0, disabled: false, ...record }
    ])

  it.each([
    ["a TTL of 59", { ttl: 59 }, "ttl"],
    ["a name below the zone alone", { name: "www" }, "name"],
    ["a name with a dot", { name: "www.a.test." }, "name"],
    ["a host with a dot", { type: "CNAME", content: "b.test." }, "content"],
    ["a priority in the content", { type: "MX", content: "10 b.test" }, "content"],
    ["a bare TXT of 256 octets", { type: "TXT", content: "x".repeat(256) }, "content"],
    ["a bare TXT with a quote in it", { type: "TXT", content: 'say "hi"' }, "content"]
  ])("refuses %s", async (_what, record, field) =>
    expect(await create(record)).toMatchObject({
      status: 400,
      json: [{ code: "INVALID_RECORD", parameters: { invalidFields: [field] } }]
    })
  )

  it("gives TXT back quoted, and keeps what was not said to be enabled disabled", async () => {
    await create({ name: "t.a.test", type: "TXT", content: "v=spf1 -all", disabled: undefined })
    expect((await ask("GET", `/zones/${zone}?recordName=t.a.test&recordType=TXT`)).json.records).toMatchObject([
      { content: '"v=spf1 -all"', disabled: true }
    ])
    expect(double.served("a.test", "t", "TXT")).toEqual([])
  })

  it("does not let a zone be replaced, nor a record be there twice", async () => {
    expect((await ask("PUT", `/zones/${zone}`, [])).status).toBe(405)
    expect((await ask("PATCH", `/zones/${zone}`, [])).status).toBe(405)
    expect((await create({})).status).toBe(201)
    expect((await create({})).status).toBe(409)
    expect((await ask("GET", "/zones", undefined, "a.b")).status).toBe(401)
  })
})
