/**
 * Detects the DNS provider from the names of the name servers. Only a hint: servers under a customer's own name hide
 * their provider, and a provider does not imply an account. Pure.
 */
import { detectionTable } from "./ProviderPatterns.ts"

export interface DetectedProvider {
  /** A type (`provider_a`), or our name for a provider without a type (`godaddy`); null: unknown or a tie. */
  readonly provider: string | null
  /** Name of the provider for display. */
  readonly title: string | null
  /** Whether the servers belong to several providers. */
  readonly mixed: boolean
  /** Provider of each server. */
  readonly evidence: ReadonlyArray<{ readonly nameServer: string; readonly provider: string | null }>
}

/** The provider of most of the servers. */
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
