import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { actions, as, callsOf, startTelephony } from "../Telephony.ts"

type Calls = ReturnType<typeof callsOf>

/** Creates one object of each destination type in a domain of the caller. */
const oneOfEach = (calls: Calls, domain: string) =>
  Effect.gen(function* () {
    const { extension: number, id: extension } = yield* calls.extension("1001", { domain })
    return {
      extension: extension as number,
      ring_group: (yield* calls.ringGroup("Sales", [number], { domain })).id as number,
      ivr_menu: (yield* calls.menu("Day", { domain })).id as number,
      voicemail: (yield* calls.box("1001", { domain })).id as number,
      external: (yield* calls.external("+49171 1234567")).id as number,
      trunk: (yield* calls.trunk("Far")).id as number
    }
  })

const types = ["extension", "ring_group", "ivr_menu", "voicemail", "external"] as const
const paths = {
  extension: "extensions",
  ring_group: "ring-groups",
  ivr_menu: "ivr-menus",
  voicemail: "voicemail-boxes",
  external: "external-numbers"
} as const

it.live("a call is led to what the tenant has, of the type that is named, and to nothing of another tenant's", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const own = callsOf(suite, as(7))
      const service = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      const mine = yield* oneOfEach(own, "a.test")
      const others = yield* oneOfEach(callsOf(suite, as(8)), "b.test")
      const answer = ({ json, status }: { readonly json: any; readonly status: number }) => [
        status,
        ...(json?.errors?.map(({ field }: { readonly field: string }) => field) ?? [])
      ]
      const lead = (destination_type: string, destination_id: number, more = {}) => ({
        number: "+4930 1234500",
        name: "Main",
        destination_type,
        destination_id,
        ...more
      })
      // Shifts the ids, because they begin at 1 in every table and must not be equal by chance.
      yield* Effect.forEach(
        ["extension", "ring_group", "ivr_menu", "voicemail_box", "external_number"],
        (table, index) =>
          suite.sql`select setval(pg_get_serial_sequence(${`sip_config.${table}`}, 'id'), ${1000 * (index + 1)})`
      )
      for (const type of types) {
        expect([type, ...answer(yield* own.post("dids", lead(type, others[type])))]).toEqual([
          type,
          422,
          "payload.destination_id"
        ])
        expect([type, ...answer(yield* own.post("dids", lead(type, 2_000_000_000)))]).toEqual([
          type,
          422,
          "payload.destination_id"
        ])
        // A service token sees both tenants, but cannot connect objects of different tenants.
        expect([type, ...answer(yield* service.post("dids", lead(type, others[type], { tenant_id: 7 })))]).toEqual([
          type,
          422,
          "payload.destination_id"
        ])
        expect([
          type,
          ...answer(
            yield* own.post("ivr-menus", {
              name: "Night",
              greeting: "a.wav",
              entries: [{ digits: "1", destination_type: type, destination_id: others[type] }]
            })
          )
        ]).toEqual([type, 422, "payload.entries[0].destination_id"])
      }
      const did = yield* own.did("030 1234500", "extension", mine.extension)
      expect(did.number).toBe("+49301234500")
      for (const type of types) {
        expect([
          type,
          (yield* own.put(`dids/${did.id}`, { destination_type: type, destination_id: mine[type] })).json
            .destination_type
        ]).toEqual([type, type])
        expect(answer(yield* own.put(`dids/${did.id}`, { destination_id: others[type] }))).toEqual([
          422,
          "payload.destination_id"
        ])
      }
      // The id stays and the type changes; they no longer match.
      const fresh = yield* own.extension("1500", { domain: "a.test" })
      yield* own.put(`dids/${did.id}`, { destination_type: "extension", destination_id: fresh.id })
      expect(answer(yield* own.put(`dids/${did.id}`, { destination_type: "voicemail" }))).toEqual([
        422,
        "payload.destination_id"
      ])
      expect(answer(yield* own.put(`dids/${did.id}`, { trunk_id: others.trunk }))).toEqual([422, "payload.trunk_id"])
      const line = { extension_id: mine.extension, trunk_id: mine.trunk, did_id: did.id }
      expect(answer(yield* own.post("lines", { ...line, extension_id: others.extension }))).toEqual([
        422,
        "payload.extension_id"
      ])
      expect(answer(yield* own.post("lines", { ...line, trunk_id: others.trunk }))).toEqual([422, "payload.trunk_id"])
      const theirDid = yield* callsOf(suite, as(8)).did("+4930 1234501", "extension", others.extension)
      expect(answer(yield* own.post("lines", { ...line, did_id: theirDid.id }))).toEqual([422, "payload.did_id"])
      expect(answer(yield* own.post("lines", line))).toEqual([201])
      expect(
        (yield* own.post("dids", lead("extension", mine.extension, { number: "0049 30 1234501" }))).json.code
      ).toBe("number_taken")
      expect((yield* own.put(`dids/${did.id}`, { number: "+49301234501" })).json.code).toBe("number_taken")
      expect(answer(yield* own.post("dids", lead("extension", mine.extension, { number: "+49 1" })))).toEqual([
        422,
        "payload.number"
      ])
    })
  )
)

