/** Incidents from draft to end by the endpoints, and what is shown of them. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { expect } from "vitest"
import { SqlClient } from "#core/sql/Sql.ts"
import { published } from "#daemons/status-checker/incidents/Store.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { callsOf, hence, outage, provider, refusal, servicesFile, startStatus } from "../Operation.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startStatus())

const shown = ({ sql }: TestSuite) => Effect.provideService(published, SqlClient.SqlClient, sql)
const said = { status: "monitoring", message: "Wir beobachten.", message_en: "We are watching." }

const audit = ({ sql }: TestSuite, id: string) =>
  Effect.map(
    sql<{
      actor: string
      action: string
    }>`select actor, action from core.audit where entity_id = ${id} and tenant_id = 1 order by id`,
    (rows) => rows.map(({ action, actor }) => `${actor} ${action}`)
  )
const events = ({ sql }: TestSuite, id: string) =>
  Effect.map(
    sql<{ type: string; status: string }>`select type, data->>'status' as status from core.event
    where data->>'incident_id' = ${id} and tenant_id = 1 and user_id is null order by id`,
    (rows) => rows.map(({ status, type }) => `${type} ${status}`)
  )

describe("an incident", () => {
  it.live(
    "is hidden as a draft, then published, updated, resolved and reopened",
    () =>
      Effect.gen(function* () {
        const suite = yield* running
        const { draft, get, post, put } = callsOf(suite, provider())
        const began = hence(-3)
        const made = yield* draft({ created_at: began })
        expect(made).toMatchObject({
          id: `${new Date().toISOString().slice(0, 10)}-outage-webmail`,
          state: "draft",
          status: "investigating",
          created_at: began,
          published_at: null,
          resolved_at: null
        })
        expect(yield* shown(suite)).toEqual([])
        expect(refusal(yield* post(`incidents/${made.id}/updates`, said))).toEqual([409, "not_published"])
        expect(refusal(yield* post(`incidents/${made.id}/resolve`, {}))).toEqual([409, "not_published"])
        const edited = yield* put(`incidents/${made.id}`, {
          title: "Webmail gestört",
          message_en: "We search.",
          severity: "critical"
        })
        expect(edited.json).toMatchObject({
          title: "Webmail gestört",
          severity: "critical",
          updates: [{ message: outage.message, message_en: "We search." }]
        })

        const { json: open } = yield* post(`incidents/${made.id}/publish`)
        expect(open).toMatchObject({ state: "open", created_at: began, resolved_at: null })
        // What it says counts as said when it was published.
        expect(Date.parse(open.updates[0].timestamp)).toBe(Date.parse(open.published_at))
        expect(Date.parse(open.published_at)).toBeGreaterThan(Date.parse(made.updates[0].timestamp))
        expect((yield* shown(suite)).map(({ id, title }) => [id, title])).toEqual([[made.id, "Webmail gestört"]])
        expect(refusal(yield* post(`incidents/${made.id}/publish`))).toEqual([409, "already_published"])
        expect(refusal(yield* callsOf(suite, provider()).remove(`incidents/${made.id}`))).toEqual([
          409,
          "already_published"
        ])

        const { json: watched, status } = yield* post(`incidents/${made.id}/updates`, said)
        expect([status, watched.status, watched.updates.length]).toEqual([201, "monitoring", 2])
        const { json: over } = yield* post(`incidents/${made.id}/resolve`, { message_en: "Done." })
        expect(over).toMatchObject({ state: "resolved", status: "resolved" })
        expect(over.updates[2]).toMatchObject({
          status: "resolved",
          message: "Die Störung ist behoben.",
          message_en: "Done.",
          timestamp: over.resolved_at
        })
        expect(refusal(yield* post(`incidents/${made.id}/resolve`, {}))).toEqual([409, "already_resolved"])
        const { json: more } = yield* post(`incidents/${made.id}/updates`, { ...said, status: "resolved" })
        expect(more.resolved_at).toBe(over.resolved_at)
        const { json: again } = yield* post(`incidents/${made.id}/updates`, { ...said, status: "identified" })
        expect(again).toMatchObject({ state: "open", status: "identified", resolved_at: null })
        expect((yield* get(`incidents/${made.id}`)).json).toEqual(again)

        expect(yield* audit(suite, made.id)).toEqual(
          ["drafted", "changed", "published", "updated", "resolved", "updated", "updated"].map(
            (what) => `user:10 incident.${what}`
          )
        )
        expect(yield* events(suite, made.id)).toEqual(
          [
            "published investigating",
            "updated monitoring",
            "resolved resolved",
            "updated resolved",
            "updated identified"
          ].map((what) => `status.incident.${what}`)
        )
      }),
    120_000
  )

  it.live(
    "can be corrected after publication without new mails",
    () =>
      Effect.gen(function* () {
        const suite = yield* running
        const { post, published, put } = callsOf(suite, provider())
        const { id } = yield* published()
        const { json: before } = yield* post(`incidents/${id}/updates`, said)
        const { json: after } = yield* put(`incidents/${id}`, {
          message: "Wir schauen zu.",
          updated_at: before.updated_at
        })
        expect(after.updates).toEqual([before.updates[0], { ...before.updates[1], message: "Wir schauen zu." }])
        expect(yield* put(`incidents/${id}`, { title: "anders", updated_at: before.updated_at })).toMatchObject({
          status: 409,
          json: { code: "changed_since", updated_at: after.updated_at }
        })
        // Nothing new: nothing is written.
        expect((yield* put(`incidents/${id}`, { title: after.title })).json.updated_at).toBe(after.updated_at)
      }),
    120_000
  )

  it.live(
    "is refused with the invalid fields",
    () =>
      Effect.gen(function* () {
        const suite = yield* running
        const { draft, get, post, put, remove } = callsOf(suite, provider())
        const wrong = (more: object) => Effect.map(post("incidents", { ...outage, ...more }), refusal)
        expect(yield* wrong({ components: ["webmail", "never", "no"] })).toEqual([
          422,
          "invalid_request",
          "payload.components[1] payload.components[2]"
        ])
        expect(yield* wrong({ components: ["dns", "dns"] })).toEqual([422, "invalid_request", "payload.components"])
        expect(yield* wrong({ created_at: hence(1) })).toEqual([422, "invalid_request", "payload.created_at"])
        expect(yield* wrong({ id: "../x", extra: 1 })).toEqual([422, "invalid_request", "payload.extra payload.id"])
        expect(yield* wrong({ title: "two\nlines", message: "bell\u0007" })).toEqual([
          422,
          "invalid_request",
          "payload.message payload.title"
        ])
        expect(yield* wrong({ message_en: " \n " })).toEqual([422, "invalid_request", "payload.message_en"])
        const { id } = yield* draft({ id: "Given.1_a-b" })
        expect(id).toBe("Given.1_a-b")
        expect(yield* wrong({ id })).toEqual([409, "id_taken"])
        expect(refusal(yield* put(`incidents/${id}`, {}))).toEqual([422, "invalid_request", "payload"])
        expect(refusal(yield* put(`incidents/${id}`, { components: ["never"] }))).toEqual([
          422,
          "invalid_request",
          "payload.components[0]"
        ])
        expect(refusal(yield* get("incidents/never"))).toEqual([404, "not_found"])
        expect((yield* remove(`incidents/${id}`)).status).toBe(204)
        expect(refusal(yield* remove(`incidents/${id}`))).toEqual([404, "not_found"])
      }),
    120_000
  )

  it.live(
    "is created once per Idempotency-Key, as is each act on it",
    () =>
      Effect.gen(function* () {
        const suite = yield* startStatus()
        const { post } = callsOf(suite, provider())
        const once = (path: string, body: unknown, key = "one") => post(path, body, { "idempotency-key": key })
        const { json: made } = yield* once("incidents", outage)
        expect((yield* once("incidents", outage)).json).toEqual(made)
        expect((yield* once("incidents", { ...outage, severity: "minor" })).json.code).toBe("idempotency_key_reused")
        // The same title on the same day.
        const { json: other } = yield* once("incidents", outage, "two")
        expect(other.id).toBe(`${made.id}-2`)
        const { json: open } = yield* once(`incidents/${made.id}/publish`, undefined)
        expect((yield* once(`incidents/${made.id}/publish`, undefined)).json).toEqual(open)
        expect((yield* once(`incidents/${other.id}/publish`, undefined)).json.code).toBe("idempotency_key_reused")
        const { json: updated } = yield* once(`incidents/${made.id}/updates`, said)
        expect((yield* once(`incidents/${made.id}/updates`, said)).json).toEqual(updated)
        expect(updated.updates).toHaveLength(2)
        const { json: over } = yield* once(`incidents/${made.id}/resolve`, {})
        expect((yield* once(`incidents/${made.id}/resolve`, {})).json).toEqual(over)
      }),
    120_000
  )

  it.live(
    "gets another id when the file has the same id",
    () =>
      Effect.gen(function* () {
        const { directory, env } = yield* servicesFile
        const today = new Date().toISOString()
        const id = `${today.slice(0, 10)}-outage-webmail`
        writeFileSync(
          `${directory}/incidents.json`,
          JSON.stringify([
            { id, title: "Hand", title_en: "Hand", status: "investigating", severity: "minor", created_at: today }
          ])
        )
        const suite = yield* startStatus({ ...env, INCIDENTS_FILE: `${directory}/incidents.json` })
        const { draft } = callsOf(suite, provider())
        expect((yield* draft()).id).toBe(`${id}-2`)
        expect((yield* draft({ id })).id).toBe(id)
      }),
    120_000
  )
})

describe("incidents", () => {
  it.live(
    "are listed newest first, by state, page by page",
    () =>
      Effect.gen(function* () {
        const suite = yield* startStatus()
        const { draft, get, post, published } = callsOf(suite, provider())
        for (const id of ["a", "b"]) yield* draft({ id })
        for (const id of ["c", "d", "e"]) yield* published({ id })
        yield* post("incidents/d/resolve", {})
        const ids = (query: string) =>
          Effect.map(get(`incidents${query}`), ({ json }) => [
            json.items.map(({ id }: any) => id).join(""),
            json.next_before !== null
          ])
        expect(yield* ids("")).toEqual(["edcba", false])
        expect(yield* ids("?state=draft")).toEqual(["ba", false])
        expect(yield* ids("?state=open")).toEqual(["ec", false])
        expect(yield* ids("?state=resolved")).toEqual(["d", false])
        expect(yield* ids("?limit=2")).toEqual(["ed", true])
        const { json: first } = yield* get("incidents?limit=2")
        expect(yield* ids(`?limit=3&before=${first.next_before}`)).toEqual(["cba", false])
      }),
    120_000
  )

  it.live(
    "are shown newest first, and old ones only while they are open",
    () =>
      Effect.gen(function* () {
        const suite = yield* startStatus()
        const { published } = callsOf(suite, provider())
        for (const [id, hours, status] of [
          ["new", -1, "investigating"],
          ["old", -95 * 24, "monitoring"],
          ["over", -95 * 24, "resolved"],
          ["recent", -2, "resolved"]
        ] as const) {
          yield* published({ id, created_at: hence(hours), status })
        }
        yield* suite.sql`update status_checker.incidents set resolved_at = now() - interval '91 days' where id = 'over'`
        expect((yield* shown(suite)).map(({ id }) => id)).toEqual(["new", "recent", "old"])
        yield* suite.sql`update status_checker.incidents set resolved_at = now() - interval '89 days' where id = 'over'`
        expect(yield* shown(suite)).toHaveLength(4)
        // Of very many the open ones stay.
        yield* suite.sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, published_at, resolved_at)
        select 'n' || n, '', '', 'resolved', 'minor', '{}', now(), now() from generate_series(1, 600) n`
        const many = yield* shown(suite)
        expect([many.length, many.some(({ id }) => id === "old"), many.some(({ id }) => id === "over")]).toEqual([
          500,
          true,
          false
        ])
      }),
    120_000
  )

  it.live(
    "reach the page without a request",
    () =>
      Effect.gen(function* () {
        const suite = yield* running
        const { id } = yield* callsOf(suite, provider()).published()
        const deadline = Date.now() + 10_000
        let seen: any
        do seen = (yield* suite.call("GET", `/api/v1/incidents/${id}?lang=en`)).json
        while (seen?.title !== outage.title_en && Date.now() < deadline)
        expect(seen).toMatchObject({ title: outage.title_en, updates: [{ message: outage.message_en }] })
      }),
    120_000
  )
})
