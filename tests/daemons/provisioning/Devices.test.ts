import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { untilWithin } from "#support/Within.ts"
import { startProvisioning } from "./ProvisioningSuite.ts"

const devices = "/api/v1/provisioning/devices"

describe("devices", () => {
  it.live(
    "are listed, and their revocation ends login, app password and SIP password, naming the others",
    () =>
      Effect.gen(function* () {
        const { admin, as, extension, link, mailbox, person, revocations, suite } = yield* startProvisioning()
        const anna = yield* person()
        const number = yield* extension(anna, "1001")
        yield* mailbox(anna, "anna@mail.example.org")
        const mine = as(anna.headers)
        const first = yield* suite.call("GET", (yield* link(anna, "Laptop")).path, { headers: { "user-agent": "X/1" } })
        yield* suite.call("GET", (yield* link(anna)).path, {
          headers: { "user-agent": "Mozilla/5.0 (iPhone; x)", "x-forwarded-for": "198.51.100.9" }
        })
        const { items } = (yield* mine("GET", devices)).json
        assert.deepStrictEqual(
          items.map((one: any) => [one.name, one.client_ip, one.user_agent, one.last_seen_at]),
          [
            ["iPhone", "198.51.100.9", "Mozilla/5.0 (iPhone; x)", null],
            ["Laptop", "127.0.0.1", "X/1", null]
          ]
        )
        const [phone, laptop] = items
        assert.deepStrictEqual(laptop.shares_extension_with, [{ id: phone.id, name: "iPhone", user_id: anna.id }])
        assert.deepStrictEqual((yield* mine("GET", `${devices}/${laptop.id}`)).json, laptop)

        const token = first.json.services[0].config.login_token
        const device = as({ authorization: `Bearer ${token}` })
        assert.strictEqual((yield* device("GET", "/api/v1/provisioning/my-services")).status, 200)
        assert.isNotNull((yield* mine("GET", `${devices}/${laptop.id}`)).json.last_seen_at)

        const config = `/api/v1/sip/extensions/${number}/config`
        const before = (yield* admin("GET", config)).json.password
        const revoked = yield* mine("DELETE", `${devices}/${laptop.id}`)
        assert.strictEqual(revoked.status, 200)
        assert.deepInclude(revoked.json, {
          id: laptop.id,
          sip_password_changes: true,
          affected_devices: [{ id: phone.id, name: "iPhone", user_id: anna.id }]
        })
        yield* untilWithin(
          30,
          "the login has ended",
          Effect.map(device("GET", "/api/v1/auth/me"), ({ status }) => status === 401)
        )
        yield* untilWithin(
          30,
          "the password has changed",
          Effect.map(admin("GET", config), ({ json }) => json.password !== before)
        )
        assert.deepStrictEqual(
          (yield* revocations).map(({ data: { at: _at, session, ...data } }) => [typeof session, data]),
          [
            [
              "string",
              {
                device_id: laptop.id,
                user_id: anna.id,
                tenant_id: 1,
                reason: "revoked",
                state: "deleted",
                mailbox: "anna@mail.example.org",
                extension_id: number
              }
            ]
          ]
        )
        assert.strictEqual((yield* mine("DELETE", `${devices}/${laptop.id}`)).status, 404)
        assert.deepStrictEqual(
          (yield* mine("GET", devices)).json.items.map((one: any) => [one.id, one.shares_extension_with]),
          [[phone.id, []]]
        )
        assert.strictEqual((yield* mine("GET", `${devices}?revoked=true`)).json.items.length, 2)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "belong to their user, and go with the user",
    () =>
      Effect.gen(function* () {
        const { admin, as, extension, link, person, revocations, suite, tenant } = yield* startProvisioning()
        const other = yield* tenant("Other")
        const [anna, bert, boss] = [
          yield* person({ tenant: other }),
          yield* person({ tenant: other }),
          yield* person({ tenant: other, role: "reseller" })
        ]
        const number = yield* extension(anna, "1001", other)
        yield* suite.call("GET", (yield* link(anna)).path)
        const unused = yield* link(anna)
        const [device] = (yield* as(boss.headers)("GET", devices)).json.items
        assert.strictEqual(device.user_id, anna.id)
        assert.deepStrictEqual((yield* as(bert.headers)("GET", devices)).json.items, [])
        for (const method of ["GET", "DELETE"])
          assert.strictEqual((yield* as(bert.headers)(method, `${devices}/${device.id}`)).status, 404)
        // The admin of another tenant sees nothing.
        const stranger = yield* person({ tenant: yield* tenant("Third"), role: "admin" })
        assert.deepStrictEqual((yield* as(stranger.headers)("GET", devices)).json.items, [])
        for (const method of ["GET", "DELETE"])
          assert.strictEqual((yield* as(stranger.headers)(method, `${devices}/${device.id}`)).status, 404)
        assert.strictEqual((yield* as(stranger.headers)("GET", `${devices}?tenant_id=${other}`)).status, 403)

        assert.strictEqual((yield* admin("DELETE", `/api/v1/users/${anna.id}`)).status, 204)
        yield* untilWithin(
          30,
          "the device is gone",
          Effect.map(suite.sql`select 1 from provisioning.device`, ({ length }) => length === 0)
        )
        assert.deepStrictEqual(yield* suite.sql`select 1 from provisioning.client_token where user_id = ${anna.id}`, [])
        assert.deepInclude((yield* revocations)[0]!.data, { reason: "user_deleted", extension_id: number })
        assert.strictEqual((yield* suite.call("GET", unused.path)).status, 404)
        const [row] = yield* suite.sql<any>`select email, name, state from provisioning.known_user
          where user_id = ${anna.id}`
        assert.deepStrictEqual(row, { email: "", name: "", state: "deleted" })
      }).pipe(Effect.scoped),
    120_000
  )
})
