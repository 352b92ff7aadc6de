import { randomUUID } from "node:crypto"
import { isIPv4, isIPv6 } from "node:net"
import type { Incoming } from "../HttpDouble.ts"
import { type Answered, ApiDouble } from "./ApiDouble.ts"
import { dnsText, stringsProblem } from "./ZoneFile.ts"

interface DoubleRecord {
  readonly id: string
  readonly name: string
  readonly rootName: string
  readonly type: string
  content: string
  ttl: number
  prio: number
  disabled: boolean
  changeDate: string
}

interface DoubleZone {
  readonly id: string
  readonly name: string
  readonly type: "NATIVE" | "SLAVE"
  readonly records: Map<string, DoubleRecord>
}

/** Record in a request, not validated yet. */
interface Given {
  readonly name?: unknown
  readonly type?: unknown
  readonly content?: unknown
  readonly ttl?: unknown
  readonly prio?: unknown
  readonly disabled?: unknown
}

const defaultTtl = 3_600

/** DNS API of IONOS hosting: works on single records and returns TXT data in quotes. */
export class IonosDouble extends ApiDouble {
  readonly prefix = "a1b2c3d4e5f6"
  readonly secret = "S3cr3t-ionos-double"
  readonly readOnlySecret = "R3ad-ionos-double"
  /** Retry-After of a 429. Unit: seconds; undefined: no header. */
  retryAfter: number | undefined = 1
  /** Runs before the next change. Simulates another client between the adapter's read and its write. */
  before: (() => void) | undefined
  readonly #zones = new Map<string, DoubleZone>()

  makeZone(name: string, type: "NATIVE" | "SLAVE" = "NATIVE"): void {
    const id = randomUUID()
    this.#zones.set(id, { id, name, type, records: new Map() })
    this.put(name, {
      name: "@",
      type: "SOA",
      content: "ns1016.ui-dns.com hostmaster.1und1.com 1 28800 7200 604800 600"
    })
    for (const server of ["ns1016.ui-dns.com", "ns1116.ui-dns.org"])
      this.put(name, { name: "@", type: "NS", content: server })
  }

  /** Stores a record without validation. `name`: relative to the zone, `@` for the zone itself. */
  put(
    zone: string,
    {
      name,
      type,
      ...rest
    }: {
      readonly name: string
      readonly type: string
      readonly content: string
      readonly ttl?: number
      readonly prio?: number
      readonly disabled?: boolean
    }
  ): void {
    const held = this.#named(zone)
    const id = randomUUID()
    const full = name === "@" ? zone : `${name}.${zone}`
    held.records.set(id, {
      id,
      name: full,
      rootName: zone,
      type,
      ttl: defaultTtl,
      prio: 0,
      disabled: false,
      changeDate: now(),
      ...rest
    })
  }

  /** Removes all records of a name and type without validation. */
  clear(zone: string, name: string, type: string): void {
    for (const { id } of this.held(zone, name, type)) this.#named(zone).records.delete(id)
  }

