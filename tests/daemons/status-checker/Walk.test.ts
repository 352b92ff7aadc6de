/** Every operation of status-checker, walked as users of other tenants and with wrong input. */
import { describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import type { Case } from "#support/walk/Case.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { clean, fakeCallers } from "#support/walk/Walked.ts"
import { as, callsOf, provider, servicesFile, startStatus } from "./Operation.ts"
import { adminCases } from "./walk/AdminCases.ts"
import { forPeople, publicCases } from "./walk/PublicCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const files = yield* servicesFile
      const incidents = `${files.directory}/incidents.json`
      writeFileSync(
        incidents,
        JSON.stringify([
          {
            id: "by-hand",
            title: "Hand",
            title_en: "Hand",
            status: "identified",
            severity: "minor",
            created_at: "2026-01-31T12:00:00Z"
          }
        ])
      )
      // Nobody takes the mails: they wait.
      const suite = yield* startStatus({
        ...files.env,
        INCIDENTS_FILE: incidents,
        SMTP_HOST: "127.0.0.1",
        SMTP_PORT: "9",
        MAIL_FROM: "status@example.org"
      })
      const token = yield* suite.token
      return {
        suite,
        schema: "status_checker",
        // Nobody takes the confirmation of whoever subscribes: it is tried again and again.
        mayWrite: ["status_checker.mails"],
        // Who is told of a new update, or of new maintenance, is found out a moment later.
        settled: until(
          "everything that is told of was noticed",
          Effect.map(
            suite.sql`select 1 from status_checker.incidents i where published_at is not null
            and (select count(*) from status_checker.incident_updates where incident_id = i.id) > (select count(*) from status_checker.notices where incident_id = i.id)
          union all select 1 from status_checker.maintenance m where cancelled_at is null and ends_at > now()
            and not exists (select 1 from status_checker.notices where incident_id = m.id)`,
            ({ length }) => length === 0
          )
        ).pipe(Effect.orDie),
        cases: { ...adminCases(suite, { headers: { "x-service-token": token } }), ...publicCases },
        ...(yield* fakeCallers(suite))
      }
    })
  )
}

const isForPrograms = (told: Case) => told.reach !== "public" || told.reason !== forPeople

describe("status-checker, walked", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "admits only the provider to endpoints that are not public",
      () => Effect.map(Effect.flatMap(Walked, tenancy), clean),
      180_000
    )
    it.effect(
      "shows no rows to statements of a tenant",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
          clean
        ),
      120_000
    )
    it.effect(
      "refuses wrong input",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => badInput({ ...walk, only: isForPrograms })),
          clean
        ),
      180_000
    )
  })
})

it.live(
  "users of the provider need one permission to read and another to write; other users are refused",
  () =>
    Effect.gen(function* () {
      const suite = yield* startStatus()
      const { id } = yield* callsOf(suite, provider()).draft()
      const statuses = Effect.fnUntraced(function* (caller: { readonly headers: Readonly<Record<string, string>> }) {
        const { get, post, put } = callsOf(suite, caller)
        const answers = [
          yield* get(`incidents/${id}`),
          yield* get("mails"),
          yield* put(`incidents/${id}`, { severity: "minor" }),
          yield* post(`incidents/${id}/updates`, { status: "monitoring", message: "…", message_en: "…" })
        ]
        return answers.map(({ status }) => status)
      })
      expect(yield* statuses(provider("system.read"))).toEqual([200, 200, 403, 403])
      expect(yield* statuses(provider("system.manage"))).toEqual([403, 403, 200, 409])
      expect(yield* statuses(as(7))).toEqual([403, 403, 403, 403])
      const [row] = yield* suite.sql<{
        can: boolean
      }>`select has_schema_privilege('signalbox_tenant', 'status_checker', 'usage')
      and has_table_privilege('signalbox_tenant', 'status_checker.incidents', 'select') as can`
      expect(row!.can).toBe(false)
    }),
  120_000
)
