import { expect, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { randomUUID } from "node:crypto"
import { DeviceRevoked, MailAppPassword } from "#core/contracts/Provisioning.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { maxAppPasswords, newAppPassword, newWithTag, tagOf } from "#daemons/mail-admin/app-passwords/AppPassword.ts"
import { asker } from "#support/Asker.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { as, callsOf, password, startAdmin } from "../Admin.ts"

const started = Effect.gen(function* () {
  const { ask, daemon } = asker()
  const suite = yield* startAdmin({ daemons: [mailAdmin, daemon] })
  const calls = callsOf(suite, as(7))
  const { id: domainId } = yield* calls.domain("a.test")
  const anna = yield* calls.account(domainId, "anna", { user_id: 70 })
  const device = (more: Partial<typeof MailAppPassword.ask.Type> = {}) => ({
    user_id: 70,
    tenant_id: 7,
    device_id: randomUUID(),
    client_ip: "192.0.2.7",
    address: "anna@a.test",
    device_name: "Anna's phone",
    ...more
  })
  const askFor = (more: Partial<typeof MailAppPassword.ask.Type> = {}) => ask(MailAppPassword, device(more))
  return { suite, calls, anna, ask, askFor, device }
})

/** Rows that the mail server sees. */
const logins = ({ sql }: TestSuite) =>
  sql<{ address: string; tag: string; password: string }>`select address, tag, password from mail_server.app_login
    order by tag`

const revoke = ({ sql }: TestSuite, device: { readonly device_id: string; readonly tenant_id: number }) =>
  Effect.gen(function* () {
    const data: typeof DeviceRevoked.data.Type = {
      device_id: device.device_id,
      user_id: 70,
      tenant_id: device.tenant_id,
      reason: "revoked",
      session: null,
      mailbox: "anna@a.test",
      extension_id: null,
      at: new Date().toISOString()
    }
    yield* sql`insert into core.event (type, source, tenant_id, data)
      values (${DeviceRevoked.type}, 'provisioning', ${device.tenant_id}, ${JSON.stringify(data)}::text::jsonb)`
    yield* sql`select pg_notify('signalbox', 'event')`
  })

it.live("a device gets a password of its own, stored as a hash, listed and ended with the device", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { anna, askFor, calls, device, suite } = yield* started
      const phone = device()
      const made = yield* askFor(phone)
      expect(made.login).toBe("anna@a.test")
      expect(made.password).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
      const laptop = yield* askFor({ device_name: "Laptop" })
      expect(laptop.password).not.toBe(made.password)

      const seen = yield* logins(suite)
      expect(seen.map(({ tag }) => tag)).toEqual(
        [made, laptop].map((one) => tagOf(Redacted.make(one.password))).toSorted()
      )
      const passwords = yield* Passwords.make()
      for (const one of [made, laptop]) {
        const row = seen.find(({ tag }) => tag === tagOf(Redacted.make(one.password)))!
        expect(row.address).toBe("anna@a.test")
        expect(yield* passwords.verify(Redacted.make(one.password), row.password.replace("{ARGON2ID}", ""))).toBe(true)
      }
      const list = `accounts/${anna.id}/app-passwords`
      expect((yield* calls.get(list)).json.items).toMatchObject([
        { address: "anna@a.test", user_id: 70, device_name: "Laptop" },
        { address: "anna@a.test", user_id: 70, device_id: phone.device_id, device_name: "Anna's phone" }
      ])

      // Asked again for the same device, for example after a lost answer.
      const again = yield* askFor(phone)
      expect((yield* logins(suite)).map(({ tag }) => tag)).toEqual(
        [again, laptop].map((one) => tagOf(Redacted.make(one.password))).toSorted()
      )

      yield* revoke(suite, phone)
      yield* untilWithin(
        30,
        "the revoked device has no password",
        Effect.map(logins(suite), (rows) => rows.length === 1)
      )
      const [left] = (yield* calls.get(list)).json.items
      expect((yield* calls.remove(`${list}/${left.id}`)).status).toBe(204)
      expect((yield* calls.remove(`${list}/${left.id}`)).status).toBe(404)
      expect(yield* logins(suite)).toEqual([])

      const audit = yield* suite.sql<{ action: string; actor: string; tenant_id: number; all: string }>`
        select action, actor, tenant_id, a::text as all from core.audit a
         where entity_type = 'mail_app_password' order by id`
      expect(audit.map(({ action, actor }) => `${action.slice("mail_app_password.".length)} ${actor}`)).toEqual([
        "created user:70",
        "created user:70",
        "created user:70",
        "revoked system",
        "revoked user:70"
      ])
      const written = JSON.stringify([
        audit,
        yield* suite.sql`select a::text from mail_admin.app_password a`,
        yield* suite.sql`select e::text from core.event e`,
        yield* suite.sql`select r::text from core.request r`
      ])
      for (const secret of [made.password, laptop.password, again.password]) expect(written).not.toContain(secret)
    })
  )
)

