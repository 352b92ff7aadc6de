import { isIPv4, isIPv6 } from "node:net"
import type { Incoming } from "../HttpDouble.ts"
import { type Answered, ApiDouble } from "./ApiDouble.ts"
import { absolute, dnsText, stringsProblem } from "./ZoneFile.ts"

interface Value {
  readonly value: string
  readonly comment?: string
}

interface DoubleSet {
  readonly name: string
  readonly type: string
  ttl: number | null
  records: ReadonlyArray<Value>
  protected?: boolean
}

interface DoubleZone {
  readonly id: number
  readonly name: string
  mode: "primary" | "secondary"
  readonly sets: Map<string, DoubleSet>
}

interface DoubleAction {
  /** Remaining queries until the action is done. */
  looks: number
  readonly fails: boolean
  readonly zone: DoubleZone
  readonly apply: () => void
}

const types = new Set([
  "A",
  "AAAA",
  "CAA",
  "CNAME",
  "DS",
  "HINFO",
  "HTTPS",
  "MX",
  "NS",
  "PTR",
  "RP",
  "SRV",
  "SVCB",
  "TLSA",
  "TXT"
])

/**
 * DNS part of Hetzner's Cloud API. A change applies when its action is done; clients learn that by querying the action.
 */
export class HetznerDouble extends ApiDouble {
  readonly token = "T0k3n".repeat(13).slice(0, 64)
  readonly readOnlyToken = "R3ad0".repeat(13).slice(0, 64)
  /** Number of queries before an action is done; `Infinity`: never. */
  looks = 1
  /** Time until the reset in a 429 answer. Unit: seconds, rounded up. */
  resetAfter = 1
  /** Number of following actions that fail. */
  failActions = 0
  /** The next changes find the zone locked, or changed by another client. */
  readonly busyNext: Array<"locked" | "conflict"> = []
  /** Runs before the next change. Simulates another client between the adapter's read and its write. */
  before: (() => void) | undefined
  readonly #zones = new Map<number, DoubleZone>()
  readonly #actions = new Map<number, DoubleAction>()
  #nextId = 1_000

  makeZone(name: string, mode: "primary" | "secondary" = "primary"): void {
    const id = this.#nextId++
    const zone: DoubleZone = { id, name, mode, sets: new Map() }
    this.#zones.set(id, zone)
    this.put(name, {
      name: "@",
      type: "SOA",
      ttl: null,
      records: [{ value: "hydrogen.ns.hetzner.com. dns.hetzner.com. 1 86400 10800 3600000 3600" }]
    })
    this.put(name, {
      name: "@",
      type: "NS",
      ttl: null,
      records: ["hydrogen.ns.hetzner.com.", "oxygen.ns.hetzner.com.", "helium.ns.hetzner.de."].map((value) => ({
        value
      }))
    })
  }

  /** Stores a set without validation. */
  put(zone: string, set: DoubleSet): void {
    this.#named(zone).sets.set(`${set.name}/${set.type}`, set)
  }

  /** The set as stored. */
  held(zone: string, name: string, type: string): DoubleSet | undefined {
    return this.#named(zone).sets.get(`${name}/${type}`)
  }

  /** Data that the name servers would answer: full host names without a final dot, TXT as one text. */
  served(zone: string, name: string, type: string): ReadonlyArray<string> {
    return (this.held(zone, name, type)?.records ?? [])
      .map(({ value }) => (type === "TXT" ? dnsText(value) : absolute(type, value, zone)))
      .toSorted()
  }

  protected credentials({ request }: Incoming): string {
    return (request.headers.authorization ?? "").replace(/^Bearer /, "")
  }

  protected tooMany(): Answered {
    const reset = Math.floor(Date.now() / 1_000) + this.resetAfter
    return {
      ...failure(429, "rate_limit_exceeded", "limit of 3600 requests per hour reached"),
      headers: { "ratelimit-limit": "3600", "ratelimit-remaining": "0", "ratelimit-reset": String(reset) }
    }
  }

  protected refusal(text: string): Answered {
    return failure(422, "invalid_input", text)
  }

