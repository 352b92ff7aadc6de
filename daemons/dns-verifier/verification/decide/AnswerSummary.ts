/**
 * Summarises all answers to one question. Pure. `published`: answers of the domain's name servers; `visible`: answers
 * of resolvers.
 */
import type { Asked, Observation, Outcome, Said } from "../observe/Observation.ts"

/** An answer about the name itself, including its absence. */
export interface DefiniteAnswer {
  readonly outcome: "answer" | "nodata" | "nxdomain"
  readonly values: ReadonlyArray<string>
}

/** An answer and the servers that gave it. */
export interface AnswerGroup {
  readonly said: DefiniteAnswer
  readonly by: ReadonlyArray<string>
}

export type AnswerSummary =
  /**
   * All agree. `visible`: whether resolvers agree, disagree or give no definite answer. `whose`: `resolvers` only if no
   * name server answered and enough resolvers agree.
   */
  | {
      readonly kind: "agreed"
      readonly said: DefiniteAnswer
      readonly visible: "same" | "other" | "unclear"
      readonly whose: "authorities" | "resolvers"
    }
  | { readonly kind: "disagree"; readonly answers: ReadonlyArray<AnswerGroup> }
  /** No definite answer; `failures` are those of the name servers, or of resolvers when there are none. */
  | { readonly kind: "unclear"; readonly failures: ReadonlyArray<Failure> }

export interface Failure {
  readonly outcome: Exclude<Outcome, DefiniteAnswer["outcome"]>
  readonly server: string
}

/**
 * Resolvers that must agree when no name server answers. Reason: a single resolver may have a stale cache. Where only
 * one is configured, it is enough.
 */
const enoughResolvers = 2

/** Unclear when the question was not asked. */
export const summarizeAnswers = (asked: Asked | undefined): AnswerSummary => {
  if (asked === undefined) return { kind: "unclear", failures: [] }
  const published = answersOf(asked.authorities, ({ server }) => server.name)
  const visible = answersOf(asked.resolvers, ({ server }) => server)
  if (published.length > 1) return { kind: "disagree", answers: published }
  const [one] = published
  if (one !== undefined) {
    const key = keyOf(one.said)
    const seen = visible.length === 0 ? "unclear" : visible.every(({ said }) => keyOf(said) === key) ? "same" : "other"
    return { kind: "agreed", said: one.said, visible: seen, whose: "authorities" }
  }
  const [only, ...others] = visible
  // The public cannot ask name servers with private addresses, even if our only resolver can.
  const isHidden = asked.authorities.some(({ said }) => said.outcome === "forbidden")
  const enough = isHidden ? enoughResolvers : Math.min(enoughResolvers, asked.resolvers.length)
  if (only !== undefined && others.length === 0 && only.by.length >= enough)
    return { kind: "agreed", said: only.said, visible: "same", whose: "resolvers" }
  const failures = failuresOf(asked.authorities, ({ server }) => server.name)
  return {
    kind: "unclear",
    failures: failures.length > 0 ? failures : failuresOf(asked.resolvers, ({ server }) => server)
  }
}

export const askedOf = (observation: Observation, type: string, name: string): Asked | undefined =>
  observation.asked.find((asked) => asked.type === type && asked.name === name)

/** Current values in DNS: from the name servers, or from resolvers when no server answered. */
export const foundAt = (observation: Observation, type: string, name: string): ReadonlyArray<string> => {
  const asked = askedOf(observation, type, name)
  const heard = [...(asked?.authorities ?? [])].map(({ said }) => said).filter(isDefinite)
  return [
    ...new Set(
      (heard.length > 0 ? heard : (asked?.resolvers ?? []).map(({ said }) => said)).flatMap(({ values }) => values)
    )
  ].sort()
}

export const isDefinite = (said: Said): boolean => definiteOf(said) !== undefined

const definiteOf = ({ outcome, values }: Said): DefiniteAnswer | undefined =>
  outcome === "answer"
    ? values.length > 0
      ? { outcome, values }
      : { outcome: "nodata", values }
    : outcome === "nodata" || outcome === "nxdomain"
      ? { outcome, values: [] }
      : undefined

const keyOf = ({ outcome, values }: DefiniteAnswer) =>
  values.length === 0 ? outcome : values.length === 1 ? values[0]! : values.toSorted().join("\n")

const answersOf = <A extends { readonly said: Said }>(
  heard: ReadonlyArray<A>,
  nameOf: (from: A) => string
): ReadonlyArray<AnswerGroup> => {
  const found = new Map<string, { readonly said: DefiniteAnswer; readonly by: Array<string> }>()
  for (const each of heard) {
    const said = definiteOf(each.said)
    if (said === undefined) continue
    const key = keyOf(said)
    const known = found.get(key)
    if (known === undefined) found.set(key, { said, by: [nameOf(each)] })
    else if (!known.by.includes(nameOf(each))) known.by.push(nameOf(each))
  }
  return [...found.values()]
}

const failuresOf = <A extends { readonly said: Said }>(
  heard: ReadonlyArray<A>,
  nameOf: (from: A) => string
): ReadonlyArray<Failure> =>
  heard
    .filter(({ said }) => !isDefinite(said))
    .map((each) => ({ outcome: each.said.outcome as Failure["outcome"], server: nameOf(each) }))
