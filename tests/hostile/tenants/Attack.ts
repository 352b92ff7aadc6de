/**
 * Calls every operation as tenant B: with A's ids in the path, and with A's values in each parameter and field. Returns
 * findings, one line each: an answer with something of A, or a changed row of A.
 */
import { Effect } from "effect"
import type { Answer } from "#support/TestSuite.ts"
import { encoded, parametersOf, requestsOf, schemaOf, type Sent, type Target, targets } from "./Requests.ts"
import { differences, fingerprintOf, rowsOf, type Values, valuesOf } from "./Rows.ts"
import { type Party, secretWord, type SiteShape } from "./Site.ts"

type Path = Readonly<Record<string, string | number>>
type Role = "admin" | "customer"

/** Requests under way at a time. Reason: more only wait for each other. */
const concurrency = 4

const filled = (template: string, path: Path) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))

const uri = (target: Target, path: Path, { query }: Sent) => {
  const text = new URLSearchParams(query).toString()
  return filled(target.template, path) + (text === "" ? "" : `?${text}`)
}

const send = (site: SiteShape, party: Party, role: Role | undefined, target: Target, path: Path, sent: Sent) => {
  const body = encoded(sent)
  return party.call(role, target.method, uri(target, path, sent), {
    ...(body === undefined ? {} : { body, headers: { "content-type": sent.type! } }),
    of: site.suite.suite.addresses.has(target.daemon) ? target.daemon : "gateway"
  })
}

/** Ids of a party by table of the daemon, as values of a path parameter. Unlikely tables come last. */
const idsByTable = (target: Target, name: string, values: Values): ReadonlyArray<ReadonlyArray<string | number>> => {
  // A folder of a mailbox is in no table.
  if (name === "folder") return []
  const segments = target.template.slice(1).replaceAll("-", "_").split("/")
  const before = segments[segments.indexOf(`{${name}}`) - 1]!
  // The ids of /domains/{id}/records/{record_id} are most likely those of a table with "record" in its name, then those
  // of one with "domain".
  const likeness = (table: string) => {
    const words = table.split("_")
    const known = words.filter((word) => segments.some((segment) => segment.startsWith(word)))
    return known.length / words.length + (words.some((word) => before.includes(word)) ? 1 : 0)
  }
  return [...values.idsByTable(schemaOf(target))]
    .toSorted(([one], [other]) => likeness(other) - likeness(one))
    .map(([, ids]) => ids.map((id) => (name === "record_id" ? `r${id}` : id)))
}

/** Values of one path parameter that a party has in the schema of the daemon. */
const valuesFor = (target: Target, name: string, values: Values): ReadonlyArray<string | number> => [
  ...new Set([
    ...(name === "folder" ? ["INBOX"] : []),
    ...idsByTable(target, name, values).flat(),
    ...values.named(name)
  ])
]

/** Highest number of A's paths, likely ones first, that are tried where A can read nothing under the prefix itself. */
const mostPaths = { whole: 40, brief: 12 }

/** The same for things on a mail server, which the attack has none of: every path gets the same answer. */
const mostMailPaths = 4

/** Operations between two checks of A's rows. Reason: a check takes as long as six requests. */
const checkedTogether = 10

/** Its body names the IBAN of the account in the path, which the generated body does not know. */
const confirmed = "POST /api/v1/crm/ebics/accounts/{uuid}/keys/reset"

/** The caller names the thing: each tenant has ids of its own, so A's id makes a thing of B. */
const namedByCaller: ReadonlySet<string> = new Set([
  "PUT /api/v1/crm/invoices/external/{external_id}",
  "PUT /api/v1/crm/payments/external/{external_id}"
])

/** Paths of a party's things by prefix: those whose GET answers 200. */
export type Reached = ReadonlyMap<string, ReadonlyArray<Path>>

/**
 * Finds the things of a party that its users can read. `isWhole`: tries the ids of all tables for each prefix, in place
 * of those up to the first table with something readable.
 */
