import { expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { until } from "#support/Frame.ts"
import { as, startTelephony } from "../Telephony.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startTelephony())

/** API calls of one caller below `/api/v1/crm/customers`. */
const callsOf =
  (suite: Effect.Success<ReturnType<typeof startTelephony>>, caller: { readonly headers: Record<string, string> }) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    suite.call(method, `/api/v1/crm/customers${path}`, {
      headers: { ...caller.headers, ...headers },
      ...(body === undefined ? {} : { body })
    })

const bakery = {
  number: "K-17",
  name: "Bäckerei Müller",
  locale: "de-at",
  email: "Info@Example.Test",
  phones: ["030 123456", "0049 171 2345678", "+4930123456"]
}

it.live("a customer is made, found, changed and deleted, and each change is told once", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* running
      const ask = callsOf(suite, as(7))
      const key = { "idempotency-key": "once" }
      const made = yield* ask("POST", "", bakery, key)
      expect([made.status, made.json]).toEqual([
        201,
        expect.objectContaining({
          tenant_id: 7,
          number: "K-17",
          name: "Bäckerei Müller",
          locale: "de-AT",
          email: "info@example.test",
          phones: ["+4930123456", "+491712345678"]
        })
      ])
      expect((yield* ask("POST", "", bakery, key)).json).toEqual(made.json)
      const taken = yield* ask("POST", "", { number: "K-17", name: "Other" })
      expect([taken.status, taken.json.code, taken.json.customer_id]).toEqual([
        409,
        "customer_number_taken",
        made.json.id
      ])
      // Customer numbers are unique per tenant.
      expect((yield* callsOf(suite, as(8))("POST", "", { number: "K-17", name: "Theirs" })).status).toBe(201)
      const { id } = made.json
      yield* ask("POST", "", { number: "K-18", name: "50% off_shop" })

      const found = (query: string) =>
        Effect.map(ask("GET", `?${query}`), ({ json }) => json.items.map(({ number }: any) => number))
      for (const [query, numbers] of [
        ["", ["K-18", "K-17"]],
        ["q=m%C3%BCLLER", ["K-17"]],
        ["q=k-1", ["K-18", "K-17"]],
        ["q=0171%202345678", ["K-17"]],
        ["q=%25", ["K-18"]],
        ["q=_", ["K-18"]],
        ["phone=%2B4930123456", ["K-17"]],
        ["phone=00001712345678", ["K-17"]],
        ["number=K-1", []],
        ["number=K-18", ["K-18"]]
      ] as const)
        expect([query, yield* found(query)]).toEqual([query, numbers])

      const same = yield* ask("PUT", `/${id}`, { locale: "de-AT", phones: ["030123456", "01712345678"] })
      const changed = yield* ask("PUT", `/${id}`, { phones: ["+43 1 5123456"], email: null })
      expect(same.json).toEqual(made.json)
      expect(changed.json).toMatchObject({ phones: ["+4315123456"], email: null, locale: "de-AT" })
      expect(yield* found("phone=030123456")).toEqual([])
      expect((yield* ask("PUT", `/${id}`, { number: "K-18" })).json.code).toBe("customer_number_taken")
      expect([(yield* ask("DELETE", `/${id}`)).status, (yield* ask("GET", `/${id}`)).status]).toEqual([204, 404])

      const told = yield* suite.sql<{
        type: string
        tenant_id: number
        data: any
      }>`select type, tenant_id, data from core.event
      where type like 'customer.%' and data ->> 'customer_id' = ${String(id)} order by id`
      expect(told.map(({ data, type }) => [type, data.state, data.phones.length])).toEqual([
        ["customer.created", "active", 2],
        ["customer.changed", "active", 1],
        ["customer.deleted", "deleted", 1]
      ])
      expect(told.map(({ tenant_id }) => tenant_id)).toEqual([7, 7, 7])
      const versions = told.map(({ data }) => data.version)
      expect([...new Set(versions)].toSorted((a, b) => a - b)).toEqual(versions)
      const audit = yield* suite.sql<{
        row: string
      }>`select concat_ws(' ', tenant_id, actor, action) as row from core.audit where entity_type = 'customer' and entity_id = ${String(id)} order by id`
      expect(audit.map(({ row }) => row)).toEqual([
        "7 user:70 customer.created",
        "7 user:70 customer.changed",
        "7 user:70 customer.deleted"
      ])
    })
  )
)

it.live("wrong fields are named, and permissions count", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* running
      const ask = callsOf(suite, as(7))
      for (const [wrong, field] of [
        [{ ...bakery, locale: "deutsch!" }, "payload.locale"],
        [{ ...bakery, email: "nobody" }, "payload.email"],
        [{ ...bakery, phones: ["030123456", "12"] }, "payload.phones[1]"],
        [{ ...bakery, number: "" }, "payload.number"],
        [{ ...bakery, number: " K" }, "payload.number"],
        [{ name: "No number" }, "payload.number"]
      ] as const) {
        const { json, status } = yield* ask("POST", "", wrong)
        expect([status, json.errors[0].field]).toEqual([422, field])
      }
      expect((yield* callsOf(suite, as(7, "customers.read"))("POST", "", bakery)).status).toBe(403)
      expect((yield* callsOf(suite, as(7, "customers.manage"))("GET", "")).status).toBe(403)
      expect((yield* ask("POST", "", { ...bakery, tenant_id: 8 })).status).toBe(403)
    })
  )
)

