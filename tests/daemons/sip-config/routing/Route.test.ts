import { assert, describe, it } from "@effect/vitest"
import type { Call, Plan, Route } from "#daemons/sip-config/routing/Call.ts"
import { explain, route } from "#daemons/sip-config/routing/Route.ts"
import { telephony } from "./Rows.ts"

const plan: Plan = { country: "DE", voicemailNumber: "*97" }

/** Two tenants, each with an extension 1001. Tenant 2 has two domains, lines over two trunks, and numbers. */
const lab = () => {
  const made = telephony()
  const { put } = made
  put("sip_domain", 1)
  put("sip_domain", 2, { tenant_id: 3, domain: "other.example" })
  put("sip_domain", 3, { domain: "second.example" })
  put("extension", 1)
  put("extension", 2, { extension: "1002" })
  put("extension", 3, { tenant_id: 3, domain_id: 2, extension: "1001" })
  put("extension", 4, { domain_id: 3, extension: "1001" })
  put("extension", 5, { domain_id: 3, extension: "1005" })
  put("extension", 6, { extension: "110" })
  put("ring_group", 8, { number: "911" })
  put("voicemail_box", 9, { box: "999" })
  put("trunk", 1)
  put("trunk", 2, { caller_id: "+4930999" })
  put("trunk", 3, { tenant_id: 3 })
  put("did", 1)
  put("line", 1, { trunk_id: 2, priority: 20 })
  put("line", 2, { trunk_id: 1, priority: 10, did_id: 1 })
  return made
}

const from = (destination: string, more: Partial<Call> = {}): Call => ({
  context: "tenant-2",
  destination,
  caller: "1001",
  user: "1001",
  domain: "lab.example",
  ...more
})
const outside = (destination: string, caller = "+4940777"): Call => ({
  context: "public",
  destination,
  caller,
  user: undefined,
  domain: undefined
})

/** The route as a short text. */
const word = (found: Route): string => {
  switch (found._tag) {
    case "Extension":
      return `${found.extension.extension}@${found.domain}${found.box === undefined ? "" : " box"}`
    case "RingGroup":
      return `group ${found.members.join()}`
    case "Outside":
      return `${found.number} ${found.legs.map(({ callerId, trunk }) => `${trunk}:${callerId}`).join()}`
    case "Refused":
      return String(found.status)
    default:
      return found._tag
  }
}

