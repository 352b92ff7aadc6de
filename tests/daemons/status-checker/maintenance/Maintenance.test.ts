/** Maintenance windows by the endpoints: planning, changing, cancelling, and what is shown of them. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { SqlClient } from "#core/sql/Sql.ts"
import { announced } from "#daemons/status-checker/maintenance/Store.ts"
import { maxAhead, maxWindow, timeProblems } from "#daemons/status-checker/maintenance/MaintenanceChanges.ts"
import { callsOf, hence, provider, refusal, startStatus, work } from "../Operation.ts"

it("the end must be after the start, within the limit, and in the future", () => {
  const now = Date.parse("2026-01-31T12:00:00Z")
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
  const fields = (starts: number, ends: number) =>
    timeProblems({ starts_at: at(starts), ends_at: at(ends) }, now).map(({ field }) => field)
  expect(fields(1, 2)).toEqual([])
  expect(fields(2, 2)).toEqual(["payload.ends_at"])
  expect(fields(2, 1)).toEqual(["payload.ends_at"])
  expect(fields(-1, 1)).toEqual([])
  expect(fields(-2, 0)).toEqual(["payload.ends_at"])
  expect(fields(1, 1 + maxWindow * 24)).toEqual([])
  expect(fields(1, 1.01 + maxWindow * 24)).toEqual(["payload.ends_at"])
  expect(fields(maxAhead * 24, maxAhead * 24 + 1)).toEqual([])
  expect(fields(maxAhead * 24 + 1, maxAhead * 24 + 2)).toEqual(["payload.starts_at"])
})

it.live(
  "is announced, changed and cancelled, and stays in the list",
  () =>
    Effect.gen(function* () {
      const suite = yield* startStatus()
      const { get, maintenance, post, put, remove } = callsOf(suite, provider())
      const shown = Effect.map(Effect.provideService(announced, SqlClient.SqlClient, suite.sql), (windows) =>
        windows.map(({ id }) => id)
      )
      const later = yield* maintenance({ id: "later", starts_at: hence(72), ends_at: hence(73) })
      const made = yield* maintenance()
      expect(made).toMatchObject({
        id: `${work.starts_at.slice(0, 10)}-maintenance`,
        state: "planned",
        message: "",
        starts_at: work.starts_at,
        cancelled_at: null
      })
      const under = yield* maintenance({ id: "under-way", starts_at: hence(-1), ends_at: hence(1) })
      expect(under.state).toBe("active")
      expect(yield* shown).toEqual(["under-way", made.id, later.id])

      const moved = yield* put(`maintenance/${made.id}`, {
        ends_at: hence(100),
        message: "Neue\nPlatten",
        updated_at: made.updated_at
      })
      expect(moved.json).toMatchObject({ message: "Neue\nPlatten", starts_at: made.starts_at })
      expect(refusal(yield* put(`maintenance/${made.id}`, { title: "x", updated_at: made.updated_at }))).toEqual([
        409,
        "changed_since"
      ])
      expect(refusal(yield* put(`maintenance/${made.id}`, { ends_at: made.starts_at }))).toEqual([
        422,
        "invalid_request",
        "payload.ends_at"
      ])
      expect(refusal(yield* put(`maintenance/${made.id}`, { components: ["never"] }))).toEqual([
        422,
        "invalid_request",
        "payload.components[0]"
      ])
      expect(refusal(yield* post("maintenance", { ...work, components: [] }))).toEqual([
        422,
        "invalid_request",
        "payload.components"
      ])
      expect(refusal(yield* post("maintenance", { ...work, id: "later" }))).toEqual([409, "id_taken"])

      expect((yield* remove("maintenance/under-way")).status).toBe(204)
      expect(yield* shown).toEqual([made.id, later.id])
      expect(refusal(yield* remove("maintenance/under-way"))).toEqual([409, "maintenance_over"])
      yield* suite.sql`update status_checker.maintenance set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = 'later'`
      expect(refusal(yield* put("maintenance/later", { ends_at: hence(100) }))).toEqual([409, "maintenance_over"])
      expect(refusal(yield* remove("maintenance/never"))).toEqual([404, "not_found"])
      expect(yield* shown).toEqual([made.id])
      const states = (query = "") =>
        Effect.map(get(`maintenance${query}`), ({ json }) => json.items.map(({ id, state }: any) => `${id} ${state}`))
      expect(yield* states()).toEqual(["under-way cancelled", `${made.id} planned`, "later over"])
      for (const [index, state] of ["cancelled", "planned", "over"].entries())
        expect(yield* states(`?state=${state}`)).toEqual([(yield* states())[index]])
      const actions = yield* suite.sql<{
        action: string
      }>`select action from core.audit where entity_type = 'maintenance' order by id`
      expect(actions.map(({ action }) => action)).toEqual([
        ...Array(3).fill("maintenance.planned"),
        "maintenance.changed",
        "maintenance.cancelled"
      ])
    }),
  120_000
)
