import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { as, callsOf, startTelephony } from "../Telephony.ts"

const somebody = (tenant: number, held: string, user: number) => ({
  headers: { authorization: `Bearer user:${tenant}:${held}:${user}` }
})

it.live(
  "people without any permission see the settings of their own extensions, nobody else's, and each showing is noted",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startTelephony()
        const admin = callsOf(suite, as(7))
        const ann = callsOf(suite, somebody(7, "", 71))
        const ben = callsOf(suite, somebody(7, "", 72))
        // The same user number in a different tenant.
        const stranger = callsOf(suite, somebody(8, "*", 71))
        const service = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
        const { id } = yield* admin.extension("1002", { user_id: 71 })
        const second = yield* admin.extension("1001", { user_id: 71, enabled: false })
        yield* admin.extension("1003", { user_id: 72 })
        yield* admin.extension("1004")

        expect((yield* ann.get("extensions/mine")).json).toEqual({
          items: [
            { id: second.id, extension: "1001", name: "Ann", domain: "voice.a.test", enabled: false },
            { id, extension: "1002", name: "Ann", domain: "voice.a.test", enabled: true }
          ]
        })
        expect((yield* stranger.get("extensions/mine")).json).toEqual({ items: [] })
        const config = yield* ann.get(`extensions/mine/${id}/config`)
        expect(config.headers.get("cache-control")).toBe("no-store")
        expect(config.json).toEqual((yield* admin.get(`extensions/${id}/config`)).json)
        for (const other of [ben, stranger, admin])
          expect((yield* other.get(`extensions/mine/${id}/config`)).status).toBe(404)
        expect((yield* service.get("extensions/mine")).status).toBe(403)
        expect((yield* service.get(`extensions/mine/${id}/config`)).status).toBe(403)
        expect((yield* ann.get(`extensions/${id}/config`)).status).toBe(403)

        const noted = yield* suite.sql<{
          actor: string
          entity_id: string
          detail: unknown
        }>`select a.actor, a.entity_id, a.detail from core.audit a where a.action = 'sip_extension.config_shown' order by a.id`
        expect(noted.map(({ actor, entity_id }) => [actor, entity_id])).toEqual([
          ["user:71", String(id)],
          ["user:70", String(id)]
        ])
        expect(JSON.stringify(noted)).not.toContain(config.json.password)
      })
    )
)

it.live("an extension that gets into other hands gets another password", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const admin = callsOf(suite, as(7))
      const manager = callsOf(suite, somebody(7, "sip.manage", 73))
      const password = (id: number) =>
        Effect.map(admin.get(`extensions/${id}/config`), ({ json }) => json.password as string)
      const { id } = yield* admin.extension("1001")
      const first = yield* password(id)
      // The caller may read the password anyway, so the phone keeps it when the extension changes its user.
      expect((yield* admin.put(`extensions/${id}`, { user_id: 71 })).status).toBe(200)
      expect(yield* password(id)).toBe(first)
      expect((yield* manager.put(`extensions/${id}`, { user_id: 71, name: "Anna" })).status).toBe(200)
      expect(yield* password(id)).toBe(first)
      expect((yield* admin.put(`extensions/${id}`, { user_id: 72 })).status).toBe(200)
      const next = yield* password(id)
      expect(next).not.toBe(first)
      // A manager of telephony must not learn a password in use by taking over the extension.
      const desk = yield* admin.extension("1002")
      const kept = yield* password(desk.id)
      expect((yield* manager.put(`extensions/${desk.id}`, { user_id: 73 })).status).toBe(200)
      expect((yield* manager.get(`extensions/mine/${desk.id}/config`)).json.password).not.toBe(kept)
      // A password in the request is used.
      expect((yield* admin.put(`extensions/${id}`, { user_id: 71, password: "Sent-by-4-caller" })).status).toBe(200)
      expect(yield* password(id)).toBe("Sent-by-4-caller")
    })
  )
)
