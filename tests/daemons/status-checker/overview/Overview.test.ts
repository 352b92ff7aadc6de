/** What operators see of checks, subscribers and mails. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { callsOf, provider, startStatus, statesRead } from "../Operation.ts"

it.live(
  "shows checks with details, subscribers and waiting mails",
  () =>
    Effect.gen(function* () {
      const suite = yield* startStatus()
      const { get, remove } = callsOf(suite, provider())
      const { sql } = suite
      yield* statesRead(suite)
      const results = [{ kind: "http", outcome: "down", detail: "503 from 192.0.2.1" }]
      yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at, seen, streak, results)
      values ('dns', 'major_outage', '2026-01-31T10:00:00Z', '2026-01-31T12:00:00Z', 'operational', 1, ${JSON.stringify(results)}::text::jsonb)`
      const checks = (yield* get("checks")).json.items
      expect(checks.map(({ component_id, status }: any) => `${component_id} ${status}`)).toEqual([
        "webmail null",
        "telephony null",
        "dns major_outage"
      ])
      expect(checks[2]).toMatchObject({ since: "2026-01-31T10:00:00.000Z", seen: "operational", streak: 1, results })

      const hash = (n: number) => n.toString(16).padStart(64, "0")
      for (const [n, status] of ["confirmed", "pending", "confirmed"].entries()) {
        yield* sql`insert into status_checker.subscribers (email, lang, status, unsubscribe, unsubscribe_envelope) values (${`anna${n}@example.org`}, 'de', ${status}, ${hash(n)}, 'sealed')`
      }
      const emails = (query: string) =>
        Effect.map(get(`subscribers${query}`), ({ json }) => json.items.map(({ email }: any) => email[4]).join(""))
      expect([yield* emails(""), yield* emails("?status=confirmed"), yield* emails("?limit=1")]).toEqual([
        "210",
        "20",
        "2"
      ])
      const {
        items: [last],
        next_before
      } = (yield* get("subscribers?limit=1")).json
      expect(yield* emails(`?before=${next_before}`)).toBe("10")
      expect(Object.keys(last).sort()).toEqual([
        "components",
        "confirmed_at",
        "created_at",
        "email",
        "id",
        "lang",
        "status"
      ])

      for (const [n, state] of ["pending", "delivered", "failed"].entries()) {
        yield* sql`insert into status_checker.mails (subscriber_id, kind, ref, message_id, state, last_error, content, envelope, next_at)
        values (${last.id}, 'notice', ${hash(n)}, ${`<${n}@example.org>`}, ${state}, '450 later', '{"secret": "words"}', 'sealed', now() + interval '1 hour')`
      }
      const mails = (query: string) =>
        Effect.map(get(`mails${query}`), ({ json }) => json.items.map(({ state }: any) => state).join(" "))
      expect([yield* mails(""), yield* mails("?state=delivered")]).toEqual(["failed pending", "delivered"])
      const { text } = yield* get("mails")
      expect(text).toContain("450 later")
      expect(text).not.toMatch(/sealed|secret/)

      expect((yield* remove(`subscribers/${last.id}`)).status).toBe(204)
      expect((yield* remove(`subscribers/${last.id}`)).status).toBe(404)
      expect([yield* mails(""), yield* emails("")]).toEqual(["", "10"])
      const [line] = yield* sql<{ detail: unknown }>`select detail from core.audit where action = 'subscriber.removed'`
      expect(line!.detail).toEqual({ status: "confirmed" })
    }),
  120_000
)