describe("calls of phones", () => {
  const cases: ReadonlyArray<readonly [what: string, call: Call, way: string]> = [
    ["within the own domain", from("1001"), "1001@lab.example"],
    ["whichever case", from("1002", { domain: "LAB.example" }), "1002@lab.example"],
    ["the caller's own domain goes first", from("1001", { domain: "second.example" }), "1001@second.example"],
    ["another domain of the tenant", from("1005"), "1005@second.example"],
    ["a domain of another tenant is none", from("1001", { domain: "other.example" }), "1001@lab.example"],
    ["another tenant", from("1001", { context: "tenant-3", domain: "other.example" }), "1001@other.example"],
    ["a tenant without anything", from("1001", { context: "tenant-9" }), "404"],
    ["nothing of that number", from("1009"), "404"],
    ["no number at all", from("nonsense;"), "404"],
    ["outside by priority", from("+4940123456"), "+4940123456 1:+4930123001,2:+4930999"],
    ["outside as within the country", from("040123456"), "+4940123456 1:+4930123001,2:+4930999"],
    ["outside with 00", from("004940123456"), "+4940123456 1:+4930123001,2:+4930999"],
    ["outside without a line", from("+4940123456", { user: "1002" }), "403"],
    ["outside by nobody", from("+4940123456", { user: undefined }), "403"],
    ["outside by a phone of another domain", from("+4940123456", { domain: "other.example" }), "403"],
    ["an own number stays within", from("030123001"), "1001@lab.example"],
    ["an emergency number is no extension", from("110", { user: "1002" }), "110 1:+4930123001,2:+4930999"],
    ["an emergency number is no ring group", from("911", { user: "1002" }), "911 1:+4930123001,2:+4930999"],
    ["an emergency number is no box", from("999", { user: "1002" }), "999 1:+4930123001,2:+4930999"],
    ["an emergency number of an unproven phone", from("110", { user: undefined }), "403"],
    ["an emergency by any trunk", from("112", { user: "1002" }), "112 1:+4930123001,2:+4930999"],
    ["no box, no voicemail", from("*97"), "404"]
  ]
  for (const [what, call, way] of cases) it(what, () => assert.strictEqual(word(route(lab().held, plan, call)), way))

  it("a switched-off extension, trunk or box is not there", () => {
    const { held, put } = lab()
    put("extension", 2, { extension: "1002", enabled: false })
    put("trunk", 1, { enabled: false })
    put("voicemail_box", 1, { enabled: false })
    assert.deepStrictEqual(
      [from("1002"), from("+4940123456"), from("*97"), from("1001")].map((call) => word(route(held, plan, call))),
      ["404", "+4940123456 2:+4930999", "404", "1001@lab.example"]
    )
    put("voicemail_box", 1)
    assert.deepStrictEqual(
      [from("*97"), from("1001")].map((call) => word(route(held, plan, call))),
      ["Check", "1001@lab.example box"]
    )
  })

  it("a switched-off phone calls nobody outside", () => {
    const { held, put } = lab()
    put("extension", 1, { enabled: false })
    assert.strictEqual(word(route(held, plan, from("+4940123456"))), "403")
  })

  it("a ring group rings those who are there, once each", () => {
    const { held, put } = lab()
    put("ring_group", 1, { extensions: ["1002", "1001", "1002", "1999"] })
    put("ring_group", 2, { number: null, extensions: [] })
    put("ring_group", 3, { tenant_id: 3, domain_id: 2, number: null, extensions: ["1001"] })
    assert.deepStrictEqual(
      ["600", "group_1", "group_2", "group_3", "group_9"].map((number) => word(route(held, plan, from(number)))),
      ["group 1002,1001", "group 1002,1001", "480", "404", "404"]
    )
  })

  it("what a menu dials outside goes by the tenant's lines, and by nobody else's", () => {
    const { held, put } = lab()
    put("external_number", 1)
    put("external_number", 2, { tenant_id: 3 })
    const menu = { user: undefined, domain: undefined }
    assert.deepStrictEqual(
      ["external_1", "external_2"].map((number) => word(route(held, plan, from(number, menu)))),
      ["+491701234567 1:+4930123001,2:+4930999", "404"]
    )
  })
})

