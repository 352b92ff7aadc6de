/** Calls the rows of the documents in their order and returns what differs, one line for each difference. */
import { Effect } from "effect"
import { camt053 } from "#support/bank/StatementFiles.ts"
import type { Answer, TestSuite } from "#support/TestSuite.ts"
import type { Row, Seen } from "./documents/Row.ts"
import { rows } from "./documents/Rows.ts"
import { account, endpoints, Installation } from "./Installation.ts"

/** Value at a path such as `components.cache.latency_ms`. Undefined: the path does not exist. */
const at = (json: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], json)

const filled = (row: Row, seen: Seen): string => {
  const [, template] = row.endpoint.split(" ") as [string, string]
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(seen[name] ?? "missing")))
  const query = Object.entries(row.query?.(seen) ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return query.length === 0 ? path : `${path}?${query.join("&")}`
}

/** Differences between the answer and the row. */
const differences = (row: Row, answer: Answer, seen: Seen): ReadonlyArray<string> => {
  const brief = `${answer.status} ${answer.text.slice(0, 300)}`
  const wanted = row.status ?? 200
  // An answer without a body has the status 204 where the document shows no answer.
  const isEmpty = row.out === undefined && row.values === undefined && answer.status === 204
  if (answer.status !== wanted && !isEmpty) return [`is answered ${brief}, not ${wanted}`]
  const missing = (row.out ?? []).filter((path) => at(answer.json, path) === undefined)
  const other = Object.entries(row.values ?? {}).filter(([path, value]) => at(answer.json, path) !== value)
  const also = row.also?.(answer, seen)
  return [
    ...(missing.length === 0 ? [] : [`lacks ${missing.join(", ")}: ${brief}`]),
    ...other.map(([path, value]) => `${path} is not ${JSON.stringify(value)}: ${brief}`),
    ...(also === undefined ? [] : [`${also}: ${brief}`])
  ]
}

export const documentRows = Effect.gen(function* () {
  const { admin, adminId, platform, suite } = yield* Installation
  const seen: Seen = { ...account, user: adminId }
  // Documents describe no endpoint for trunks, to which DIDs and lines refer.
  const trunk = yield* suite.call("POST", "/api/v1/sip/trunks", {
    headers: platform,
    body: { name: "Provider", host: "sip.example.net" }
  })
  seen["trunk"] = trunk.json.id
  // Documents describe no endpoint for users, for whom links are made.
  const person = yield* suite.call("POST", "/api/v1/users", {
    headers: platform,
    body: { email: "bernd@example.net", name: "Bernd", role: "user" }
  })
  seen["person"] = person.json.id
  // Notifications are created by events; the endpoint that creates one directly is our addition.
  yield* suite.call("POST", "/api/v1/notifications", {
    headers: platform,
    body: { user_id: adminId, type: "system.test", category: "system", severity: "info", title: "Test", body: "Test" }
  })
  // Incidents of a fresh installation are created by the operator.
  const incident = yield* suite.call("POST", "/api/v1/admin/incidents", {
    of: "status-checker",
    headers: platform,
    body: {
      title: "Ausfall",
      title_en: "Outage",
      severity: "minor",
      components: [],
      message: "Wir prüfen",
      message_en: "We check"
    }
  })
  yield* suite.call("POST", `/api/v1/admin/incidents/${incident.json.id}/publish`, {
    of: "status-checker",
    headers: platform
  })
  // Statements come from a bank, or by our addition.
  yield* suite.call("POST", "/api/v1/crm/ebics/statements/import", {
    headers: platform,
    body: camt053({ day: "2026-01-06", bookings: [{ amount: "1.00", endToEndId: "E-1" }] })
  })
  const invoice = yield* suite.call("POST", "/api/v1/crm/invoices", {
    headers: platform,
    // Another amount than the transaction, so that only a person matches them.
    body: { number: "RE-2026-0001", amount: "0.50", issued_on: "2026-01-01" }
  })
  Object.assign(seen, {
    bank_invoice: invoice.json.id,
    incident_id: incident.json.id,
    component_id: "web",
    locale: "en",
    key: "contract.greeting",
    folder: "INBOX",
    uid: 1,
    first: yield* firstLink(suite),
    member_token: yield* member(suite, platform)
  })
  const found: Array<string> = []
  for (const row of rows) {
    const [method] = row.endpoint.split(" ") as [string, string]
    const form = row.form?.(seen)
    const body = row.body?.(seen)
    const added = new Set(row.added)
    const sent = Object.keys(body ?? form ?? row.query?.(seen) ?? {}).filter((field) => !added.has(field))
    if (row.in !== undefined && sent.join() !== row.in.join())
      found.push(`${row.endpoint}: the row sends ${sent.join()}, not the documented ${row.in.join()}`)
    const call = suite.call(method, filled(row, seen), {
      headers: {
        ...(row.as === "user" ? admin : row.as === "nobody" ? {} : platform),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        ...row.headers?.(seen)
      },
      ...(form === undefined ? (body === undefined ? {} : { body }) : { body: new URLSearchParams(form).toString() }),
      ...(row.of === undefined ? {} : { of: row.of })
    })
    let answer = yield* call
    let differs = differences(row, answer, seen)
    // Daemons learn of each other's changes within a second.
    for (let turn = 0; differs.length > 0 && turn < 40 && isReading(row); turn++) {
      yield* Effect.sleep("250 millis")
      answer = yield* call
      differs = differences(row, answer, seen)
    }
    for (const [name, path] of Object.entries(row.keeps ?? {})) seen[name] = at(answer.json, path) as string
    found.push(...differs.map((line) => `${row.section} ${row.endpoint}: ${line}`))
  }
  return found
})

/** The one-time link with which the first user of edge-auth registers. */
const firstLink = ({ suite }: TestSuite) =>
  Effect.map(suite.daemon("edge-auth")!.greeting({ base: "http://localhost", gateway: false }), (lines) =>
    lines.map(({ text }) => /\?first=([0-9a-f]{64})\b/.exec(text)?.[1] ?? "").join("")
  )

/** Access token of an admin of a customer's tenant. */
const member = Effect.fnUntraced(function* (suite: TestSuite, platform: Readonly<Record<string, string>>) {
  const tenant = yield* suite.call("POST", "/api/v1/tenants", { headers: platform, body: { name: "Customer" } })
  const cara = { email: "cara@customer.example.net", password: account.password }
  yield* suite.call("POST", "/api/v1/users", {
    headers: platform,
    body: { ...cara, name: "Cara", role: "admin", tenant_id: tenant.json.id }
  })
  const { json } = yield* suite.call("POST", "/api/v1/auth/login", { body: cara })
  return json.access_token as string
})

/** Whether a repeated call has no further effect. */
const isReading = ({ endpoint, section }: Row): boolean => endpoint.startsWith("GET ") || section.startsWith("1 §4.3")

/** Endpoints of the table that no daemon declares. */
export const undeclared: ReadonlyArray<string> = rows
  .flatMap(({ endpoint, steps = [] }) => [endpoint, ...steps])
  .flatMap((endpoint) => {
    const [method, path] = endpoint.replace(/\{\w+\}/g, ":").split(" ") as [string, string]
    const plain = path.replace(/\/$/, "")
    return endpoints.some((one) => one.method === method && one.path.replace(/:\w+/g, ":") === plain) ? [] : [endpoint]
  })
