/** Everything that a customer can own, made by the customer's own calls as far as the API has one. */
import { Effect } from "effect"
import { camt053 } from "#support/bank/StatementFiles.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import type { Party, SiteShape } from "./Site.ts"
import { systemRows } from "./SystemRows.ts"

/** Numbers of the two parties differ by this beginning. */
const numbers = { A: "+493010", B: "+493020" } as const

/** IBANs of the parties' bank accounts. */
export const accountIbans = { A: "DE89370400440532013000", B: "DE02120300000000202051" } as const

/** Makes the data of a party. Every text contains a new secret word of the party. */
export const ownData = Effect.fnUntraced(function* ({ platform, suite }: SiteShape, party: Party) {
  const { call, secret } = party
  let count = 0
  const number = () => `${numbers[party.name]}${1_000 + ++count}`
  const post = Effect.fnUntraced(function* (path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = yield* call("admin", "POST", `/api/v1/${path}`, { headers, ...(body === undefined ? {} : { body }) })
    return answer.status < 300
      ? answer.json
      : yield* Effect.die(new Error(`POST ${path}: ${answer.status} ${answer.text}`))
  })
  /** The provider confirms that the name or number is the tenant's. */
  const confirm = Effect.fnUntraced(function* (path: string) {
    const answer = yield* suite.call("POST", `/api/v1/${path}`, { headers: platform })
    if (answer.status !== 200) yield* Effect.die(new Error(`POST ${path}: ${answer.status} ${answer.text}`))
  })
  const voice = `${secret()}.test`
  const user = party.people.customer.id

  const customer = yield* post("crm/customers", {
    number: secret(),
    name: secret(),
    locale: "de",
    email: `${secret()}@far.test`,
    phones: [number()]
  })
  yield* post("crm/customers/imports", `number,name\n${secret()},${secret()}\n`, { "content-type": "text/csv" })
  for (const table of ["dns_verifier.customer_tenant", "mail_admin.customer_tenant", "bank_fetcher.customer"])
    yield* untilWithin(
      30,
      `customer of ${party.name} at ${table}`,
      Effect.map(
        suite.sql`select 1 from ${suite.sql.literal(table)} where customer_id = ${customer.id}`,
        ({ length }) => length === 1
      )
    )

  const external = yield* post("sip/external-numbers", { number: number(), name: secret() })
  const extension = yield* post("sip/extensions", {
    extension: "101",
    name: secret(),
    domain: voice,
    user_id: user,
    password: `${secret()}abcd1234`
  })
  const { items } = (yield* call("admin", "GET", `/api/v1/sip/domains?domain=${voice}`)).json
  yield* confirm(`sip/domains/${items[0].id}/assert`)
  const gone = yield* post("sip/extensions", { extension: "102", name: secret(), domain: voice })
  yield* call("admin", "DELETE", `/api/v1/sip/extensions/${gone.id}`)
  const trunk = yield* post("sip/trunks", {
    name: secret(),
    host: `${secret()}.test`,
    username: secret(),
    password: secret(),
    realm: `${secret()}.test`,
    caller_id: number()
  })
  const did = yield* post("sip/dids", {
    number: number(),
    name: secret(),
    trunk_id: trunk.id,
    destination_type: "extension",
    destination_id: extension.id
  })
  yield* confirm(`sip/dids/${did.id}/assign`)
  yield* post("sip/lines", { extension_id: extension.id, did_id: did.id, trunk_id: trunk.id })
  yield* post("sip/ring-groups", {
    name: secret(),
    strategy: "simultaneous",
    ring_timeout: 20,
    extensions: ["101"],
    domain: voice,
    number: "601"
  })
  yield* post("sip/ivr-menus", {
    name: secret(),
    greeting: `ivr/${secret()}.wav`,
    domain: voice,
    entries: [{ digits: "1", destination_type: "external", destination_id: external.id }]
  })
  yield* post("sip/voicemail-boxes", { box: "701", name: secret(), domain: voice, email: `${secret()}@far.test` })
  yield* post("sip/call-filters", { name: secret(), type: "blacklist", pattern: `${number()}*`, action: "reject" })

  const mail = `${secret()}.test`
  const mailDomain = yield* post("mail/domains", { domain: mail, customer_id: customer.id })
  yield* confirm(`mail/domains/${mailDomain.id}/assert`)
  const mailbox = yield* post(`mail/domains/${mailDomain.id}/accounts`, {
    local_part: secret(),
    password: "four words in a row",
    user_id: user
  })
  const closed = yield* post(`mail/domains/${mailDomain.id}/accounts`, {
    local_part: secret(),
    password: "four words in a row"
  })
  yield* call("admin", "DELETE", `/api/v1/mail/accounts/${closed.id}`)
  yield* post(`mail/domains/${mailDomain.id}/aliases`, { source: secret(), destination: `${secret()}@far.test` })

  yield* post("dns-providers", {
    customer_id: customer.id,
    name: secret(),
    type: "manual",
    credentials: {},
    is_default: false
  })
  const domain = yield* post("domains", { name: `${secret()}.test`, customer_id: customer.id, dns_provider_id: null })
  yield* confirm(`domains/${domain.id}/assert`)
  yield* post(`domains/${domain.id}/records`, { type: "TXT", name: "note", content: secret(), ttl: 3600 })

  const bank = yield* post("crm/ebics/accounts", {
    name: secret(),
    iban: accountIbans[party.name],
    holder: secret(),
    host_id: "EBIXHOST",
    partner_id: "PARTNER",
    user_id: "USER",
    server_url: `https://${secret()}.test/ebics`,
    key_bits: 2048
  })
  yield* post(`crm/ebics/accounts/${bank.id}/keys/init`, {})

  yield* call("customer", "PUT", "/api/v1/settings/preferences", {
    body: { mail_handler: "internal", call_handler: "internal" }
  })
  yield* bankData(post, customer.id, secret)
  yield* post("comm/webhook-secrets", {})
  yield* call("customer", "POST", "/api/v1/support/sessions", { body: { channel: "web", message: secret() } })
  yield* untilWithin(
    30,
    `users of ${party.name} at comm-dispatcher`,
    Effect.map(suite.sql`select 1 from comm_dispatcher.member where user_id = ${user}`, ({ length }) => length === 1)
  )
  yield* post("notifications", {
    user_id: user,
    type: "order.paid",
    category: "system",
    severity: "info",
    title: secret(),
    body: secret()
  })
  const alarm = yield* post("comm/notify", {
    text: secret(),
    severity: "INFO",
    channels: [{ channel: "messenger", target: "4711", caption: secret() }]
  })
  yield* untilWithin(
    30,
    `the alarm of ${party.name} has ended`,
    Effect.map(
      suite.sql`select 1 from comm_dispatcher.run where id = ${alarm.run_id}::uuid and finished_at is not null`,
      ({ length }) => length === 1
    )
  )
  yield* ownStatements(suite, party)
  yield* systemRows(suite, party, { user, customer: customer.id, domain: domain.id, mailbox: mailbox.id })
  return { customer, mailbox, trunk, voice }
})

