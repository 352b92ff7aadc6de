/** A bank-fetcher for tests of invoices and payments, and common calls. */
import { Effect } from "effect"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"

/** Starts a bank-fetcher. Users are `user:<tenant>:<permission>` (FakeUsers). */
export const startLedger = (options: Partial<StartOptions> = {}) =>
  startSuite({ daemons: [bankFetcher], verifier: fakeUsers, ...options })

/** Calls of a user of `tenant` with all permissions, or only `held`, below `/api/v1/crm`. */
export const callsOf = ({ call }: TestSuite, tenant: number, held = "*") => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/crm${path}`, {
      of: "bank-fetcher",
      headers: { authorization: `Bearer user:${tenant}:${held}`, ...headers },
      ...(body === undefined ? {} : { body })
    })
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const { json, status, text } = yield* send("POST", path, body)
    return status === 201 ? json : yield* Effect.die(new Error(`POST ${path}: ${status} ${text}`))
  })
  return {
    send,
    get: (path: string) => Effect.map(send("GET", path), ({ json }) => json),
    /** Creates an invoice: number, amount, and what differs from an invoice of 2030-01-01. */
    invoice: (number: string, amount: string, more: object = {}) =>
      made("/invoices", { number, amount, issued_on: "2030-01-01", ...more }),
    pay: (amount: string, allocations: ReadonlyArray<object>, more: object = {}) =>
      send("POST", "/payments", { amount, paid_on: "2030-01-10", allocations, ...more }),
    paid: (amount: string, allocations: ReadonlyArray<object>, more: object = {}) =>
      made("/payments", { amount, paid_on: "2030-01-10", allocations, ...more }),
    /** Status, settled and open amount of an invoice. */
    state: (id: string) =>
      Effect.map(send("GET", `/invoices/${id}`), ({ json }) => [json.status, json.settled, json.open])
  }
}

/** Emits a customer event and waits until the daemon has it. */
export const emitCustomer = Effect.fnUntraced(function* (
  { sql }: TestSuite,
  customer: {
    readonly customer_id: number
    readonly tenant_id: number
    readonly number?: string
    readonly name?: string
    readonly version?: number
    readonly state?: string
  }
) {
  const data = {
    number: `K-${customer.customer_id}`,
    name: "Bakery",
    locale: "de-DE",
    email: null,
    phones: [],
    state: "active",
    version: 1,
    ...customer
  }
  yield* sql`insert into core.event (type, source, tenant_id, data)
    values ('customer.changed', 'test', ${customer.tenant_id}, ${sql.json(data)})`
  yield* sql`select pg_notify('signalbox', 'event')`
  yield* untilWithin(
    30,
    `customer ${customer.customer_id} is known`,
    Effect.map(
      sql`select 1 from bank_fetcher.customer
        where customer_id = ${customer.customer_id} and version = ${data.version}`,
      (rows) => rows.length === 1
    )
  )
})
