/**
 * DNSSEC state of a zone, derived from how resolvers answer with and without validation. Validates nothing itself.
 * Source: RFC 4035 §3.2, RFC 6840 §5.7.
 */
import { rcodes } from "#protocols/dns/Message.ts"
import type { QuestionType } from "#protocols/dns/RecordData.ts"
import type { ServerAddress } from "#protocols/dns/ServerAddress.ts"
import { typeNumbers } from "#protocols/dns/RecordData.ts"
import type { DnsQueries } from "./DnsQueries.ts"

/**
 * Whether a resolver rejects the answer for its signatures: it answers without validation, and then fails again with
 * validation. The repetition excludes a single lost answer.
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

/** Whether the parent zone has a DS record for the zone. `unknown`: it has one, but the resolvers do not validate. */
export const signed = async (queries: DnsQueries, zone: string): Promise<"signed" | "unsigned" | "unknown"> => {
  const reply = await queries.resolve(zone, "DS")
  if (typeof reply === "string" || (reply.rcode !== rcodes.noError && reply.rcode !== rcodes.nxDomain)) return "unknown"
  const vouched = reply.answers.some((record) => record.type === typeNumbers.DS && record.name === zone)
  if (!vouched) return "unsigned"
  return reply.authenticData ? "signed" : "unknown"
}