/** A bank statement of the party, with an account of another IBAN than that of other parties. */
const ownStatements = Effect.fnUntraced(function* ({ sql }: TestSuite, { call, secret, tenant }: Party) {
  const file = camt053({
    day: "2026-01-06",
    id: secret(),
    bookings: [{ amount: "1.00", text: secret(), endToEndId: secret(), name: secret(), reference: secret() }]
  })
  const answer = yield* call("admin", "POST", `/api/v1/crm/ebics/statements/import?name=${secret()}.xml`, {
    body: file
  })
  if (answer.status !== 202) yield* Effect.die(new Error(`import: ${answer.status} ${answer.text}`))
  yield* untilWithin(
    30,
    "the file is read",
    Effect.map(sql`select 1 from bank_fetcher.transaction where tenant_id = ${tenant}`, ({ length }) => length === 1)
  )
  // A transaction that was matched, and ignored after that, by a batch and by a person.
  const invoice = yield* call("admin", "POST", "/api/v1/crm/invoices", {
    body: { number: secret(), amount: "1.00", issued_on: "2026-01-06" }
  })
  const [transaction] = yield* sql<{ id: string }>`select id from bank_fetcher.transaction where tenant_id = ${tenant}`
  const path = `/api/v1/crm/ebics/transactions/${transaction!.id}`
  for (const [to, body] of [
    [`${path}/reconcile`, { allocations: [{ invoice_id: invoice.json.id }], note: secret() }],
    [`${path}/ignore`, { reason: secret() }],
    ["/api/v1/crm/ebics/reconcile/batch", {}]
  ] as const) {
    const { status, text } = yield* call("admin", "POST", to, { body })
    if (status !== 200 && status !== 202) yield* Effect.die(new Error(`${to}: ${status} ${text}`))
  }
  // A file that is being read, as a crash leaves it.
  yield* sql`insert into bank_fetcher.parsed_rows (file_id, reading, position, tenant_id, statement, rows)
    select id, gen_random_uuid(), 0, tenant_id, 0, '[]' from bank_fetcher.raw_file where tenant_id = ${tenant}`
})

/** Invoices, payments and IBANs of the customer. */
const bankData = Effect.fnUntraced(function* <E, R>(
  post: (path: string, body: unknown, headers?: Record<string, string>) => Effect.Effect<any, E, R>,
  customer: number,
  secret: () => string
) {
  const csv = { "content-type": "text/csv" }
  yield* post(`crm/ebics/customers/${customer}/ibans`, { iban: "DE02120300000000202051" })
  const invoice = yield* post("crm/invoices", {
    number: secret(),
    amount: "100.00",
    issued_on: "2030-01-01",
    customer_id: customer,
    external_id: secret(),
    note: secret()
  })
  yield* post("crm/payments", {
    amount: "10.00",
    paid_on: "2030-01-05",
    external_id: secret(),
    note: secret(),
    allocations: [{ invoice_id: invoice.id }]
  })
  yield* post("crm/invoices/imports", `number,amount,issued_on\n${secret()},5.00,2030-01-01\n`, csv)
  yield* post("crm/payments/imports", `external_id,amount,paid_on\n${secret()},5.00,2030-01-01\n`, csv)
})

export type OwnData = Effect.Success<ReturnType<typeof ownData>>

/** Tables with row-level security that hold no row of the tenant. */
export const emptyTables = (sql: TestSuite["sql"], tenant: number) =>
  Effect.gen(function* () {
    const tables = yield* sql<{ name: string }>`select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relrowsecurity order by 1`
    const empty: Array<string> = []
    for (const { name } of tables) {
      const rows = yield* sql.unsafe(`select 1 from ${name} where tenant_id = ${tenant} limit 1`)
      if (rows.length === 0) empty.push(name)
    }
    return empty
  })
