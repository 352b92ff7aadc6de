/** Calls the rows of the documents in their order and returns what differs, one line for each difference. */
import { Effect } from "effect"
import type { Answer } from "#support/TestSuite.ts"
import { rows, type Row, type Seen } from "./Documents.ts"
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
  // Notifications are created by events; the endpoint that creates one directly is our addition.
  yield* suite.call("POST", "/api/v1/notifications", {
    headers: platform,
    body: { user_id: adminId, type: "system.test", category: "system", severity: "info", title: "Test", body: "Test" }
  })
  const found: Array<string> = []
  for (const row of rows) {
    const [method] = row.endpoint.split(" ") as [string, string]
    const form = row.form?.(seen)
    const body = row.body?.(seen)
    const sent = Object.keys(body ?? form ?? row.query?.(seen) ?? {})
    if (row.in !== undefined && sent.join() !== row.in.join())
      found.push(`${row.endpoint}: the row sends ${sent.join()}, not the documented ${row.in.join()}`)
    const call = suite.call(method, filled(row, seen), {
      headers: {
        ...(row.as === "user" ? admin : row.as === "nobody" ? {} : platform),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        ...row.headers
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

/** Whether a repeated call has no further effect. */
const isReading = ({ endpoint, section }: Row): boolean => endpoint.startsWith("GET ") || section.startsWith("1 §4.3")

/** Endpoints of the table that no daemon declares. */
export const undeclared: ReadonlyArray<string> = rows
  .flatMap(({ endpoint, trust = [] }) => [endpoint, ...trust])
  .flatMap((endpoint) => {
    const [method, path] = endpoint.replace(/\{\w+\}/g, ":").split(" ") as [string, string]
    const plain = path.replace(/\/$/, "")
    return endpoints.some((one) => one.method === method && one.path.replace(/:\w+/g, ":") === plain) ? [] : [endpoint]
  })