it.live("nobody gets a password for the mailbox of another tenant or user, or for a suspended one", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { anna, askFor, calls, device, suite } = yield* started
      const refusal = (more: Partial<typeof MailAppPassword.ask.Type>) =>
        Effect.map(Effect.result(askFor(more)), (result) =>
          Result.isFailure(result) && result.failure._tag === "RequestRefused" ? result.failure.reason : "answered"
        )
      expect(yield* refusal({ tenant_id: 8 })).toBe("unknown")
      expect(yield* refusal({ user_id: 71 })).toBe("unknown")
      expect(yield* refusal({ address: "bert@a.test" })).toBe("unknown")
      expect(yield* logins(suite)).toEqual([])

      const phone = device()
      yield* askFor(phone)
      const stranger = callsOf(suite, as(8))
      const list = `accounts/${anna.id}/app-passwords`
      const [row] = (yield* calls.get(list)).json.items
      expect((yield* stranger.get(list)).status).toBe(404)
      expect((yield* stranger.remove(`${list}/${row.id}`)).status).toBe(404)
      expect((yield* callsOf(suite, as(7, "mail.read")).remove(`${list}/${row.id}`)).status).toBe(403)
      // An event of another tenant ends nothing.
      yield* revoke(suite, { ...phone, tenant_id: 8 })
      const marker = device()
      yield* askFor(marker)
      yield* revoke(suite, marker)
      yield* untilWithin(
        30,
        "the marker is gone",
        Effect.map(logins(suite), (rows) => rows.length === 1)
      )
      expect((yield* calls.get(list)).json.items).toMatchObject([{ device_id: phone.device_id }])

      yield* calls.post(`accounts/${anna.id}/suspend`)
      expect(yield* logins(suite)).toEqual([])
      expect(yield* refusal({})).toBe("unknown")
      yield* calls.post(`accounts/${anna.id}/unsuspend`)
      expect(yield* logins(suite)).toHaveLength(1)
      // The mailbox goes to another user, who does not know the devices of the former one.
      yield* calls.put(`accounts/${anna.id}`, { user_id: 71 })
      expect(yield* logins(suite)).toEqual([])
      yield* calls.put(`accounts/${anna.id}`, { user_id: 70, password })
      expect(yield* logins(suite)).toHaveLength(1)
      yield* calls.remove(`accounts/${anna.id}`)
      expect(yield* suite.sql`select 1 from mail_admin.app_password`).toEqual([])
    })
  )
)

it.live("users see and end those of their own mailboxes, without a permission, and no others", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { anna, askFor, calls, suite } = yield* started
      const user = (tenant: number, id: number) =>
        callsOf(suite, { headers: { authorization: `Bearer user:${tenant}::${id}` } })
      const mine = "app-passwords/mine"
      yield* askFor()
      // Another mailbox of the same tenant, with the same device name.
      const { domain_id } = (yield* calls.get(`accounts/${anna.id}`)).json
      yield* calls.account(domain_id, "bert", { user_id: 71 })
      yield* askFor({ user_id: 71, address: "bert@a.test" })

      const own = (yield* user(7, 70).get(mine)).json.items
      expect(own).toMatchObject([{ address: "anna@a.test", user_id: 70, device_name: "Anna's phone" }])
      expect(JSON.stringify(own)).not.toContain("password")
      expect((yield* user(7, 71).get(mine)).json.items).toMatchObject([{ address: "bert@a.test" }])
      // Neighbours, users of another tenant, also with the same id, and service tokens.
      const path = `${mine}/${own[0].id}`
      for (const stranger of [user(7, 71), user(8, 70), user(8, 71)])
        expect((yield* stranger.remove(path)).status).toBe(404)
      expect((yield* user(8, 70).get(mine)).json.items).toEqual([])
      const platform = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      expect([(yield* platform.get(mine)).status, (yield* platform.remove(path)).status]).toEqual([403, 403])
      expect(yield* logins(suite)).toHaveLength(2)

      // The mailbox goes to another user, who does not see the devices of the former one. Nor does that one.
      yield* calls.put(`accounts/${anna.id}`, { user_id: 72 })
      for (const id of [70, 72]) expect((yield* user(7, id).get(mine)).json.items).toEqual([])
      expect((yield* user(7, 72).remove(path)).status).toBe(404)
      expect((yield* user(7, 70).remove(path)).status).toBe(404)
      yield* calls.put(`accounts/${anna.id}`, { user_id: 70 })

      expect((yield* user(7, 70).remove(path)).status).toBe(204)
      expect((yield* user(7, 70).remove(path)).status).toBe(404)
      expect((yield* logins(suite)).map(({ address }) => address)).toEqual(["bert@a.test"])
      expect(
        yield* suite.sql`select actor, tenant_id from core.audit
          where action = 'mail_app_password.revoked' and entity_id = ${String(own[0].id)}`
      ).toEqual([{ actor: "user:70", tenant_id: 7 }])
    })
  )
)

it.live("a mailbox has a bounded number of them, and each a tag of its own", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { anna, askFor, suite } = yield* started
      const { sql } = suite
      for (let nth = 0; nth < maxAppPasswords - 1; nth++)
        yield* sql`insert into mail_admin.app_password
            (tenant_id, mailbox_id, user_id, device_id, device_name, tag, password_hash)
          values (7, ${anna.id}, 70, ${`device ${nth}`}, 'device', ${nth.toString(16).padStart(2, "0")}, 'x')`
      // Two at the same moment, of which only one has room.
      const both = yield* Effect.all([Effect.result(askFor()), Effect.result(askFor())], { concurrency: 2 })
      expect(both.filter(Result.isSuccess).length).toBe(1)
      const tags = (yield* logins(suite)).map(({ tag }) => tag)
      expect(new Set(tags).size).toBe(tags.length)
      expect(Result.isFailure(yield* Effect.result(askFor()))).toBe(true)
    })
  )
)

it("passwords have no confusable characters, and their tags avoid taken ones", () => {
  for (let nth = 0; nth < 200; nth++) expect(Redacted.value(newAppPassword())).not.toMatch(/[01ilo:/@]/)
  const all = Array.from({ length: 256 }, (_, tag) => tag.toString(16).padStart(2, "0"))
  const taken = new Set(all.filter((tag) => tag !== "7f"))
  const { password: found, tag } = newWithTag(taken)
  expect([tag, tagOf(found)]).toEqual(["7f", "7f"])
})