  /** Records as stored. */
  held(zone: string, name: string, type: string): ReadonlyArray<DoubleRecord> {
    const full = name === "@" ? zone : `${name}.${zone}`
    return [...this.#named(zone).records.values()].filter((record) => record.name === full && record.type === type)
  }

  /** Data that the name servers would answer. */
  served(zone: string, name: string, type: string): ReadonlyArray<string> {
    return this.held(zone, name, type)
      .filter(({ disabled }) => !disabled)
      .map(({ content, prio }) =>
        type === "TXT"
          ? content.startsWith('"')
            ? dnsText(content)
            : content
          : type === "MX" || type === "SRV"
            ? `${prio} ${content}`
            : content
      )
      .toSorted()
  }

  protected credentials({ request }: Incoming): string {
    return String(request.headers["x-api-key"] ?? "")
  }

  protected tooMany(): Answered {
    return {
      ...failure(429, "RATE_LIMIT_EXCEEDED", "Too many requests."),
      headers: this.retryAfter === undefined ? {} : { "retry-after": String(this.retryAfter) }
    }
  }

  protected refusal(text: string): Answered {
    return failure(400, "INVALID_RECORD", text)
  }

  protected answer(method: string, url: URL, body: unknown, incoming: Incoming): Answered {
    const key = this.credentials(incoming)
    if (key !== `${this.prefix}.${this.secret}` && key !== `${this.prefix}.${this.readOnlySecret}`)
      return failure(401, "UNAUTHORIZED", "The customer is not authorized to do this operation.")
    if (method !== "GET" && key.endsWith(this.readOnlySecret))
      return failure(403, "FORBIDDEN", "The key may not change anything.")
    if (method !== "GET") {
      const { before } = this
      this.before = undefined
      before?.()
    }
    const [room, id, below, entry] = url.pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent)
    if (room !== "zones") return failure(404, "NOT_FOUND", "No such resource.")
    if (id === undefined) return { status: 200, json: [...this.#zones.values()].map(zoneShown) }
    const zone = this.#zones.get(id)
    if (zone === undefined) return failure(404, "ZONE_NOT_FOUND", "Zone does not exist.")
    if (below === undefined) {
      // PUT and PATCH of a zone replace more records than they name, so the adapter must not use them.
      if (method !== "GET") return failure(405, "METHOD_NOT_ALLOWED", "Not in this double.")
      const { searchParams } = url
      const records = [...zone.records.values()]
        .filter(
          ({ name, type }) =>
            (searchParams.get("recordName") ?? name) === name && (searchParams.get("recordType") ?? type) === type
        )
        .map((record) => ({
          ...record,
          content: record.type === "TXT" && !record.content.startsWith('"') ? `"${record.content}"` : record.content
        }))
      return { status: 200, json: { ...zoneShown(zone), records } }
    }
    if (below !== "records") return failure(404, "NOT_FOUND", "No such resource.")
    if (zone.type === "SLAVE" && method !== "GET") return failure(400, "ZONE_READ_ONLY", "The zone is a slave.")
    if (entry === undefined)
      return method === "POST" ? this.#create(zone, body) : failure(405, "METHOD_NOT_ALLOWED", "Not here.")
    const record = zone.records.get(entry)
    if (record === undefined) return failure(404, "RECORD_NOT_FOUND", "Record does not exist.")
    if (method === "GET") return { status: 200, json: record }
    if (method === "DELETE") {
      zone.records.delete(entry)
      return { status: 200 }
    }
    if (method !== "PUT") return failure(405, "METHOD_NOT_ALLOWED", "Not here.")
    const given = (body ?? {}) as Given
    const problem = recordProblem(zone, { ...given, name: record.name, type: record.type }, record.id)
    if (problem !== undefined) return problem
    Object.assign(record, {
      content: given.content,
      ttl: given.ttl ?? defaultTtl,
      prio: given.prio ?? 0,
      disabled: given.disabled ?? false,
      changeDate: now()
    })
    return { status: 200, json: record }
  }

  /** Creates all records or none. */
  #create(zone: DoubleZone, body: unknown): Answered {
    if (!Array.isArray(body) || body.length === 0) return failure(400, "INVALID_DATA", "A list is expected.")
    const made: Array<DoubleRecord> = []
    for (const given of body as ReadonlyArray<Given>) {
      const problem = recordProblem(zone, given)
      if (problem !== undefined) {
        for (const { id } of made) zone.records.delete(id)
        return problem
      }
      const record = {
        id: randomUUID(),
        name: given.name as string,
        rootName: zone.name,
        type: given.type as string,
        content: given.content as string,
        ttl: (given.ttl as number | undefined) ?? defaultTtl,
        prio: (given.prio as number | undefined) ?? 0,
        // The API creates disabled records unless the request says otherwise.
        disabled: (given.disabled as boolean | undefined) ?? true,
        changeDate: now()
      }
      zone.records.set(record.id, record)
      made.push(record)
    }
    return { status: 201, json: made }
  }

  #named(name: string): DoubleZone {
    const zone = [...this.#zones.values()].find((candidate) => candidate.name === name)
    if (zone === undefined) throw new Error(`no zone ${name}`)
    return zone
  }
}

const now = () => new Date().toISOString()

const zoneShown = ({ id, name, type }: DoubleZone) => ({ id, name, type })

const failure = (status: number, code: string, message: string, parameters?: unknown): Answered => ({
  status,
  json: [{ code, message, ...(parameters === undefined ? {} : { parameters }) }]
})

const invalid = (field: string): Answered =>
  failure(400, "INVALID_RECORD", "Record is invalid.", { invalidFields: [field], requiredFields: [], errorRecord: {} })

const hostTypes = new Set(["CNAME", "NS", "PTR", "MX"])

/** Whether the text is a full host name in lower case without a final dot; `.` stands for no host. */
const isHost = (text: string): boolean => text === "." || /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(text)

const recordProblem = (
  zone: DoubleZone,
  { content, disabled, name, prio, ttl, type }: Given,
  self?: string
): Answered | undefined => {
  if (
    typeof name !== "string" ||
    (name !== zone.name && !name.endsWith(`.${zone.name}`)) ||
    name.endsWith(".") ||
    !/^(\*\.)?[a-z0-9_.-]+$/.test(name)
  )
    return invalid("name")
  if (typeof type !== "string" || !/^(A|AAAA|CNAME|MX|NS|SRV|TXT|CAA|TLSA|PTR)$/.test(type)) return invalid("type")
  if (ttl !== undefined && (typeof ttl !== "number" || !Number.isInteger(ttl) || ttl < 60)) return invalid("ttl")
  if (prio !== undefined && (typeof prio !== "number" || !Number.isInteger(prio) || prio < 0 || prio > 65_535))
    return invalid("prio")
  if (disabled !== undefined && typeof disabled !== "boolean") return invalid("disabled")
  if (typeof content !== "string" || content === "" || contentIsWrong(type, content)) return invalid("content")
  const others = [...zone.records.values()].filter((record) => record.name === name && record.id !== self)
  if (others.some((record) => record.type === type && record.content === content && record.prio === (prio ?? 0)))
    return failure(409, "RECORD_EXISTS", "The record exists.")
  if (others.some((record) => record.type === "CNAME") || (type === "CNAME" && others.length > 0))
    return invalid("name")
  return undefined
}

const contentIsWrong = (type: string, content: string): boolean => {
  if (type === "A") return !isIPv4(content)
  if (type === "AAAA") return !isIPv6(content)
  if (hostTypes.has(type)) return !isHost(content)
  if (type === "SRV") return !/^\d{1,5} \d{1,5} \S+$/.test(content) || !isHost(content.split(" ")[2]!)
  if (type !== "TXT") return false
  if (content.startsWith('"')) return stringsProblem(content) !== undefined
  return Buffer.byteLength(content) > 255 || /["\\]/.test(content) || !/^[\x20-\x7e]*$/.test(content)
}
