/**
 * What the resolvers make of a zone's signatures. They check; we only see how their answers differ. Source: RFC 4035
 * §3.2, RFC 6840 §5.7.
 */
import { rcodes } from "#protocols/dns/Message.ts"
import type { QuestionType } from "#protocols/dns/RecordData.ts"
import type { ServerAddress } from "#protocols/dns/ServerAddress.ts"
import { typeNumbers } from "#protocols/dns/RecordData.ts"
import type { DnsQueries } from "./DnsQueries.ts"

/**
 * Whether a resolver refuses the answer for its signatures: it gives it unchecked, and still not checked. The last
 * tells a refusal from a server that did not answer once.
 */
export const isBogus = async (
  queries: DnsQueries,
  server: ServerAddress,
  name: string,
  type: QuestionType
): Promise<boolean> => {
  const unchecked = await queries.resolver(server, name, type, true)
  if (typeof unchecked === "string" || (unchecked.rcode !== rcodes.noError && unchecked.rcode !== rcodes.nxDomain))
    return false
  const checked = await queries.resolver(server, name, type)
  return typeof checked !== "string" && checked.rcode === rcodes.servFail
}

/**
 * Whether the parent zone vouches for signatures of the zone. `unknown` where it does and the resolvers do not check.
 */
export const signed = async (queries: DnsQueries, zone: string): Promise<"signed" | "unsigned" | "unknown"> => {
  const reply = await queries.resolve(zone, "DS")
  if (typeof reply === "string" || (reply.rcode !== rcodes.noError && reply.rcode !== rcodes.nxDomain)) return "unknown"
  const vouched = reply.answers.some((record) => record.type === typeNumbers.DS && record.name === zone)
  if (!vouched) return "unsigned"
  return reply.authenticData ? "signed" : "unknown"
}
