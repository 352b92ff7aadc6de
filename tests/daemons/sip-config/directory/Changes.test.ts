import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue } from "effect"
import { dataTopic } from "#daemons/sip-config/directory/Change.ts"
import { until } from "#support/Frame.ts"
import { as, callsOf, startTelephony } from "../Telephony.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startTelephony())

it.live("every change rings, each kind of thing's, and what changes nothing does not", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* running
      const { box, did, extension, external, filter, line, menu, post, put, remove, ringGroup, trunk } = callsOf(
        suite,
        as(7)
      )
      const notes = yield* suite.sql.listen("signalbox")
      /**
       * Notifications since the last call. The test's own mark comes after them, because Postgres keeps the order of
       * commits.
       */
      const rings = Effect.gen(function* () {
        yield* suite.sql`select pg_notify('signalbox', 'mark')`
        let count = 0
        while (true) {
          const { payload } = yield* Queue.take(notes)
          if (payload === "mark") return count
          if (payload === dataTopic) count++
        }
      })
      const one = yield* extension("1001", { domain: "a.test" })
      const by = yield* trunk("Far")
      const group = yield* ringGroup("Sales", ["1001"], { domain: "a.test" })
      const night = yield* menu("Night")
      const voice = yield* box("1001")
      const far = yield* external("+491711234567")
      const number = yield* did("+49301234500", "external", far.id)
      const out = yield* line(one.id, by.id)
      const spam = yield* filter("Spam")
      expect(yield* rings).toBeGreaterThanOrEqual(1)
      const same: ReadonlyArray<readonly [string, object]> = [
        [`extensions/${one.id}`, { name: "Ann", extension: "1001", domain: "A.test", enabled: true, user_id: null }],
        [`trunks/${by.id}`, { name: "Far", host: "SIP.provider.test", networks: [] }],
        [`ring-groups/${group.id}`, { extensions: ["1001"], ring_timeout: 20 }],
        [`ivr-menus/${night.id}`, { entries: [], timeout: 5 }],
        [`voicemail-boxes/${voice.id}`, { box: "1001", email: null }],
        [`external-numbers/${far.id}`, { number: "0171 1234567" }],
        [`dids/${number.id}`, { number: "030 1234500" }],
        [`lines/${out.id}`, { priority: 100 }],
        [`call-filters/${spam.id}`, { pattern: "+491*" }]
      ]
      for (const [path, body] of same) {
        expect([path, (yield* put(path, body)).status, yield* rings]).toEqual([path, 200, 0])
        expect([path, (yield* put(path, {})).status, yield* rings]).toEqual([path, 422, 0])
        const changed = path.startsWith("lines") ? { priority: 5 } : { name: "Other" }
        expect([path, (yield* put(path, changed)).status, yield* rings]).toEqual([path, 200, 1])
      }
      for (const path of [`extensions/${one.id}/password`, `voicemail-boxes/${voice.id}/pin`])
        expect([path, (yield* post(path)).status, yield* rings]).toEqual([path, 200, 1])
      expect([(yield* remove(`extensions/${one.id}`)).status, yield* rings]).toEqual([409, 0])
      for (const [path] of same.toReversed())
        expect([path, (yield* remove(path)).status, yield* rings]).toEqual([path, 204, 1])
      const actions = yield* suite.sql<{
        entity: string
        done: string
      }>`select entity_type as entity, string_agg(action, ' ' order by id) as done from core.audit
      where entity_type not in ('sip_domain') group by 1 order by 1`
      expect(actions.map(({ done, entity }) => done.replaceAll(`${entity}.`, ""))).toEqual([
        "created changed deleted",
        "created assigned changed deleted",
        "created changed password_set deleted",
        "created changed deleted",
        "created changed deleted",
        "created changed deleted",
        "created changed deleted",
        "created changed deleted",
        "created changed pin_set deleted"
      ])
    })
  )
)

it.live("each setting of a line changes alone", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const { did, extension, line, put, trunk } = callsOf(suite, as(7))
      const [one, other] = [
        yield* extension("1001", { domain: "a.test" }),
        yield* extension("1002", { domain: "a.test" })
      ]
      const [near, far] = [yield* trunk("Near"), yield* trunk("Far")]
      const number = yield* did("+49301234500", "extension", one.id)
      const { id } = yield* line(one.id, near.id)
      for (const change of [{ extension_id: other.id }, { did_id: number.id }, { trunk_id: far.id }, { priority: 5 }])
        expect((yield* put(`lines/${id}`, change)).json).toMatchObject(change)
      const noted = yield* suite.sql<{ detail: object }>`select detail from core.audit
        where action = 'sip_line.changed' order by id`
      expect(noted.map(({ detail }) => Object.keys(detail))).toEqual([
        ["extension_id"],
        ["did_id"],
        ["trunk_id"],
        ["priority"]
      ])
    })
  )
)

it.live("of one who deletes a thing and one who points at it, one is refused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* running
      const { extension, post, remove, ringGroup, trunk } = callsOf(suite, as(7))
      const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { id } = yield* extension("1001", { domain: "a.test" })
      const by = yield* trunk("Far")
      yield* extension("1002", { domain: "a.test" })
      yield* ringGroup("Sales", ["1002"], { domain: "a.test" })
      const { sql } = suite
      // Both changes wait for the tenant's lock, which the test holds, and then run together.
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select pg_advisory_xact_lock(hashtext('sip_config'), 7)`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(go)
          })
        )
      )
      yield* Deferred.await(held)
      const asked = yield* Effect.forkChild(
        Effect.all([remove(`extensions/${id}`), post("lines", { extension_id: id, trunk_id: by.id })], {
          concurrency: "unbounded"
        })
      )
      yield* until(
        "both wait",
        Effect.map(
          sql<{
            count: number
          }>`select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
          ([row]) => row!.count === 2
        )
      )
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(holder)
      const [gone, made] = yield* Fiber.join(asked)
      expect([
        [204, 422],
        [409, 201]
      ]).toContainEqual([gone!.status, made!.status])
    })
  )
)

it.live("a filter's pattern is digits, +, * and ?, or the word anonymous", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { post, get } = callsOf(yield* running, as(7))
      const status = (pattern: string, more = {}) =>
        Effect.map(post("call-filters", { name: "Spam", type: "blacklist", pattern, ...more }), (answer) => [
          pattern,
          answer.status
        ])
      for (const right of ["+49171*", "0171?", "*", "anonymous", "+4917?2*", "1".repeat(32)])
        expect(yield* status(right)).toEqual([right, 201])
      for (const wrong of ["+", "49+1", "ann*", "anonymous*", "[0-9]", ".*", " 1", "1".repeat(33), ""])
        expect(yield* status(wrong)).toEqual([wrong, 422])
      expect(yield* status("*", { action: "allow" })).toEqual(["*", 422])
      expect((yield* get("call-filters?type=whitelist")).json.items).toEqual([])
      expect((yield* get("call-filters?type=blacklist")).json.items).toHaveLength(6)
    })
  )
)