describe("calls from outside", () => {
  for (const spelling of ["+4930123001", "4930123001", "004930123001", "030123001"]) {
    it(`the number as ${spelling}`, () =>
      assert.strictEqual(word(route(lab().held, plan, outside(spelling))), "1001@lab.example"))
  }

  it("every kind of destination, and none of another tenant's", () => {
    const { held, put } = lab()
    put("ring_group", 1)
    put("ivr_menu", 1)
    put("voicemail_box", 1)
    put("external_number", 1)
    const leads = (
      destination_type: "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external",
      destination_id: number,
      tenant_id = 2
    ) => {
      put("did", 7, { number: "+4930123007", destination_type, destination_id, tenant_id })
      return word(route(held, plan, outside("+4930123007")))
    }
    assert.deepStrictEqual(
      [
        leads("extension", 2),
        leads("ring_group", 1),
        leads("ivr_menu", 1),
        leads("voicemail", 1),
        leads("external", 1),
        leads("extension", 99)
      ],
      ["1002@lab.example", "group 1001", "Menu", "Leave", "+491701234567 1:+4930123007,2:+4930123007", "404"]
    )
    for (const type of ["extension", "ring_group", "ivr_menu", "voicemail", "external"] as const)
      assert.strictEqual(leads(type, 1, 3), "404")
  })

  it("a number is reached only from the networks of its trunk", () => {
    const { held, put } = lab()
    put("trunk", 1, { networks: ["192.0.2.0/24", "198.51.100.0/24"], confirmed: ["192.0.2.0/24"] })
    put("trunk", 2, { host: "203.0.113.7" })
    put("trunk", 3, { tenant_id: 3, networks: ["10.0.0.0/12"], confirmed: ["10.0.0.0/12"] })
    put("trunk", 4, { tenant_id: 1, host: "2001:db8::1" })
    put("did", 1, { trunk_id: 1 })
    const from = (address: string) => word(route(held, plan, { ...outside("+4930123001"), address }))
    const answers = () =>
      ["192.0.2.9", "::ffff:192.0.2.9", "198.51.100.9", "203.0.113.7", "10.1.2.3", "2001:db8::1", "", "nonsense"].map(
        from
      )
    const rings = "1001@lab.example"
    assert.deepStrictEqual(answers(), [rings, rings, "403", "403", "403", "403", "403", "403"])
    // Without a trunk: from all trunks of the tenant and of the provider, but of no other tenant.
    put("did", 1, { trunk_id: null })
    assert.deepStrictEqual(answers(), [rings, rings, "403", rings, "403", rings, "403", "403"])
    put("trunk", 1, { networks: ["192.0.2.0/24"], confirmed: ["192.0.2.0/24"], enabled: false })
    assert.strictEqual(from("192.0.2.9"), "403")
    assert.deepStrictEqual(
      explain(held, plan, { ...outside("+4930123001"), address: "10.1.2.3" }).steps.map(({ code }) => code),
      ["from_outside", "did_is_ours", "trunk_is_not_the_numbers", "call_is_refused"]
    )
  })

  it("an extension, a group or a foreign context is not reached from outside", () => {
    const { held } = lab()
    for (const number of ["1001", "600", "external_1", "*97", "112", "", "9".repeat(10_000)])
      assert.strictEqual(word(route(held, plan, outside(number))), "404")
  })

  it("numbers that lead to each other end", () => {
    const { held, put } = lab()
    put("external_number", 1, { number: "+4930123002" })
    put("external_number", 2, { number: "030123001" })
    put("did", 1, { destination_type: "external", destination_id: 1 })
    put("did", 2, { number: "+4930123002", destination_type: "external", destination_id: 2 })
    assert.strictEqual(word(route(held, plan, outside("+4930123001"))), "482")
    // The same loop between two tenants, over the telephone network.
    put("did", 2, { number: "+4930123002", destination_type: "external", destination_id: 3, tenant_id: 3 })
    put("external_number", 3, { number: "+4930123001", tenant_id: 3 })
    assert.strictEqual(word(route(held, plan, outside("+4930123001"))), "482")
    assert.strictEqual(word(route(held, plan, from("+4930123002"))), "482")
    // Without the loop, the call goes out like any other.
    put("did", 2, { number: "+4930123002", destination_type: "extension", destination_id: 3, tenant_id: 3 })
    assert.strictEqual(word(route(held, plan, outside("+4930123001"))), "+4930123002 1:+4930123001,2:+4930123001")
  })

  it("filters of the number's tenant refuse, and say so step by step", () => {
    const { held, put } = lab()
    put("call_filter", 1, { name: "Spam", pattern: "0900*" })
    put("call_filter", 2, { name: "Theirs", pattern: "*", tenant_id: 3 })
    const refused = explain(held, plan, outside("+4930123001", "+49900123456"))
    assert.strictEqual(word(refused.route), "603")
    assert.deepStrictEqual(
      refused.steps.map(({ code }) => code),
      ["from_outside", "did_is_ours", "filter_fits", "filter_refuses", "call_is_refused"]
    )
    assert.strictEqual(word(route(held, plan, outside("+4930123001"))), "1001@lab.example")
    assert.strictEqual(word(route(held, plan, from("1001", { caller: "+49900123456" }))), "1001@lab.example")
  })
})

describe("rows that come and go", () => {
  it("places change hands within one comparison", () => {
    const { held, put } = lab()
    put("extension", 1, { extension: "1002" })
    put("extension", 2, { extension: "1001" })
    assert.deepStrictEqual(
      ["1001", "1002"].map((number) => held.extension(1, number)?.id),
      [2, 1]
    )
    const version = held.version()
    held.put("extension", held.get("extension", 1)!)
    assert.strictEqual(held.version(), version)
    held.remove("extension", 2)
    held.remove("extension", 2)
    assert.deepStrictEqual([held.extension(1, "1001"), held.version()], [undefined, version + 1])
  })
})