it.live("what is pointed at stays, and the refusal names what points", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const calls = callsOf(suite, as(7))
      const { get, put, remove } = calls
      const mine = yield* oneOfEach(calls, "a.test")
      const inUse = (path: string) =>
        Effect.map(remove(path), ({ json, status }) => [
          status,
          json?.code,
          ...(json?.used_by?.map(({ id, type }: any) => `${type} ${id}`) ?? [])
        ])
      const did = yield* calls.did("+49301234500", "extension", mine.extension, { trunk_id: mine.trunk })
      const line = yield* calls.line(mine.extension, mine.trunk, { did_id: did.id })
      expect(yield* inUse(`extensions/${mine.extension}`)).toEqual([409, "in_use", `did ${did.id}`])
      expect(yield* inUse(`trunks/${mine.trunk}`)).toEqual([409, "in_use", `did ${did.id}`])
      expect(yield* inUse(`dids/${did.id}`)).toEqual([409, "in_use", `line ${line.id}`])
      for (const type of types.slice(1)) {
        yield* put(`dids/${did.id}`, { destination_type: type, destination_id: mine[type], trunk_id: null })
        expect(yield* inUse(`${paths[type]}/${mine[type]}`)).toEqual([409, "in_use", `did ${did.id}`])
      }
      const night = yield* calls.menu("Night", {
        entries: types.map((destination_type, index) => ({
          digits: String(index),
          destination_type,
          destination_id: mine[destination_type]
        }))
      })
      yield* put(`dids/${did.id}`, { destination_type: "ivr_menu", destination_id: night.id })
      for (const type of types)
        expect(yield* inUse(`${paths[type]}/${mine[type]}`)).toEqual([409, "in_use", `ivr_menu ${night.id}`])
      yield* put(`ivr-menus/${night.id}`, {
        entries: [{ digits: "9", destination_type: "ivr_menu", destination_id: night.id }]
      })
      expect(yield* inUse(`ivr-menus/${night.id}`)).toEqual([409, "in_use", `did ${did.id}`])
      expect(yield* inUse(`extensions/${mine.extension}`)).toEqual([409, "in_use", `ring_group ${mine.ring_group}`])
      expect((yield* put(`extensions/${mine.extension}`, { extension: "1002" })).json.code).toBe("in_use")
      expect((yield* put(`extensions/${mine.extension}`, { domain: "c.test" })).json.code).toBe("in_use")
      expect((yield* put(`extensions/${mine.extension}`, { name: "Bob" })).status).toBe(200)
      expect(yield* inUse(`ring-groups/${mine.ring_group}`)).toEqual([204, undefined])
      expect(yield* inUse(`extensions/${mine.extension}`)).toEqual([409, "in_use", `line ${line.id}`])
      expect(yield* inUse(`trunks/${mine.trunk}`)).toEqual([409, "in_use", `line ${line.id}`])
      // Deletes in an order without references. A menu that refers to itself can be deleted.
      for (const path of [
        `lines/${line.id}`,
        `dids/${did.id}`,
        `ivr-menus/${night.id}`,
        `trunks/${mine.trunk}`,
        ...["extension", "ivr_menu", "voicemail", "external"].map(
          (type) => `${paths[type as "extension"]}/${mine[type as "extension"]}`
        )
      ]) {
        expect([path, ...(yield* inUse(path))]).toEqual([path, 204, undefined])
      }
      for (const path of [...Object.values(paths), "lines", "dids", "trunks"])
        expect((yield* get(path)).json.items).toEqual([])
      // The domain is deleted with its last object, so a different tenant can use it.
      expect(yield* actions(suite, "sip_domain")).toEqual(["created", "proven", "deleted"])
      expect((yield* callsOf(suite, as(8)).extension("1001", { domain: "a.test" })).domain).toBe("a.test")
    })
  )
)

