import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { actions, as, callsOf, startTelephony } from "../Telephony.ts"

it.live("a secret is sent by those who may, and is in no list, no answer, no row and no audit line", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const all = callsOf(suite, as(7))
      const manager = callsOf(suite, as(7, "sip.manage"))
      const service = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      const word = "Sent-by-4-caller"
      const phone = { extension: "1001", name: "Ann", domain: "a.test" }
      const box = { box: "1001", name: "Ann", domain: "a.test" }
      const trunk = { name: "Far", host: "far.test", username: "us" }
      const fields = ({ json }: { readonly json: any }) =>
        json.errors?.map(({ field }: { readonly field: string }) => field)
      expect(fields(yield* manager.post("extensions", { ...phone, password: word }))).toEqual(["payload.password"])
      expect(fields(yield* manager.post("voicemail-boxes", { ...box, pin: "864209" }))).toEqual(["payload.pin"])
      expect(fields(yield* manager.post("trunks", { ...trunk, password: word }))).toEqual(["payload.password"])
      expect(fields(yield* manager.post("trunks", { ...trunk, register: true }))).toEqual(["payload.register"])
      const made = {
        extension: (yield* manager.post("extensions", phone)).json,
        box: (yield* manager.post("voicemail-boxes", box)).json,
        trunk: (yield* manager.post("trunks", trunk)).json
      }
      expect(made.trunk).toMatchObject({ has_password: false, register: false })
      expect(fields(yield* manager.put(`extensions/${made.extension.id}`, { password: word }))).toEqual([
        "payload.password"
      ])
      expect(fields(yield* manager.put(`voicemail-boxes/${made.box.id}`, { pin: "864209" }))).toEqual(["payload.pin"])
      expect(fields(yield* manager.put(`trunks/${made.trunk.id}`, { password: null }))).toEqual(["payload.password"])
      expect((yield* manager.get(`extensions/${made.extension.id}/config`)).status).toBe(403)
      expect((yield* manager.get(`voicemail-boxes/${made.box.id}/pin`)).status).toBe(403)

      const pin = yield* all.get(`voicemail-boxes/${made.box.id}/pin`)
      expect(pin.headers.get("cache-control")).toBe("no-store")
      expect(pin.json).toEqual({
        id: made.box.id,
        box: "1001",
        domain: "a.test",
        pin: expect.stringMatching(/^\d{6}$/)
      })
      for (const caller of [all, service]) {
        expect((yield* caller.put(`extensions/${made.extension.id}`, { password: word })).status).toBe(200)
        expect((yield* caller.put(`voicemail-boxes/${made.box.id}`, { pin: "864209" })).status).toBe(200)
        expect((yield* caller.put(`trunks/${made.trunk.id}`, { password: word, register: true })).json).toMatchObject({
          has_password: true,
          register: true
        })
      }
      expect(fields(yield* manager.put(`trunks/${made.trunk.id}`, { host: "mine.test" }))).toEqual(["payload.host"])
      expect((yield* manager.put(`trunks/${made.trunk.id}`, { host: "Far.test" })).status).toBe(200)
      expect((yield* all.get(`extensions/${made.extension.id}/config`)).json.password).toBe(word)
      expect((yield* all.get(`voicemail-boxes/${made.box.id}/pin`)).json.pin).toBe("864209")
      expect(fields(yield* all.put(`trunks/${made.trunk.id}`, { password: null }))).toEqual(["payload.register"])
      expect((yield* all.put(`trunks/${made.trunk.id}`, { password: null, register: false })).json.has_password).toBe(
        false
      )
      expect((yield* manager.post(`voicemail-boxes/${made.box.id}/pin`)).status).toBe(200)
      expect((yield* all.get(`voicemail-boxes/${made.box.id}/pin`)).json.pin).not.toBe("864209")
      expect(yield* actions(suite, "sip_trunk")).toEqual([
        "created",
        "changed",
        "password_set",
        "password_set",
        "changed",
        "password_removed"
      ])
      expect((yield* actions(suite, "sip_voicemail_box")).filter((action) => action === "pin_shown")).toHaveLength(3)

      const lists = yield* Effect.all(["extensions", "voicemail-boxes", "trunks"].map((path) => all.get(path)))
      const rows =
        yield* suite.sql`select a::text as all from core.audit a union all select e::text from sip_config.extension e
      union all select v::text from sip_config.voicemail_box v union all select t::text from sip_config.trunk t`
      const told = JSON.stringify([made, lists.map(({ text }) => text), rows])
      for (const secret of [word, "864209", pin.json.pin]) expect(told).not.toContain(`"${secret}"`)
      expect(told).not.toContain(word)
      expect(lists.map(({ text }) => /password"|"pin"|sbx1/.test(text.replace('"has_password"', "")))).toEqual([
        false,
        false,
        false
      ])
    })
  )
)

it.live(
  "an extension that is asked for again with the same key is the same, and weak or unreadable passwords are refused",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startTelephony()
        const { get, post } = callsOf(suite, as(7))
        const key = { "idempotency-key": "once" }
        const body = { extension: "1001", name: "Ann", domain: "a.test" }
        const first = yield* post("extensions", body, key)
        expect((yield* post("extensions", body, key)).json).toEqual(first.json)
        expect((yield* post("extensions", { ...body, name: "Bob" }, key)).json.code).toBe("idempotency_key_reused")
        expect((yield* get("extensions")).json.items).toHaveLength(1)
        for (const password of ["short", "with a space in it", "passwörter-sind-gut", "x".repeat(129)]) {
          expect([password, (yield* post("extensions", { ...body, extension: "1002", password })).status]).toEqual([
            password,
            422
          ])
        }
        for (const pin of ["12345", "12345a", "1234567890123"])
          expect((yield* post("voicemail-boxes", { box: "1", name: "Ann", domain: "a.test", pin })).status).toBe(422)
      })
    )
)
