/** What is taken in once, over a real database, by the actor. */
import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Redacted, Scope } from "effect"
import { createHash } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Platform } from "#core/daemon/Daemon.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { dayLength } from "#daemons/status-checker/checks/Days.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { Imports, layer } from "#daemons/status-checker/imports/ImportActor.ts"
import * as StatusFiles from "#daemons/status-checker/status-files/StatusFiles.ts"
import { storedForm, unsubscribeColumn } from "#daemons/status-checker/subscriptions/LinkToken.ts"
import { noticeHash } from "#daemons/status-checker/subscriptions/NoticeHash.ts"
import { inFrame, run, until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

/** Between two looks: shorter than in life, for the test's sake. */
const every = Duration.millis(100)

interface World {
  readonly path: (name: string) => string
  readonly write: (name: string, content: unknown) => void
  readonly sql: PgClient.PgClient
  /** Starts the actor over these files, as one process would. */
  readonly begin: (variables: {
    readonly uptime?: string
    readonly subscribers?: string
    readonly notified?: string
    readonly incidents?: string
  }) => Effect.Effect<
    {
      readonly health: Imports["Service"]["health"]
      readonly done: Effect.Effect<void>
      readonly restarts: Effect.Effect<number>
    },
    never,
    Scope.Scope
  >
}

const inWorld = <E>(test: (world: World) => Effect.Effect<void, E, Scope.Scope | Platform>) =>
  Effect.scoped(
    Effect.flatMap(temporaryDirectory(), (directory) =>
      inFrame(
        Effect.gen(function* () {
          yield* Migrations.run(statusChecker.migrations)
          const context = yield* Effect.context<Platform | Supervisor>()
          const path = (name: string) => join(directory, name)
          const begin: World["begin"] = Effect.fnUntraced(function* ({ incidents, notified, subscribers, uptime }) {
            const at = (name: string | undefined) => (name === undefined ? undefined : path(name))
            const built = yield* Layer.build(
              Layer.merge(
                StatusFiles.layer({ servicesFile: undefined, incidentsFile: at(incidents) }, every),
                layer({ uptimeFile: at(uptime), subscribersFile: at(subscribers), notifiedFile: at(notified) }, every)
              )
            )
            const imports = Context.get(built, Imports)
            // The frame's context has a scope of its own: what is begun here ends with the caller's.
            const all = Context.add(Context.merge(context, built), Scope.Scope, yield* Effect.scope)
            yield* Effect.provideContext(run(Context.get(built, StatusFiles.StatusFiles).actor), all)
            yield* Effect.provideContext(run(imports.actor), all)
            const statuses = Context.get(context, Supervisor).statuses
            return {
              health: imports.health,
              restarts: Effect.map(statuses, (actors) => actors.find(({ name }) => name === "imports")!.restarts),
              done: until(
                "the actor has ended",
                Effect.map(statuses, (actors) =>
                  actors.some(
                    ({ name, note, state }) =>
                      name === "imports" && note === "all files are imported" && state !== "running"
                  )
                )
              )
            }
          })
          yield* test({
            path,
            write: (name, content) =>
              writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content)),
            sql: yield* PgClient.PgClient,
            begin
          })
        })
      )
    )
  )

const taken = (sql: PgClient.PgClient) =>
  Effect.map(sql<{ source: string }>`select source from status_checker.imports order by source`, (rows) =>
    rows.map(({ source }) => source)
  )
const emails = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{
      email: string
      lang: string
      status: string
    }>`select email, lang, status from status_checker.subscribers order by email`,
    (rows) => rows.map(({ email, lang, status }) => `${email} ${lang} ${status}`)
  )
const days = (sql: PgClient.PgClient) => sql<{
  component_id: string
  day: string
  operational: number
  major_outage: number
}>`
  select component_id, day::text, operational::float8, major_outage::float8 from status_checker.component_day order by component_id, day`
const dayAgo = (count: number) => new Date(Date.now() - count * dayLength).toISOString().slice(0, 10)
const sha = (text: string) => createHash("sha256").update(text).digest("hex")

