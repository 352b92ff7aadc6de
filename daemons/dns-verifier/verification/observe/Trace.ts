/**
 * Interprets one reply to one question. Only records of the CNAME chain from the asked name count; all others are
 * ignored. Pure.
 */
import type { NoReply } from "#protocols/dns/Client.ts"
import { rcodes, type Reply } from "#protocols/dns/Message.ts"
import { isWithin } from "#protocols/dns/Name.ts"
import { type QuestionType, typeNumbers } from "#protocols/dns/RecordData.ts"
import type { Outcome, Said } from "./Observation.ts"

/** Most CNAMEs followed. Reason: resolvers stop between 8 and 16, and a chain must work with all of them. */
export const maxChain = 8

/** Maximum number of values kept per answer. Reason: the observation is stored, and more values are a mistake. */
const maxValues = 64

/**
 * Longest kept value. Unit: characters. Reason: the observation is stored; our own TXT records have at most half of
 * this.
 */
const maxValue = 8192

export interface Leaving {
  /** The name in another zone at which the chain continues. */
  readonly leavesTo: string
  readonly chain: ReadonlyArray<string>
  readonly ttl: number | null
}

/**
 * `zone`: the zone that the server is authoritative for; the chain ends where it leaves that zone. Null: a resolver,
 * which answers for all zones.
 */
export const trace = (
  reply: Reply | NoReply,
  name: string,
  type: QuestionType,
  zone: string | null
): Said | Leaving => {
  if (typeof reply === "string") return nothing(reply)
  const lame = zone !== null && !reply.authoritative
  const [first] = reply.answers
  // Fast path for nearly every answer.
  if (
    !lame &&
    first !== undefined &&
    reply.answers.length === 1 &&
    first.type === typeNumbers[type] &&
    first.name === name
  ) {
    return { outcome: "answer", values: [first.content.slice(0, maxValue)], ttl: first.ttl, chain: direct }
  }
  const chain: Array<string> = []
  let ttl: number | null = null
  let current = name
  if (!lame) {
    for (;;) {
      const values = reply.answers.filter((record) => record.type === typeNumbers[type] && record.name === current)
      if (values.length > 0) {
        const least = values.reduce((least, record) => Math.min(least, record.ttl), ttl ?? Infinity)
        const contents = [...new Set(values.map(({ content }) => content.slice(0, maxValue)))]
          .sort()
          .slice(0, maxValues)
        return { outcome: "answer", values: contents, ttl: least, chain }
      }
      const alias = next(reply, current)
      if (alias === undefined) break
      if (alias.content === name || chain.includes(alias.content) || chain.length === maxChain)
        return { ...nothing("cname_loop"), chain: [...chain, alias.content] }
      chain.push(alias.content)
      ttl = Math.min(ttl ?? Infinity, alias.ttl)
      current = alias.content
      if (zone !== null && !isWithin(current, zone)) return { leavesTo: current, chain, ttl }
    }
  }
  switch (reply.rcode) {
    case rcodes.noError:
      if (lame) return delegatedBelow(reply, name, zone) ? { leavesTo: name, chain, ttl } : nothing("lame")
      // A server may leave the rest of a CNAME chain to the client even within its own zone.
      return zone !== null && chain.length > 0 ? { leavesTo: current, chain, ttl } : { ...nothing("nodata"), chain }
    case rcodes.nxDomain:
      return lame ? nothing("lame") : { ...nothing("nxdomain"), chain }
    case rcodes.servFail:
      return { ...nothing("servfail"), chain }
    case rcodes.refused:
    case rcodes.notImp:
      return nothing("refused")
    default:
      return nothing(zone === null ? "malformed" : "lame")
  }
}

/** Joins the chain up to the zone's border with the answer found behind it. */
export const joined = (name: string, before: Leaving, after: Said): Said => {
  const chain = [...before.chain, ...after.chain]
  const comesBack = after.chain.some((hop) => hop === name || before.chain.includes(hop))
  if (comesBack || chain.length > maxChain) return { ...nothing("cname_loop"), chain: chain.slice(0, maxChain + 1) }
  return { ...after, chain, ttl: after.ttl === null ? null : Math.min(after.ttl, before.ttl ?? after.ttl) }
}

export const nothing = (outcome: Outcome): Said => ({ outcome, values: [], ttl: null, chain: direct })

/** An empty chain. */
const direct: ReadonlyArray<string> = []

/** Whether the answer states something definite about the name, rather than a failure of the server. */
export const isClean = (said: Said): boolean => clean.has(said.outcome)

const clean: ReadonlySet<Outcome> = new Set(["answer", "nodata", "nxdomain", "cname_loop"])

/** For several CNAMEs at one name, which is forbidden, the first in alphabetical order, so that every check agrees. */
const next = (reply: Reply, name: string) =>
  reply.answers.reduce<Reply["answers"][number] | undefined>(
    (least, record) =>
      record.type === typeNumbers.CNAME &&
      record.name === name &&
      (least === undefined || record.content < least.content)
        ? record
        : least,
    undefined
  )

const delegatedBelow = (reply: Reply, name: string, zone: string): boolean =>
  reply.authorities.some(
    (record) =>
      record.type === typeNumbers.NS &&
      record.name !== zone &&
      isWithin(record.name, zone) &&
      isWithin(name, record.name)
  )