  protected answer(method: string, url: URL, body: unknown, incoming: Incoming): Answered {
    const token = this.credentials(incoming)
    if (token !== this.token && token !== this.readOnlyToken)
      return failure(401, "unauthorized", "unable to authenticate")
    if (method !== "GET" && token === this.readOnlyToken)
      return failure(403, "token_readonly", "the token is only allowed to perform GET requests")
    const parts = url.pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent)
    const [room, id, below, name, type, , action] = parts
    if (room === "actions" && id !== undefined && method === "GET") return this.#look(Number(id))
    if (room !== "zones") return failure(404, "not_found", "not found")
    if (id === undefined)
      return method === "GET"
        ? paged(url, "zones", [...this.#zones.values()].map(zoneShown))
        : failure(405, "unsupported_error", "not here")
    const zone = this.#zones.get(Number(id)) ?? [...this.#zones.values()].find((candidate) => candidate.name === id)
    if (zone === undefined) return failure(404, "not_found", `zone with ID or name '${id}' not found`)
    if (below === undefined && method === "GET") return { status: 200, json: { zone: zoneShown(zone) } }
    if (below !== "rrsets") return failure(404, "not_found", "not found")
    if (method === "GET") {
      const sets = [...zone.sets.values()].filter(
        (set) =>
          (url.searchParams.get("name") ?? set.name) === set.name &&
          (url.searchParams.get("type") ?? set.type) === set.type
      )
      return paged(
        url,
        "rrsets",
        sets.map((set) => setShown(zone, set))
      )
    }
    return this.#change(method, zone, { name, type, action }, body)
  }

  #change(
    method: string,
    zone: DoubleZone,
    at: { readonly name: string | undefined; readonly type: string | undefined; readonly action: string | undefined },
    body: unknown
  ): Answered {
    const { before } = this
    this.before = undefined
    before?.()
    if (zone.mode === "secondary") return failure(422, "incorrect_zone_mode", "zone is not in primary mode")
    const busy = this.busyNext.shift()
    if (busy === "locked") return failure(423, "locked", "an action is running on the zone")
    if (busy === "conflict") return failure(409, "conflict", "the resource has changed during the request")
    if ([...this.#actions.values()].some((action) => action.zone === zone && action.looks > 0))
      return failure(423, "locked", "another action is running")
    const { records, ttl, ...rest } = (body ?? {}) as {
      readonly name?: string
      readonly type?: string
      readonly ttl?: number | null
      readonly records?: ReadonlyArray<Value>
    }
    if (method === "POST" && at.name === undefined) {
      const { name = "", type = "" } = rest
      const problem =
        nameProblem(name, zone.name) ??
        (types.has(type) ? undefined : "type: is not supported") ??
        ttlProblem(ttl ?? null) ??
        recordsProblem(type, records)
      if (problem !== undefined) return invalid(problem)
      if (zone.sets.has(`${name}/${type}`))
        return failure(409, "uniqueness_error", "an RRSet with this name and type exists")
      const others = [...zone.sets.values()].filter((set) => set.name === name)
      if (others.some((set) => set.type === "CNAME") || (type === "CNAME" && others.length > 0))
        return invalid("name: a CNAME must be alone at its name")
      const set: DoubleSet = { name, type, ttl: ttl ?? null, records: records! }
      return {
        status: 201,
        json: { rrset: setShown(zone, set), ...this.#act(zone, () => zone.sets.set(`${name}/${type}`, set)) }
      }
    }
    const key = `${at.name}/${at.type}`
    const set = zone.sets.get(key)
    if (set === undefined) return failure(404, "not_found", `RRSet ${key} not found`)
    if (set.type === "SOA" || (set.type === "NS" && set.name === "@") || set.protected === true)
      return failure(423, "protected", "the RRSet is protected")
    if (method === "DELETE") return { status: 201, json: this.#act(zone, () => zone.sets.delete(key)) }
    if (method === "POST" && at.action === "set_records") {
      const problem = recordsProblem(set.type, records)
      return problem === undefined
        ? { status: 201, json: this.#act(zone, () => void (set.records = records!)) }
        : invalid(problem)
    }
    if (method === "POST" && at.action === "change_ttl") {
      const problem = ttlProblem(ttl ?? null)
      return problem === undefined
        ? { status: 201, json: this.#act(zone, () => void (set.ttl = ttl ?? null)) }
        : invalid(problem)
    }
    return failure(404, "not_found", "not found")
  }

  #act(zone: DoubleZone, apply: () => void) {
    const id = this.#nextId++
    const fails = this.failActions > 0
    if (fails) this.failActions--
    this.#actions.set(id, { looks: this.looks, fails, zone, apply })
    return { action: { id, command: "change", status: "running", progress: 0, error: null } }
  }

  #look(id: number): Answered {
    const action = this.#actions.get(id)
    if (action === undefined) return failure(404, "not_found", "action not found")
    const shown = (status: string, error: unknown = null) => ({
      status: 200,
      json: { action: { id, command: "change", status, progress: status === "running" ? 50 : 100, error } }
    })
    if (action.looks > 0 && --action.looks > 0) return shown("running")
    if (action.fails) return shown("error", { code: "action_failed", message: "Action failed" })
    action.apply()
    return shown("success")
  }

  #named(name: string): DoubleZone {
    const zone = [...this.#zones.values()].find((candidate) => candidate.name === name)
    if (zone === undefined) throw new Error(`no zone ${name}`)
    return zone
  }
}

const failure = (status: number, code: string, message: string, details: unknown = null): Answered => ({
  status,
  json: { error: { code, message, details } }
})

/** `problem`: field, colon, message. */
const invalid = (problem: string): Answered => {
  const [name, message] = problem.split(": ")
  return failure(422, "invalid_input", `invalid input in field '${name}'`, { fields: [{ name, messages: [message] }] })
}

const zoneShown = ({ id, mode, name, sets }: DoubleZone) => ({
  id,
  name,
  mode,
  ttl: 3_600,
  status: "ok",
  record_count: sets.size,
  authoritative_nameservers: { assigned: [], delegated: [], delegation_status: "unknown" },
  protection: { delete: false }
})

const setShown = (zone: DoubleZone, { name, records, ttl, type, ...rest }: DoubleSet) => ({
  id: `${name}/${type}`,
  name,
  type,
  ttl,
  labels: {},
  protection: { change: rest.protected === true },
  records: records.map(({ comment = "", value }) => ({ value, comment })),
  zone: zone.id
})

/** Largest page. Source: Cloud API, Pagination. */
const maxPerPage = 50

const paged = (url: URL, field: string, all: ReadonlyArray<unknown>): Answered => {
  const page = Number(url.searchParams.get("page") ?? 1)
  const perPage = Number(url.searchParams.get("per_page") ?? 25)
  if (perPage > maxPerPage || page < 1) return invalid(`per_page: must be at most ${maxPerPage}`)
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const pagination = {
    page,
    per_page: perPage,
    previous_page: page > 1 ? page - 1 : null,
    next_page: page < last ? page + 1 : null,
    last_page: last,
    total_entries: all.length
  }
  return { status: 200, json: { [field]: all.slice((page - 1) * perPage, page * perPage), meta: { pagination } } }
}

const nameProblem = (name: string, zone: string): string | undefined => {
  if (name === "@") return undefined
  if (name === "" || name !== name.toLowerCase()) return "name: must be in lower case"
  if (name.endsWith(".") || name === zone || name.endsWith(`.${zone}`))
    return "name: must not end with a dot or the zone name"
  return /^(\*|(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*)$/.test(name) ? undefined : "name: is no name"
}

const ttlProblem = (ttl: number | null): string | undefined =>
  ttl === null || (Number.isInteger(ttl) && ttl >= 60 && ttl <= 2 ** 31 - 1)
    ? undefined
    : "ttl: must be between 60 and 2147483647"

const recordsProblem = (type: string, records: ReadonlyArray<Value> | undefined): string | undefined => {
  if (!Array.isArray(records) || records.length === 0) return "records: must not be empty"
  if (new Set(records.map(({ value }: Value) => value)).size !== records.length) return "records: must be unique"
  if (type === "CNAME" && records.length > 1) return "records: a CNAME is one"
  for (const { value } of records as ReadonlyArray<Value>) {
    const problem = typeof value === "string" ? valueProblem(type, value) : "must be a text"
    if (problem !== undefined) return `records: ${problem}`
  }
  return undefined
}

const host = String.raw`(?:\.|@|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)`

const valueProblem = (type: string, value: string): string | undefined => {
  const shape = (pattern: string) => (new RegExp(`^${pattern}$`).test(value) ? undefined : `is no ${type}`)
  switch (type) {
    case "A":
      return isIPv4(value) ? undefined : "is no A"
    case "AAAA":
      return isIPv6(value) ? undefined : "is no AAAA"
    case "CNAME":
    case "NS":
    case "PTR":
      return shape(host)
    case "MX":
      return shape(String.raw`\d{1,5} ${host}`)
    case "SRV":
      return shape(String.raw`\d{1,5} \d{1,5} \d{1,5} ${host}`)
    case "TXT":
      return stringsProblem(value)
    default:
      return value === "" ? "is empty" : undefined
  }
}