const incidentOf = (id: string, ...timestamps: ReadonlyArray<string>) => ({
  id,
  title: id,
  title_en: id,
  status: "investigating",
  severity: "minor",
  components: [],
  created_at: timestamps[0],
  resolved_at: null,
  updates: timestamps.map((timestamp) => ({ status: "investigating", message: "x", message_en: "x", timestamp }))
})

describe("a one-time import", () => {
  it.live("is complete with a note and an audit row, and is not repeated at the next start", () =>
    inWorld(({ begin, path, sql, write }) =>
      Effect.gen(function* () {
        write("uptime.json", { mail: { [dayAgo(3)]: 75, [dayAgo(2)]: null }, web: { [dayAgo(200)]: 100 } })
        write("notified.json", [sha("one2026-01-31T09:00:00+01:00").slice(0, 16), sha("gone")])
        write("incidents.json", [incidentOf("one", "2026-01-31T09:00:00+01:00", "2026-01-31T10:00:00+01:00")])
        const database = new DatabaseSync(path("subscribers.db"))
        database.exec("create table subscribers (email text, lang text, status text, token text)")
        const insert = database.prepare("insert into subscribers values (?, ?, ?, 'secret')")
        for (const row of [
          ["Anna@Example.org", "de", "confirmed"],
          ["bert@example.org", "en", "pending"],
          ["carl@example.org", "fr", "confirmed"],
          ["x", "de", "confirmed"]
        ])
          insert.run(...(row as [string]))
        database.close()
        const files = {
          uptime: "uptime.json",
          subscribers: "subscribers.db",
          notified: "notified.json",
          incidents: "incidents.json"
        }
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { done, health } = yield* begin(files)
            yield* done
            expect(health()).toMatchObject({
              notified_file: { status: "ok", told: 1, not_found: 1 },
              subscribers_db: { status: "ok", added: 2, known: 0, pending: 1, unclear: 1 },
              uptime_file: { status: "ok", days: 1, too_old: 1, not_measured: 1 }
            })
          })
        )
        expect(yield* taken(sql)).toEqual(["NOTIFIED_FILE", "SUBSCRIBERS_DB", "UPTIME_FILE"])
        expect(yield* days(sql)).toEqual([
          { component_id: "mail", day: dayAgo(3), operational: 0.75 * dayLength, major_outage: 0.25 * dayLength }
        ])
        expect(yield* emails(sql)).toEqual(["anna@example.org de confirmed", "carl@example.org en confirmed"])
        expect(yield* sql`select hash, incident_id, silent from status_checker.notices`).toEqual([
          { hash: noticeHash("one", "2026-01-31T08:00:00.000Z"), incident_id: "one", silent: true }
        ])
        // Nobody was mailed, and everybody can leave.
        expect(yield* sql`select 1 from status_checker.mails`).toEqual([])
        const [row] = yield* sql<{
          unsubscribe: string
          unsubscribe_envelope: string
        }>`select unsubscribe, unsubscribe_envelope from status_checker.subscribers where email = 'anna@example.org'`
        const token = yield* (yield* Secrets).open(
          row!.unsubscribe_envelope,
          contextOf(unsubscribeColumn, row!.unsubscribe)
        )
        expect(storedForm(Redacted.value(token))).toBe(row!.unsubscribe)
        const audited = yield* sql<{
          entity_id: string
          detail: object
        }>`select entity_id, detail from core.audit where action = 'import.taken' order by entity_id`
        expect(audited.map(({ entity_id }) => entity_id)).toEqual(["NOTIFIED_FILE", "SUBSCRIBERS_DB", "UPTIME_FILE"])
        expect(JSON.stringify(audited)).not.toMatch(/secret|example\.org/)
        // Another start, other content, no file any more: the database rules.
        yield* sql`delete from status_checker.subscribers where email = 'anna@example.org'`
        write("uptime.json", { web: { [dayAgo(1)]: 100 } })
        rmSync(path("notified.json"))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { done, health } = yield* begin(files)
            yield* done
            expect(Object.values(health()).map(({ status }) => status)).toEqual(["ok", "ok", "ok"])
          })
        )
        expect(yield* days(sql)).toHaveLength(1)
        expect(yield* emails(sql)).toEqual(["carl@example.org en confirmed"])
      })
    )
  )

  it.live("is repeated when an invalid file changes, while the other files are imported", () =>
    inWorld(({ begin, sql, write }) =>
      Effect.gen(function* () {
        write("uptime.json", { mail: { [dayAgo(1)]: 101 } })
        write("subscribers.json", "SQLite format 3\0 and nothing else")
        write("notified.json", [sha("one:2026-01-31T08:00:00Z")])
        const { done, health } = yield* begin({
          uptime: "uptime.json",
          subscribers: "subscribers.json",
          notified: "notified.json",
          incidents: "incidents.json"
        })
        const says = (name: string, sentence: string) =>
          until(
            sentence,
            Effect.sync(() => health()[name]!.status === "degraded" && health()[name]!.detail!.includes(sentence))
          )
        yield* says("uptime_file", `UPTIME_FILE (uptime.json): mail["${dayAgo(1)}"] must be percent`)
        yield* says("subscribers_db", "SUBSCRIBERS_DB (subscribers.json) is not a readable SQLite database")
        // Without the incidents a hash says nothing.
        yield* says("notified_file", "NOTIFIED_FILE (notified.json) waits until INCIDENTS_FILE can be read")
        expect(yield* taken(sql)).toEqual([])
        write("incidents.json", [incidentOf("one", "2026-01-31T08:00:00Z")])
        yield* until(
          "notices are taken in",
          Effect.map(taken(sql), (sources) => sources.join() === "NOTIFIED_FILE")
        )
        write("subscribers.json", [{ Email: "anna@example.org", Confirmed: true }, { email: "bert@example.org" }])
        yield* until(
          "subscribers are taken in",
          Effect.map(taken(sql), (sources) => sources.includes("SUBSCRIBERS_DB"))
        )
        expect(yield* emails(sql)).toEqual(["anna@example.org en confirmed"])
        expect(health()["uptime_file"]).toMatchObject({ status: "degraded", since: expect.stringMatching(/Z$/) })
        write("uptime.json", { mail: { [dayAgo(1)]: 100 } })
        yield* done
        expect(health()["uptime_file"]).toMatchObject({ status: "ok", days: 1 })
        expect(yield* sql`select hash from status_checker.notices`).toEqual([
          { hash: noticeHash("one", "2026-01-31T08:00:00Z") }
        ])
      })
    )
  )

  it.live(
    "is atomic when the connection breaks, and complete afterwards",
    () =>
      inWorld(({ begin, sql, write }) =>
        Effect.gen(function* () {
          const people = Array.from({ length: 6_000 }, (_, index) => ({
            email: `p${index}@example.org`,
            lang: "de",
            confirmed: true
          }))
          write("subscribers.json", { subscribers: people })
          // The last one waits in the middle of the transaction.
          yield* sql.unsafe(
            `create function status_checker.wait() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$`
          )
          yield* sql.unsafe(
            `create trigger wait before insert on status_checker.subscribers for each row when (new.email = 'p5999@example.org') execute function status_checker.wait()`
          )
          const { done } = yield* begin({ subscribers: "subscribers.json" })
          const waiting = sql<{
            pid: number
          }>`select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
          yield* until(
            "it is in the middle",
            Effect.map(waiting, (rows) => rows.length === 1)
          )
          expect(yield* taken(sql)).toEqual([])
          const [first] = yield* waiting
          yield* sql.unsafe(
            "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
          )
          yield* until(
            "it is broken off",
            // The next attempt may wait already.
            Effect.map(waiting, (rows) => rows.every(({ pid }) => pid !== first!.pid))
          )
          expect([yield* taken(sql), yield* emails(sql)]).toEqual([[], []])
          // The next attempt may have begun. It holds a lock on the table, so the trigger cannot be dropped.
          yield* sql.unsafe(
            `create or replace function status_checker.wait() returns trigger language plpgsql as $$ begin return new; end $$`
          )
          yield* until(
            "nobody waits, and the file is taken in",
            Effect.andThen(
              sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
              Effect.map(taken(sql), ({ length }) => length === 1)
            )
          )
          yield* done
          expect(yield* emails(sql)).toHaveLength(people.length)
          expect(yield* sql`select counts->>'added' as added from status_checker.imports`).toEqual([{ added: "6000" }])
        })
      ),
    120_000
  )

  it.live("keeps existing subscribers and measurements", () =>
    inWorld(({ begin, sql, write }) =>
      Effect.gen(function* () {
        yield* sql`insert into status_checker.subscribers (email, lang, status, unsubscribe, unsubscribe_envelope) values ('anna@example.org', 'de', 'pending', ${sha("a")}, 'x')`
        yield* sql`insert into status_checker.component_day (component_id, day, operational) values ('mail', ${dayAgo(1)}::date, ${dayLength / 2}), ('mail', ${dayAgo(2)}::date, ${dayLength})`
        write("subscribers.json", [{ email: "anna@example.org", lang: "en", confirmed: 1 }])
        write("uptime.json", { mail: { [dayAgo(0)]: 100, [dayAgo(1)]: 0, [dayAgo(2)]: 0 } })
        const { done, health } = yield* begin({ subscribers: "subscribers.json", uptime: "uptime.json" })
        yield* done
        expect(health()["subscribers_db"]).toMatchObject({ added: 0, known: 1 })
        expect(yield* emails(sql)).toEqual(["anna@example.org de pending"])
        const [before, yesterday, today] = yield* days(sql)
        expect(before).toMatchObject({ operational: dayLength, major_outage: 0 })
        expect(yesterday).toMatchObject({ operational: dayLength / 2, major_outage: dayLength / 2 })
        // No more of today than has passed.
        expect(today!.operational).toBeLessThanOrEqual(Date.now() - Date.parse(dayAgo(0)))
      })
    )
  )

  it.live("reports missing, too large and wrongly encoded files with the remedy, and continues", () =>
    inWorld(({ begin, write, path }) =>
      Effect.gen(function* () {
        writeFileSync(path("uptime.json"), "x".repeat(17 * 1024 * 1024))
        writeFileSync(path("notified.json"), Buffer.from("\ufeff[]", "utf16le"))
        const { done, health } = yield* begin({
          uptime: "uptime.json",
          subscribers: "subscribers.db",
          notified: "notified.json"
        })
        yield* until(
          "all is said",
          Effect.sync(() => Object.values(health()).every(({ status }) => status === "degraded"))
        )
        expect(Object.values(health()).map(({ detail }) => detail)).toEqual([
          "NOTIFIED_FILE (notified.json) is written in UTF-16: save it as UTF-8",
          "SUBSCRIBERS_DB (subscribers.db) is missing: create it, or unset the variable",
          "UPTIME_FILE (uptime.json) is larger than 16777216 bytes: remove old entries"
        ])
        write("uptime.json", "\ufeff{}\r\n")
        write("notified.json", "{}")
        write("subscribers.db", '{"subscribers": []}')
        yield* done
        expect(Object.values(health()).map(({ status }) => status)).toEqual(["ok", "ok", "ok"])
      })
    )
  )

  it.live("runs once in two processes at the same time", () =>
    inWorld(({ begin, sql, write }) =>
      Effect.gen(function* () {
        write("uptime.json", { mail: { [dayAgo(1)]: { operational: 1_000 } } })
        const [written, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // What another process has written, and not committed yet.
        const other = yield* Effect.forkScoped(
          sql.withTransaction(
            // Postgres would end a transaction that does nothing for 5 s.
            sql`set local idle_in_transaction_session_timeout = 0`.pipe(
              Effect.andThen(
                sql`insert into status_checker.imports (source, counts) values ('UPTIME_FILE', '{"days": 7}')`
              ),
              Effect.andThen(Deferred.succeed(written, undefined)),
              Effect.andThen(Deferred.await(commit))
            )
          )
        )
        yield* Deferred.await(written)
        const { done, health, restarts } = yield* begin({ uptime: "uptime.json" })
        const blocked = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like '%status_checker.imports%'`
        yield* until(
          "it waits for the other",
          Effect.map(blocked, (rows) => rows.length === 1)
        )
        yield* Deferred.succeed(commit, undefined)
        yield* Fiber.join(other)
        yield* done
        expect(health()["uptime_file"]).toMatchObject({ status: "ok", days: 7 })
        expect(yield* days(sql)).toEqual([])
        expect(yield* restarts).toBe(0)
      })
    )
  )
})
