/** A relay that is away, puts off, refuses or says nothing; and a process that ends with mails in hand. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { mailRig } from "./MailRig.ts"

type Rig = Effect.Success<ReturnType<typeof mailRig>>

const incident = (id: string) => ({ id, updates: [{ at: "2026-02-01T10:00:00Z" }] })

const mails = (rig: Rig) =>
  rig.sql<{
    email: string
    state: string
    attempts: number
    last_error: string | null
    wait: number
    refusals: number
  }>`select s.email, m.state, m.attempts, m.last_error, s.refusals,
    extract(epoch from m.next_at - now())::float8 as wait from status_checker.mails m join status_checker.subscribers s on s.id = m.subscriber_id where m.kind = 'notice' order by m.id`

const settled = (rig: Rig, what: string, look: (rows: Effect.Success<ReturnType<typeof mails>>) => boolean) =>
  until(what, Effect.map(mails(rig), look), 20)

describe("sending", () => {
  it.live(
    "waits for an unreachable relay, reports it, and then sends every mail once",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const people = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}@example.test`)
        for (const email of people) yield* rig.confirmed(email, "en")
        yield* rig.sink.close
        yield* rig.write([incident("1")])
        yield* settled(
          rig,
          "one was tried",
          (rows) => rows.length === people.length && rows.some(({ last_error }) => last_error !== null)
        )
        const health = Effect.map(rig.suite.call("GET", "/health"), ({ json }) => json.components.subscriptions)
        yield* until(
          "health tells",
          Effect.map(
            health,
            ({ last_error, queued }) => queued === people.length && /cannot be reached/.test(last_error)
          ),
          30
        )
        expect((yield* health).oldest_s).toBeGreaterThanOrEqual(0)
        // Nobody knocks more often for more mails: one tries for all.
        expect((yield* mails(rig)).filter(({ attempts }) => attempts > 1).length).toBeLessThan(people.length)
        yield* rig.sink.open
        // Health may show the error only after 15 s. By then the pause before the next attempt is up to 20 s long.
        yield* until(
          "all are done",
          Effect.map(mails(rig), (rows) => rows.every(({ state }) => state === "delivered")),
          45
        )
        for (const email of people) expect(rig.mailsTo(email).length).toBe(2)
      }),
    120_000
  )

  it.live(
    "retries deferred mails, gives up refused ones, and keeps the subscriber",
    () =>
      Effect.gen(function* () {
        const answers: Record<string, number> = { "later@example.test": 450, "never@example.test": 550 }
        let asked: Array<string> = []
        const sink = yield* MailSink.make({
          onRcptTo: ({ address }, _session, done) => {
            asked.push(address)
            const code = answers[address]
            done(
              code === undefined
                ? undefined
                : Object.assign(new Error(`<${address}>: quoted by the relay`), { responseCode: code })
            )
          }
        })
        const rig = yield* mailRig({ sink })
        const [later, never] = [answers["later@example.test"]!, answers["never@example.test"]!]
        answers["later@example.test"] = 250
        delete answers["later@example.test"]
        delete answers["never@example.test"]
        for (const email of ["later@example.test", "never@example.test", "fine@example.test"])
          yield* rig.confirmed(email, "en")
        answers["later@example.test"] = later
        answers["never@example.test"] = never
        asked = []
        yield* rig.write([incident("1")])
        yield* settled(
          rig,
          "each was tried",
          (rows) => rows.length === 3 && rows.every(({ attempts, state }) => attempts > 0 && state !== "attempting")
        )
        const byAddress = new Map((yield* mails(rig)).map((row) => [row.email, row]))
        expect(byAddress.get("fine@example.test")).toMatchObject({ state: "delivered", attempts: 1 })
        expect(byAddress.get("later@example.test")).toMatchObject({ state: "pending", attempts: 1, refusals: 0 })
        expect(byAddress.get("later@example.test")!.last_error).toMatch(/puts the mail off \(450\)$/)
        expect(byAddress.get("later@example.test")!.wait).toBeGreaterThan(60)
        expect(byAddress.get("never@example.test")).toMatchObject({ state: "failed", attempts: 1, refusals: 1 })
        expect(byAddress.get("never@example.test")!.last_error).toMatch(/refuses the mail \(550\)$/)
        // What the relay quotes is neither stored nor shown.
        const stored = JSON.stringify(yield* rig.sql`select last_error from status_checker.mails`)
        expect(stored + (yield* rig.suite.call("GET", "/health")).text).not.toMatch(/never@|quoted by the relay/)
        expect(asked.sort()).toEqual(["fine@example.test", "later@example.test", "never@example.test"])
        // Its time has come, and the relay takes it.
        delete answers["later@example.test"]
        yield* rig.sql`update status_checker.mails set next_at = now()`
        yield* rig.sql`select pg_notify('signalbox', 'status-checker.mails')`
        yield* rig.received("later@example.test", 2)
        // A refused one goes no more by itself, and the next notice does.
        delete answers["never@example.test"]
        yield* rig.write([incident("1"), incident("2")])
        yield* rig.received("never@example.test", 2)
        yield* settled(rig, "all are done", (rows) => rows.filter(({ state }) => state === "delivered").length === 5)
        expect(
          (yield* mails(rig))
            .filter(({ email }) => email === "never@example.test")
            .map(({ refusals, state }) => [state, refusals])
        ).toEqual([
          ["failed", 0],
          ["delivered", 0]
        ])
      }),
    120_000
  )

  it.live(
    "does not send mails that are too old, and pauses when the relay defers everything",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) yield* rig.confirmed(`${name}@example.test`, "en")
        const before = rig.sink.connections()
        rig.sink.behave(421)
        yield* rig.write([incident("1")])
        yield* settled(rig, "some were tried", (rows) => rows.some(({ last_error }) => /421/.test(last_error ?? "")))
        const note = Effect.map(
          rig.suite.call("GET", "/health"),
          ({ json }) => json.actors.find(({ name }: { readonly name: string }) => name === "mails").note
        )
        yield* until(
          "the others wait",
          Effect.map(note, (text) => text === "the relay cannot be reached")
        )
        // Not all of them knock on a closed door.
        expect(rig.sink.connections() - before).toBeLessThanOrEqual(6)
        const age = rig.sql`with aged as (update status_checker.mails set created_at = now() - interval '6 days', next_at = now() where state = 'pending' returning 1)
        select pg_notify('signalbox', 'status-checker.mails') from aged`
        yield* until(
          "they are given up",
          Effect.andThen(
            age,
            Effect.map(mails(rig), (rows) => rows.every(({ state }) => state === "failed"))
          ),
          20
        )
        rig.sink.behave(250)
        expect(rig.sink.mails.length).toBe(8)
      }),
    120_000
  )

  it.live(
    "resumes mails of a dead process with the same Message-ID",
    () =>
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const sink = yield* MailSink.make()
        const env = { SIGNALBOX_DATA_DIR: yield* temporaryDirectory() }
        const id = yield* Effect.scoped(
          Effect.gen(function* () {
            const rig = yield* mailRig({ database, env, sink })
            yield* rig.confirmed("anna@example.test", "en")
            yield* rig.write([incident("1")])
            yield* rig.received("anna@example.test", 2)
            yield* settled(rig, "it is done", (rows) => rows[0]?.state === "delivered")
            return rig.mailsTo("anna@example.test")[1]!.mail.messageId
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            // As a kill leaves it: taken by the relay, and nobody wrote that down.
            const rig = yield* mailRig({ database, env, sink, incidents: [incident("1")] })
            yield* rig.sql`update status_checker.mails set state = 'attempting', done_at = null where kind = 'notice'`
          })
        )
        const rig = yield* mailRig({ database, env, sink, incidents: [incident("1")] })
        yield* rig.received("anna@example.test", 3)
        expect(
          rig
            .mailsTo("anna@example.test")
            .slice(1)
            .map(({ mail }) => mail.messageId)
        ).toEqual([id, id])
        expect(id).toMatch(/^<notice\.[0-9a-f]{32}\.\d+@example\.test>$/)
      }),
    120_000
  )

  it.live(
    "finishes the current mail at a regular stop",
    () =>
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const sink = yield* MailSink.make()
        const env = { SIGNALBOX_DATA_DIR: yield* temporaryDirectory() }
        let hold: (() => void) | undefined
        const slow = yield* MailSink.make({ onRcptTo: (_address, _session, done) => void (hold = () => done()) })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const rig = yield* mailRig({ database, env, sink })
            yield* rig.confirmed("anna@example.test", "en")
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const rig = yield* mailRig({ database, env, sink: slow })
            yield* rig.write([incident("1")])
            yield* until(
              "it is in hand",
              Effect.sync(() => hold !== undefined),
              20
            )
            // Ends while the daemon is stopping.
            setTimeout(() => hold?.(), 500)
          })
        )
        expect(slow.mails.length).toBe(1)
        const rig = yield* mailRig({ database, env, sink, incidents: [incident("1")] })
        expect((yield* mails(rig)).map(({ attempts, state }) => [state, attempts])).toEqual([["delivered", 1]])
      }),
    120_000
  )
})