it.live("a domain is one tenant's, a number in it one thing's, and a group rings extensions of its domain", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const a = callsOf(suite, as(7))
      const b = callsOf(suite, as(8))
      const code = ({ json, status }: { readonly json: any; readonly status: number }) =>
        [status, json.code ?? json.errors, ...(json.errors?.map(({ field }: any) => field) ?? [])].filter(
          (item) => typeof item !== "object"
        )
      yield* a.extension("1001", { domain: "a.test" })
      const ext = (extension: string, domain: string) => ({ extension, name: "Bob", domain })
      expect(code(yield* b.post("extensions", ext("1001", "A.test")))).toEqual([409, "domain_taken"])
      expect(code(yield* b.post("voicemail-boxes", { box: "1", name: "Bob", domain: "a.test" }))).toEqual([
        409,
        "domain_taken"
      ])
      expect(code(yield* b.post("ivr-menus", { name: "Day", greeting: "a.wav" }))).toEqual([
        422,
        "invalid_request",
        "payload.domain"
      ])
      expect(code(yield* a.post("extensions", ext("1001", "a.test")))).toEqual([409, "number_taken"])
      expect((yield* a.extension("webRTC-ann", { domain: "a.test" })).extension).toBe("webrtc-ann")
      expect(code(yield* a.post("extensions", ext("WEBRTC-ANN", "a.test")))).toEqual([409, "number_taken"])
      expect((yield* b.extension("1001", { domain: "b.test" })).warnings).toEqual([])
      const group = (extensions: ReadonlyArray<string>, more = {}) =>
        a.post("ring-groups", { name: "Sales", strategy: "random", ring_timeout: 20, extensions, ...more })
      const sales = (yield* group(["WebRTC-Ann", "1001"], { number: "60" })).json
      expect(sales).toMatchObject({
        domain: "a.test",
        number: "60",
        extensions: ["webrtc-ann", "1001"],
        ring_timeout: 20
      })
      expect(code(yield* group(["1001"], { number: "60" }))).toEqual([409, "number_taken"])
      expect(code(yield* group(["1001"], { number: "1001" }))).toEqual([409, "number_taken"])
      expect(code(yield* a.post("extensions", ext("60", "a.test")))).toEqual([409, "number_taken"])
      expect(code(yield* group(["1001", "1002"]))).toEqual([422, "invalid_request", "payload.extensions[1]"])
      expect(code(yield* group(["1001", "1001"]))).toEqual([422, "invalid_request", "payload.extensions[1]"])
      expect(code(yield* group(["1001"], { ring_timeout: 601 }))).toEqual([
        422,
        "invalid_request",
        "payload.ring_timeout"
      ])
      const other = yield* a.extension("1003", { domain: "c.test" })
      expect((yield* group(["1001"])).json.domain).toBe("a.test")
      expect(code(yield* group(["1003"], { domain: "a.test" }))).toEqual([
        422,
        "invalid_request",
        "payload.extensions[0]"
      ])
      expect(code(yield* a.put(`ring-groups/${sales.id}`, { domain: "c.test" }))).toEqual([
        422,
        "invalid_request",
        "payload.extensions[0]"
      ])
      expect((yield* a.put(`extensions/${other.id}`, { domain: "d.test", extension: "1004" })).json).toMatchObject({
        domain: "d.test",
        extension: "1004"
      })
      expect((yield* a.get("extensions?domain=C.test")).json.items).toEqual([])
      expect((yield* callsOf(suite, as(9)).extension("1001", { domain: "c.test" })).tenant_id).toBe(9)
      expect((yield* a.get("extensions?domain=D.test&number=1004")).json.items.map(({ id }: any) => id)).toEqual([
        other.id
      ])
      const first = yield* a.get("extensions?limit=2")
      const second = yield* a.get(`extensions?limit=2&before=${first.json.next_before}`)
      expect([...first.json.items, ...second.json.items].map(({ extension }: any) => extension)).toEqual([
        "1004",
        "webrtc-ann",
        "1001"
      ])
      expect(second.json.next_before).toBe(null)
      expect(code(yield* a.post("extensions", { ...ext("1005", "a.test"), tenant_id: 8 }))).toEqual([403, "forbidden"])
      // A service token sees every tenant, but each new object belongs to one.
      const service = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      expect(code(yield* service.post("extensions", { ...ext("1005", "a.test"), tenant_id: 8 }))).toEqual([
        409,
        "domain_taken"
      ])
      expect((yield* service.post("ivr-menus", { name: "Day", greeting: "a.wav", tenant_id: 8 })).json).toMatchObject({
        tenant_id: 8,
        domain: "b.test"
      })
      expect((yield* service.get("extensions?tenant_id=8")).json.items.map(({ domain }: any) => domain)).toEqual([
        "b.test"
      ])
      expect((yield* service.get("extensions?number=1001")).json.items.map(({ tenant_id }: any) => tenant_id)).toEqual([
        9, 8, 7
      ])
    })
  )
)
