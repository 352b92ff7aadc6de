/** Whether the domain leads here: A at @ alone decides. Pure. */
import type { Observation } from "../observe/Observation.ts"
import { askedOf, type DefiniteAnswer, summarizeAnswers, type AnswerSummary } from "./AnswerSummary.ts"

export type AddressCheck =
  /** Every server that was heard says the platform's address, and no resolver another. */
  | { readonly kind: "here" }
  /** Some servers say so, or all of them and resolvers not yet. */
  | { readonly kind: "coming"; readonly why: "authorities_disagree" | "not_visible_yet" }
  /** A clean answer that is another. */
  | {
      readonly kind: "elsewhere"
      readonly why: "points_elsewhere" | "extra_addresses" | "no_address" | "nxdomain" | "no_delegation"
    }
  /** Nothing that anybody could rely on. */
  | { readonly kind: "unclear" }

export const isOurs = ({ values }: DefiniteAnswer, ipv4: string): boolean => values.length === 1 && values[0] === ipv4

/** `ipv4`: the platform's; undefined: not configured, and then nothing leads here. `atApex`: what A at @ came to. */
export const checkAddress = (
  observation: Observation,
  ipv4: string | undefined,
  atApex: AnswerSummary = summarizeAnswers(askedOf(observation, "A", "@"))
): AddressCheck => {
  if (observation.delegation.outcome === "absent") return { kind: "elsewhere", why: "no_delegation" }
  // Whoever checks signatures sees nothing, whatever the servers say.
  if (observation.dnssec === "bogus" || ipv4 === undefined) return { kind: "unclear" }
  switch (atApex.kind) {
    case "disagree":
      // Others that differ among themselves (answers in turn, by place) are no step towards us.
      return atApex.answers.some(({ said }) => isOurs(said, ipv4))
        ? { kind: "coming", why: "authorities_disagree" }
        : { kind: "elsewhere", why: "points_elsewhere" }
    case "agreed": {
      const { outcome, values } = atApex.said
      if (isOurs(atApex.said, ipv4))
        return atApex.visible === "other" ? { kind: "coming", why: "not_visible_yet" } : { kind: "here" }
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