export const reached = Effect.fnUntraced(function* (site: SiteShape, party: Party, values: Values, isWhole: boolean) {
  const found = new Map<string, ReadonlyArray<Path>>([["", [{}]]])
  const reads = targets
    .filter(({ method, prefix }) => method === "GET" && prefix !== "")
    .toSorted((a, b) => parametersOf(a.prefix).length - parametersOf(b.prefix).length)
  for (const target of reads) {
    const last = parametersOf(target.prefix).at(-1)!
    const above = target.prefix.slice(0, target.prefix.slice(0, target.prefix.lastIndexOf("{")).lastIndexOf("}") + 1)
    const known = new Set((found.get(target.prefix) ?? []).map((path) => JSON.stringify(path)))
    const [plain] = requestsOf(target, values, values, false)
    const readable = (candidates: ReadonlyArray<string | number>) =>
      Effect.filter(
        (found.get(above) ?? [])
          .flatMap((path) => candidates.map((value): Path => ({ ...path, [last]: value })))
          .filter((path) => !known.has(JSON.stringify(path))),
        (path) =>
          Effect.gen(function* () {
            for (const role of ["customer", "admin"] as const)
              if ((yield* send(site, party, role, target, path, plain!)).status === 200) return true
            return false
          }),
        { concurrency }
      )
    const tables = idsByTable(target, last, values)
    const ofTables = new Set(tables.flat())
    const others = valuesFor(target, last, values).filter((value) => !ofTables.has(value))
    const paths = [...(found.get(target.prefix) ?? [])]
    for (const candidates of [...tables, others]) {
      paths.push(...(yield* readable(candidates)))
      if (!isWhole && paths.some((path) => candidates.includes(path[last]!))) break
    }
    found.set(target.prefix, paths)
  }
  return found as Reached
})