const csv = { "content-type": "text/csv" }

it.live("a file is taken in: rows make, change, leave or fail, told by their lines", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const ask = callsOf(suite, as(7))
      yield* ask("POST", "", bakery)
      yield* ask("POST", "", { number: "K-18", name: "Same", phones: [] })
      const body = [
        "\uFEFFName;NUMBER;Phone;locale;email;colour",
        "Neu;K-19;030 1111111|030 2222222;en;;red",
        "Bäckerei;K-17;;;info@example.test;",
        "Same;K-18;;;;",
        "",
        "Kaputt;K-20;keine;;;",
        '"Zwei',
        'Zeilen";K-21;;;;',
        "Zu;K-22;;xx-;;",
        ";K-23;;;;",
        "Neu;K-19;030 1111111;en;;"
      ].join("\r\n")
      const imported = yield* ask("POST", "/imports", body, csv)
      expect([imported.status, imported.json.state]).toEqual([202, "waiting"])
      const now = Effect.map(ask("GET", `/imports/${imported.json.id}`), ({ json }) => json)
      yield* until(
        "the file is through",
        Effect.map(now, ({ state }) => state === "finished")
      )
      const { errors, rows } = yield* now
      expect(rows).toEqual({ total: 8, done: 8, created: 1, changed: 2, unchanged: 1, failed: 4 })
      expect(errors.map(({ line, message }: any) => [line, message.split(":")[0]])).toEqual([
        [6, "phones"],
        [8, "name"],
        [9, "locale"],
        [10, "name"]
      ])
      expect((yield* ask("GET", "?number=K-19")).json.items[0]).toMatchObject({
        name: "Neu",
        locale: "en",
        phones: ["+49301111111"]
      })
      // An empty cell clears its field, except for the locale.
      expect((yield* ask("GET", "?number=K-17")).json.items[0]).toMatchObject({
        name: "Bäckerei",
        locale: "de-AT",
        phones: []
      })
      expect(
        yield* suite.sql`select actor, detail ->> 'failed' as failed from core.audit where action = 'customer_import.finished'`
      ).toEqual([{ actor: "user:70", failed: "4" }])
      expect(yield* suite.sql`select 1 from sip_config.customer_import where body is not null`).toEqual([])
      for (const wrong of ["", "\r\n", "name,phones\r\nAnn,030", "number,name,name\r\n", 'number,"name\r\n'])
        expect((yield* ask("POST", "/imports", wrong, csv)).status).toBe(422)
      expect((yield* callsOf(suite, as(8))("GET", `/imports/${imported.json.id}`)).status).toBe(404)
    })
  )
)

it.live(
  "a file whose work was cut off in the middle goes on there",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startTelephony()
        const ask = callsOf(suite, as(7))
        const rows = Array.from({ length: 400 }, (_, index) => `N-${index},Name ${index},030${1_000_000 + index}`)
        // A locked row of an existing customer blocks the import in its sixth batch.
        yield* ask("POST", "", { number: "N-260", name: "Held" })
        const sql = suite.sql
        const held = yield* Deferred.make<void>()
        const row = sql<{ state: string; rows_done: number; rows_total: number; created: number; changed: number }>`
      select state, rows_done, rows_total, created, changed from sip_config.customer_import`
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.forkScoped(
              sql.withTransaction(
                sql`select 1 from sip_config.customer where number = 'N-260' for update`.pipe(
                  Effect.andThen(Deferred.succeed(held, undefined)),
                  Effect.andThen(Effect.never)
                )
              )
            )
            yield* Deferred.await(held)
            yield* ask("POST", "/imports", ["number,name,phones", ...rows].join("\n"), csv)
            yield* until(
              "the work stands",
              Effect.map(row, ([found]) => found!.rows_done === 250)
            )
            // Cuts the waiting connection, like the end of its process.
            yield* until(
              "it waits",
              Effect.map(
                sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
                (cut) => cut.length > 0
              )
            )
          })
        )
        yield* until(
          "the file is through",
          Effect.map(row, ([found]) => found!.state === "finished"),
          20
        )
        expect((yield* row)[0]).toMatchObject({ rows_done: 400, rows_total: 400, created: 399, changed: 1 })
        expect(yield* sql`select count(*)::int as n from sip_config.customer`).toEqual([{ n: 400 }])
        expect(yield* sql`select count(*)::int as n from core.event where type = 'customer.created'`).toEqual([
          { n: 400 }
        ])
      })
    ),
  120_000
)
