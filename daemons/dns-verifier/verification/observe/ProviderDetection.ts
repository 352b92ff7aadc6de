/**
 * Which provider runs a domain's DNS, from the names of its name servers. A hint and no more: servers under a
 * customer's own name hide who runs them, and they tell nothing of whether there is an account. Pure.
 */
import { detectionTable } from "./ProviderPatterns.ts"

export interface DetectedProvider {
  /** A type (`provider_a`) or, where there is none for it, a name of ours (`godaddy`); null: unknown, or a tie. */
  readonly provider: string | null
  /** As people call it. */
  readonly title: string | null
  /** The servers are not all of one provider. */
  readonly mixed: boolean
  /** Each server with whom it belongs to. */
  readonly evidence: ReadonlyArray<{ readonly nameServer: string; readonly provider: string | null }>
}

/** The provider most of the servers belong to. */
export const detect = (nameServers: ReadonlyArray<string>): DetectedProvider => {
  const evidence = [...new Set(nameServers.map(normalised))]
    .toSorted()
    .map((nameServer) => ({ nameServer, provider: rowOf(nameServer)?.provider ?? null }))
  const votes = new Map<string | null, number>()
  for (const { provider } of evidence) votes.set(provider, (votes.get(provider) ?? 0) + 1)
  const known = [...votes]
    .filter((vote): vote is [string, number] => vote[0] !== null)
    .toSorted(([, one], [, other]) => other - one)
  const [first, second] = known
  const provider = first === undefined || first[1] === second?.[1] ? null : first[0]
  return {
    provider,
    title: detectionTable.find((row) => row.provider === provider)?.title ?? null,
    mixed: votes.size > 1,
    evidence
  }
}

const normalised = (nameServer: string) => nameServer.trim().toLowerCase().replace(/\.$/, "")

const rowOf = (nameServer: string) =>
  detectionTable.find(({ hosts }) => hosts.some((pattern) => pattern.test(nameServer)))
