/**
 * What DNS was seen to say about a domain at one moment: facts only, each with who said it. What they mean is decided
 * elsewhere. Schemas, because the last observation that differed is kept and shown as evidence.
 */
import { Schema } from "effect"

/** How one server's answer to one question ended. */
export const Outcome = Schema.Literals([
  /** Values, possibly by way of a chain of CNAMEs. */
  "answer",
  /** The name is there and has no such record. */
  "nodata",
  "nxdomain",
  "servfail",
  "refused",
  /** An answer without authority, from a server that the delegation names. */
  "lame",
  /** The chain of CNAMEs comes back to itself or is longer than the bound. */
  "cname_loop",
  "timeout",
  "unreachable",
  /** Its address is private or reserved, and was not asked. */
  "forbidden",
  "malformed"
])
export type Outcome = typeof Outcome.Type

export const Said = Schema.Struct({
  outcome: Outcome,
  /** Contents as in RecordSet (providers/Adapter), sorted. */
  values: Schema.Array(Schema.String),
  /** The least along the chain. Unit: seconds; null without values. */
  ttl: Schema.NullOr(Schema.Int),
  /** Names that were followed, in order, without the first. */
  chain: Schema.Array(Schema.String)
})
export type Said = typeof Said.Type

/** A name server of the domain; `address` null where its name leads to none. */
export const NameServer = Schema.Struct({ name: Schema.String, address: Schema.NullOr(Schema.String) })
export type NameServer = typeof NameServer.Type

export const Asked = Schema.Struct({
  type: Schema.String,
  /** Below the domain; `@`: the domain itself. */
  name: Schema.String,
  /** Published: what each authoritative server says by itself. */
  authorities: Schema.Array(Schema.Struct({ server: NameServer, said: Said })),
  /** Visible: what resolvers say, and so the world after their caches' time. */
  resolvers: Schema.Array(Schema.Struct({ server: Schema.String, said: Said }))
})
export type Asked = typeof Asked.Type

export const Observation = Schema.Struct({
  domain: Schema.String,
  /** ISO 8601. */
  at: Schema.String,
  /**
   * Whether the parent zone hands the domain to name servers. `absent` is what an expired or never registered name
   * looks like.
   */
  delegation: Schema.Struct({
    outcome: Schema.Literals(["delegated", "absent", "unknown"]),
    /** The zone that the domain lies in: itself, or a name above it. */
    zone: Schema.NullOr(Schema.String),
    servers: Schema.Array(NameServer)
  }),
  /** `bogus`: a resolver refuses the answer and gives it when told not to check. */
  dnssec: Schema.Literals(["signed", "unsigned", "bogus", "unknown"]),
  asked: Schema.Array(Asked)
})
export type Observation = typeof Observation.Type

/** A record to look for. */
export interface Question {
  readonly type: string
  /** Below the domain; `@`: the domain itself. */
  readonly name: string
}
