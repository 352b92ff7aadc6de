/** Decides from A at @ whether the domain points to the platform. Pure. */
import type { Observation } from "../observe/Observation.ts"
import { askedOf, type DefiniteAnswer, summarizeAnswers, type AnswerSummary } from "./AnswerSummary.ts"

export type AddressCheck =
  /** All answering name servers give the platform's address, and no resolver gives another. `extra`: others too. */
  | { readonly kind: "here"; readonly extra: boolean }
  /** Some name servers return the wanted address, or all return it but some resolvers do not yet. */
  | { readonly kind: "coming"; readonly why: "authorities_disagree" | "not_visible_yet" }
  /** A definite answer with another address or none. */
  | {
      readonly kind: "elsewhere"
      readonly why: "points_elsewhere" | "extra_addresses" | "no_address" | "nxdomain" | "no_delegation"
    }
  /** No definite answer. */
  | { readonly kind: "unclear" }

export interface AddressRules {
  /** The platform's address; undefined: not configured, so no domain points to it. */
  readonly ipv4: string | undefined
  /** Whether a domain with further addresses points elsewhere. */
  readonly isStrict: boolean
}

export const isOurs = ({ values }: DefiniteAnswer, ipv4: string, isStrict: boolean): boolean =>
  isStrict ? values.length === 1 && values[0] === ipv4 : values.includes(ipv4)

/** `atApex`: summary of A at @. */
export const checkAddress = (
  observation: Observation,
  { ipv4, isStrict }: AddressRules,
  atApex: AnswerSummary = summarizeAnswers(askedOf(observation, "A", "@"))
): AddressCheck => {
  if (observation.delegation.outcome === "absent") return { kind: "elsewhere", why: "no_delegation" }
  // With invalid signatures, validating resolvers give no answer to visitors.
  if (observation.dnssec === "bogus" || ipv4 === undefined) return { kind: "unclear" }
  switch (atApex.kind) {
    case "disagree":
      // Servers that disagree only among foreign addresses (round robin, geography) are no progress towards us.
      if (!isStrict && atApex.answers.every(({ said }) => isOurs(said, ipv4, isStrict)))
        return { kind: "here", extra: true }
      return atApex.answers.some(({ said }) => isOurs(said, ipv4, isStrict))
        ? { kind: "coming", why: "authorities_disagree" }
        : { kind: "elsewhere", why: "points_elsewhere" }
    case "agreed": {
      const { outcome, values } = atApex.said
      if (isOurs(atApex.said, ipv4, isStrict))
        return atApex.visible === "other"
          ? { kind: "coming", why: "not_visible_yet" }
          : { kind: "here", extra: values.length > 1 }
      return {
        kind: "elsewhere",
        why:
          outcome === "nxdomain"
            ? "nxdomain"
            : values.length === 0
              ? "no_address"
              : values.includes(ipv4)
                ? "extra_addresses"
                : "points_elsewhere"
      }
    }
    case "unclear":
      return { kind: "unclear" }
  }
}
