/** Decodes an entry of a component's `checks` in SERVICES_FILE to a probe. Pure. */
import { Result, Schema } from "effect"
import { isIP } from "node:net"
import type { Probe } from "../status/Probe.ts"
import { line, maxUrl, optional } from "../status/Fields.ts"
import { decoder, pathIn } from "./FileDecoder.ts"

/** Maximum number of statuses in `expect`. Unit: statuses. */
const maxStatuses = 20

/** Maximum number of records in `expect`. Unit: records. */
const maxRecords = 20

/**
 * Longest host name and longest expected text. Unit: characters. Source: RFC 1035 §2.3.4 for names. TXT records (RFC
 * 1035 §3.3.14) may be longer.
 */
const maxHost = 253
const maxExpected = 1_000

/** Unit: days. Source of the default: interface document 3 §2.5. */
const daysLeft = { default: 14, maximum: 365 }

const tlsPort = 443

/**
 * Decodes one check; a failure names its position. Unknown keys are refused, because a misspelt `expect` would silently
 * check less.
 */
export const decodeCheck = (value: unknown, at: string): Result.Result<Probe, string> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return Result.fail(`${at} must be an object such as {"type": "http", "url": "https://…"}`)
  }
  const { kind, type } = value as { readonly kind?: unknown; readonly type?: unknown }
  if (type !== undefined && kind !== undefined && type !== kind)
    return Result.fail(`${at} has both type and kind: remove kind`)
  const named = type ?? kind
  const form = typeof named === "string" && Object.hasOwn(forms, named) ? forms[named as keyof typeof forms] : undefined
  if (form === undefined) {
    return Result.fail(
      `${at}.${type === undefined && kind !== undefined ? "kind" : "type"} must be one of ` +
        Object.keys(forms).join(", ")
    )
  }
  const stray = Object.keys(value).find((key) => key !== "type" && key !== "kind" && !form.keys.includes(key))
  return stray === undefined
    ? form.decode(value, at)
    : Result.fail(
        `${pathIn(at, [stray])} is not a key of a check of type ${named}: correct or remove it; ` +
          `valid keys are ${form.keys.join(", ")}`
      )
}

const form = <A>(schema: Schema.Codec<A, unknown> & { readonly fields: object }, toProbe: (fields: A) => Probe) => {
  const decode = decoder(schema)
  return {
    keys: Object.keys(schema.fields),
    decode: (value: unknown, at: string) => Result.map(decode(value, at), toProbe)
  }
}

const checked = (problem: (text: string) => string | undefined) => Schema.String.check(Schema.makeFilter(problem))

const integer = (minimum: number, maximum: number) =>
  Schema.Finite.check(
    Schema.makeFilter((value: number) =>
      Number.isInteger(value) && value >= minimum && value <= maximum
        ? undefined
        : `must be a whole number from ${minimum} to ${maximum}`
    )
  )

const urlProblem = (text: string): string | undefined => {
  const url = text.length <= maxUrl && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    return `must be an http:// or https:// address of at most ${maxUrl} characters`
  // Failure details would show the credentials to operators.
  return url.username !== "" || url.password !== ""
    ? "must not contain a user name or password: use a public path"
    : undefined
}

const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (text.length <= maxHost && /^(?!-)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?$/.test(text))

const isResolver = (text: string): boolean => {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  return (
    isIP(text) !== 0 ||
    (isIP(six ?? four ?? "") === (six === undefined ? 4 : 6) &&
      (port === undefined || (Number(port) > 0 && Number(port) < 65_536)))
  )
}

const Host = checked((text) => (isHost(text) ? undefined : "must be a host name or an IP address without brackets"))
const Port = integer(1, 65_535)
const Status = integer(100, 599)

const listOf = <A>(value: A | ReadonlyArray<A> | null | undefined): ReadonlyArray<A> | null =>
  value === undefined || value === null ? null : Array.isArray(value) ? (value as ReadonlyArray<A>) : [value as A]

/** A list of 1 to `maximum` entries. An empty list would be a check that always fails. */
const several = <S extends Schema.Constraint>(item: S, maximum: number) =>
  Schema.Array(item).check(
    Schema.makeFilter((items: ReadonlyArray<unknown>) =>
      items.length > 0 && items.length <= maximum ? undefined : `must have 1 to ${maximum} entries, or be omitted`
    )
  )

const forms = {
  http: form(
    Schema.Struct({
      url: checked(urlProblem),
      expect: optional(Schema.Union([Status, several(Status, maxStatuses)])),
      contains: optional(line(maxExpected))
    }),
    ({ contains, expect, url }) => ({ kind: "http", url, expect: listOf(expect), contains: contains ?? null })
  ),
  tcp: form(Schema.Struct({ host: Host, port: Port }), ({ host, port }) => ({ kind: "tcp", host, port })),
  tls: form(
    Schema.Struct({
      host: Host,
      port: optional(Port),
      servername: optional(Host),
      days: optional(integer(0, daysLeft.maximum))
    }),
    ({ days, host, port, servername }) => ({
      kind: "tls",
      host,
      port: port ?? tlsPort,
      servername: servername ?? null,
      days: days ?? daysLeft.default
    })
  ),
  dns: form(
    Schema.Struct({
      name: Host,
      record_type: optional(Schema.Literals(["A", "AAAA", "MX", "TXT", "NS", "CNAME"])),
      server: optional(
        checked((text) =>
          isResolver(text) ? undefined : "must be an IP address, with a port as 192.0.2.1:5353 or [2001:db8::1]:5353"
        )
      ),
      expect: optional(Schema.Union([line(maxExpected), several(line(maxExpected), maxRecords)]))
    }),
    ({ expect, name, record_type, server }) => ({
      kind: "dns",
      name,
      type: record_type ?? "A",
      server: server ?? null,
      expect: listOf(expect)
    })
  )
} as const
