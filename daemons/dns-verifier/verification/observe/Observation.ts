/**
 * Facts that DNS shows about a domain at one moment, each with its server. The folder decide/ judges them. Schemas,
 * because the last observation with a change is stored and shown as evidence.
 */
import { Schema } from "effect"

/** Outcome of one question at one server. */
export const Outcome = Schema.Literals([
  /** Values, possibly through a chain of CNAMEs. */
  "answer",
  /** The name exists without a record of this type. */
  "nodata",
  "nxdomain",
  "servfail",
  "refused",
  /** Not authoritative, although the delegation names the server. */
  "lame",
  /** The chain of CNAMEs loops or exceeds its limit. */
  "cname_loop",
  "timeout",
  "unreachable",
  /** The server's address is private or reserved, so it was not asked. */
  "forbidden",
  "malformed"
])
export type Outcome = typeof Outcome.Type

export const Said = Schema.Struct({
  outcome: Outcome,
  /** Contents as in RecordSet, sorted. */
  values: Schema.Array(Schema.String),
  /** Lowest TTL along the chain. Unit: seconds; null without values. */
  ttl: Schema.NullOr(Schema.Int),
  /** Names of the CNAME chain in order, without the first. */
  chain: Schema.Array(Schema.String)
})
export type Said = typeof Said.Type

/** A name server of the domain; `address` null: its name has no address. */
export const NameServer = Schema.Struct({ name: Schema.String, address: Schema.NullOr(Schema.String) })
export type NameServer = typeof NameServer.Type

export const Asked = Schema.Struct({
  type: Schema.String,
  /** Relative to the domain; `@`: the domain itself. */
  name: Schema.String,
  /** Answers of the domain's authoritative servers. */
  authorities: Schema.Array(Schema.Struct({ server: NameServer, said: Said })),
  /** Answers of resolvers, which may come from a cache. */
  resolvers: Schema.Array(Schema.Struct({ server: Schema.String, said: Said }))
})
export type Asked = typeof Asked.Type

export const Observation = Schema.Struct({
  domain: Schema.String,
  /** Time of the check (ISO 8601). */
  at: Schema.String,
  /** Whether the parent zone delegates the domain. `absent`: expired or never registered. */
  delegation: Schema.Struct({
    outcome: Schema.Literals(["delegated", "absent", "unknown"]),
    /** The zone that contains the domain: itself or a parent. */
    zone: Schema.NullOr(Schema.String),
    servers: Schema.Array(NameServer)
  }),
  /** `bogus`: a resolver rejects the answer with validation and gives it without. */
  dnssec: Schema.Literals(["signed", "unsigned", "bogus", "unknown"]),
  asked: Schema.Array(Asked)
})
export type Observation = typeof Observation.Type

/** A record to ask for. */
export interface Question {
  readonly type: string
  /** Relative to the domain; `@`: the domain itself. */
  readonly name: string
}
