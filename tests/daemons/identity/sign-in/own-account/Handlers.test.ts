import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { payloadOf } from "#core/auth/TokenClaims.ts"
import { signInSuite } from "../../SignInSuite.ts"

it.live("the caller's active sessions are listed and ended; sessions of others are not found", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, call, get, login, remove, sql, token } = yield* signInSuite()
      const one = yield* account()
      const other = yield* account()
      const opened: Array<string> = []
      for (let n = 0; n < 4; n++) opened.push((yield* login(one.email)).json.access_token)
      const theirs = (yield* login(other.email)).json.access_token
      const [first, second, third, present] = opened as [string, string, string, string]

      const all = (yield* get("sessions", present)).json
      expect(all.items.length).toBe(4)
      expect(all.items.map((item: any) => item.current)).toEqual([true, false, false, false])
      expect(all.items[0]).toEqual({
        id: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
        address: "127.0.0.1",
        user_agent: "node",
        methods: ["password"],
        current: true
      })
      const ids = all.items.map((item: any) => item.id)
      const page = (yield* get("sessions?limit=3", present)).json
      expect([page.items.map((item: any) => item.id), page.next_before]).toEqual([ids.slice(0, 3), ids[2]])
      const rest = (yield* get(`sessions?limit=3&before=${page.next_before}`, present)).json
      expect([rest.items.map((item: any) => item.id), rest.next_before]).toEqual([ids.slice(3), null])

      const theirId = (yield* get("me", theirs)).json.session.id
      const foreign = yield* remove(`sessions/${theirId}`, present)
      const unknown = yield* remove(`sessions/${randomUUID()}`, present)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
      expect((yield* get("me", theirs)).status).toBe(200)

      const thirdId = (yield* get("me", third)).json.session.id
      expect((yield* remove(`sessions/${thirdId}`, present)).status).toBe(204)
      expect((yield* get("me", third)).status).toBe(401)
      expect((yield* remove(`sessions/${thirdId}`, present)).status).toBe(404)

      expect((yield* remove("sessions", present)).status).toBe(204)
      expect([
        (yield* get("me", first)).status,
        (yield* get("me", second)).status,
        (yield* get("me", present)).status
      ]).toEqual([401, 401, 200])
      expect(
        (yield* call("POST", "/api/v1/auth/logout", { headers: { authorization: `Bearer ${present}` } })).status
      ).toBe(204)
      expect((yield* get("me", present)).status).toBe(401)
      const ended = yield* sql<{ because: string }>`select detail->>'because' as because from core.audit
      where action = 'session.ended' and actor = ${`user:${one.id}`} order by id`
      expect(ended.map(({ because }) => because)).toEqual(["revoked", "revoked", "revoked", "signed_out"])

      expect((yield* call("GET", "/api/v1/auth/me", { token: yield* token })).status).toBe(403)
      expect((yield* call("GET", "/api/v1/auth/me")).status).toBe(401)
    })
  )
)

it.live("language and time zone of the account are the user's own choice, and problems are in the language", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, call, get, login, sql } = yield* signInSuite()
      const { email, id } = yield* account()
      const token = (yield* login(email)).json.access_token
      const choose = (locale: string, bearer = token) =>
        call("PATCH", "/api/v1/auth/me", { headers: { authorization: `Bearer ${bearer}` }, body: { locale } })
      const end = (bearer: string) => payloadOf(bearer)?.exp
      const wrong = yield* choose("not a language")
      expect([wrong.status, wrong.json.errors[0].message]).toEqual([422, "must be a language tag such as de or en-GB"])

      const changed = yield* choose("de-AT")
      expect(changed.status).toBe(200)
      const next = changed.json.access_token
      expect(end(next)).toBe(end(token))
      expect(Object.keys(changed.json).sort()).toEqual(["access_token", "expires_in", "token_type"])
      expect((yield* get("me", next)).json.locale).toBe("de-AT")
      const german = yield* choose("not a language", next)
      expect(german.json.title).toBe("Die Anfrage ist ungültig")
      expect(german.json.errors).toEqual([
        { field: "payload.locale", message: "muss ein Sprachkürzel sein, etwa de oder en-GB" }
      ])

      yield* choose("de-AT", next)
      const inZone = (time_zone: unknown, bearer: string) =>
        call("PATCH", "/api/v1/auth/me", { headers: { authorization: `Bearer ${bearer}` }, body: { time_zone } })
      for (const zone of ["Europe/Nowhere", "+01:00", ""]) {
        const refused = yield* inZone(zone, next)
        expect([refused.status, refused.json.errors[0].message]).toEqual([
          422,
          "muss eine Zeitzone sein, etwa Europe/Berlin"
        ])
      }
      expect((yield* get("me", next)).json.time_zone).toBe(null)
      // An alias in another letter case becomes the main name.
      const zoned = (yield* inZone("us/eastern", next)).json.access_token
      expect(payloadOf(zoned)).toMatchObject({ zoneinfo: "America/New_York", locale: "de-AT", exp: end(token) })
      expect((yield* get("me", zoned)).json).toMatchObject({ time_zone: "America/New_York", locale: "de-AT" })
      const again = (yield* login(email)).json
      expect(payloadOf(again.access_token)?.["zoneinfo"]).toBe("America/New_York")
      const refreshed = yield* call("POST", "/api/v1/auth/refresh", { body: { refresh_token: again.refresh_token } })
      expect(payloadOf(refreshed.json.access_token)?.["zoneinfo"]).toBe("America/New_York")
      const [told] = yield* sql<{ zone: string }>`select data->>'time_zone' as zone from core.event
        where type = 'identity.user.changed' and (data->>'user_id')::int = ${id} order by id desc limit 1`
      expect(told).toEqual({ zone: "America/New_York" })
      expect(payloadOf((yield* inZone(null, zoned)).json.access_token)).not.toHaveProperty("zoneinfo")
      const changes =
        yield* sql`select detail from core.audit where action = 'user.changed' and entity_id = ${String(id)}
        order by id`
      expect(changes).toEqual([["locale"], ["time_zone"], ["time_zone"]].map((changed) => ({ detail: { changed } })))
    })
  )
)