/** Words and ids of A in an answer that the request did not contain. */
export const leaks = (request: string, { headers, text }: Pick<Answer, "headers" | "text">, other: Values) => {
  const answer = `${text}\n${[...headers].map((pair) => pair.join(": ")).join("\n")}`
  const words = answer.match(secretWord) ?? []
  const ids = answer.match(/(?<![\w-])(?:7\d{6}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/g) ?? []
  return [...words, ...ids.filter((id) => other.recognisable.has(id))].filter((found) => !request.includes(found))
}

/** Prefixes with a GET under which a party has nothing that it can read. */
export const unreachable = (found: Reached): ReadonlyArray<string> =>
  [...new Set(targets.filter(({ method }) => method === "GET").map(({ prefix }) => prefix))].filter(
    (prefix) => (found.get(prefix) ?? []).length === 0
  )

export interface Attack {
  readonly findings: ReadonlyArray<string>
  /** Operations whose body with B's own values is refused because of a field. */
  readonly refused: ReadonlyArray<string>
  readonly requests: number
}

const order = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/**
 * `isWhole`: also tries every field and every guessed path as the customer, and not only as the tenant's administrator,
 * who may do more; tries more guessed paths, and more values for each field; and checks A's rows after each operation,
 * so that a finding names only one.
 */
export const attack = Effect.fnUntraced(function* (
  site: SiteShape,
  ofA: Reached,
  ofB: Reached,
  isWhole: boolean,
  all: ReadonlyArray<Target> = targets
) {
  const { a, b, suite } = site
  let before = yield* rowsOf(suite.sql, a.tenant)
  let fingerprint = yield* fingerprintOf(suite.sql, a.tenant)
  const [other, own] = [valuesOf(before, a.tenant), valuesOf(yield* rowsOf(suite.sql, b.tenant), b.tenant)]
  const findings: Array<string> = []
  const refused: Array<string> = []
  // Words of A that B has written into its own data.
  const planted = new Set<string>()
  // Words of A that B has sent at all.
  const sentWords = new Set<string>()
  const [start] = yield* suite.sql<{ at: Date }>`select now() as at`
  let requests = 0

  const callsOf = (target: Target) => {
    const made = requestsOf(target, own, other, isWhole)
    const things = ofA.get(target.prefix) ?? []
    const pool = parametersOf(target.prefix).reduce<ReadonlyArray<Path>>(
      (paths, name) =>
        paths.flatMap((path) => valuesFor(target, name, other).map((value) => ({ ...path, [name]: value }))),
      [{}]
    )
    const brief = target.prefix.startsWith("/api/v1/mail/webmail/") ? mostMailPaths : mostPaths.brief
    const guessed = pool.slice(0, isWhole ? mostPaths.whole : brief)
    const theirs = target.prefix === "" ? [] : things.length > 0 ? things : guessed
    const mine = target.method === "DELETE" ? [] : (ofB.get(target.prefix) ?? []).slice(-1)
    return [
      ...theirs.flatMap((path) =>
        made
          .filter(({ field }) => field === undefined || field === "query.account" || field === "query.tenant_id")
          .map((sent) => ({ path, sent, isOwn: false, isGuess: things.length === 0 }))
      ),
      ...(target.prefix === "" ? [{}] : mine).flatMap((path) =>
        made.map((sent) => ({ path, sent, isOwn: true, isGuess: sent.field !== undefined }))
      )
    ]
  }

  const attempt = Effect.fnUntraced(function* (
    target: Target,
    role: Role,
    { isOwn, path, sent }: ReturnType<typeof callsOf>[number]
  ) {
    const request = decodeURIComponent(`${uri(target, path, sent)} ${encoded(sent)?.replaceAll("%", "%25") ?? ""}`)
    for (const word of request.match(secretWord) ?? []) sentWords.add(word)
    requests += 1
    let answer = yield* send(site, b, role, target, path, sent)
    // An earlier request has ended the session.
    if (answer.status === 401 && (yield* b.signedIn(role))) answer = yield* send(site, b, role, target, path, sent)
    const field = sent.field === undefined ? "" : ` with A's ${sent.field}`
    const where = `${target.name} as ${role}${isOwn ? "" : " with A's ids"}${field}`
    const brief = `${answer.status} ${answer.text.slice(0, 300)}`
    if (target.method !== "GET" && answer.status < 300)
      for (const word of request.match(secretWord) ?? []) planted.add(word)
    const leaked = leaks(request, answer, other).filter((found) => !planted.has(found))
    if (leaked.length > 0) findings.push(`${where} reads ${leaked.slice(0, 3).join(", ")}: ${brief}`)
    if (answer.status === 500) findings.push(`${where} breaks: ${brief}`)
    if (target.secured && !isOwn && answer.status < 300 && !namedByCaller.has(target.name))
      findings.push(`${where} succeeds: ${brief}`)
    const isRefused = answer.status === 422 && answer.json?.code === "invalid_request"
    if (isOwn && sent.field === undefined && isRefused && target.name !== confirmed)
      refused.push(`${target.name}: ${answer.text.slice(0, 400)}`)
  })

  const sorted = all.toSorted((x, y) => order.indexOf(x.method) - order.indexOf(y.method))
  let unchecked: Array<string> = []
  for (const target of sorted) {
    const isRead = target.method === "GET"
    for (const role of ["customer", "admin"] as const) {
      const calls = callsOf(target).filter(({ isGuess }) => isWhole || role === "admin" || !isGuess)
      yield* Effect.forEach(calls, (call) => attempt(target, role, call), {
        concurrency: isRead ? concurrency : 1,
        discard: true
      })
    }
    unchecked.push(target.name)
    if (unchecked.length < (isWhole ? 1 : checkedTogether) && target !== sorted.at(-1)) continue
    const names = unchecked.join(" or ")
    unchecked = []
    const now = yield* fingerprintOf(suite.sql, a.tenant)
    if (now === fingerprint) continue
    fingerprint = now
    const after = yield* rowsOf(suite.sql, a.tenant)
    findings.push(...differences(before, after).map((change) => `${names} changes ${change}`))
    before = after
  }
  // What the requests wrote and queued for B holds nothing that B has not sent itself.
  const jobs = yield* suite.sql<{ name: string; data: unknown }>`select name, data from pgboss.job
    where created_on >= ${start!.at}`
  for (const [name, rows] of [...(yield* rowsOf(suite.sql, b.tenant)), ["jobs", jobs] as const]) {
    const foreign = (JSON.stringify(rows).match(secretWord) ?? []).filter((word) => !sentWords.has(word))
    if (foreign.length > 0) findings.push(`${name} of B holds ${foreign.slice(0, 3).join(", ")}`)
  }
  return { findings, refused: [...new Set(refused)], requests } satisfies Attack as Attack
})
