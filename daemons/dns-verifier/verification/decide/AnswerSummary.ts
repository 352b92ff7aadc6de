/**
 * What the answers to one question come to. Pure. `published`: what the domain's own servers say; `visible`: what
 * resolvers say.
 */
import type { Asked, Observation, Outcome, Said } from "../observe/Observation.ts"

/** An answer that says something about the name, also when that is "nothing". */
export interface DefiniteAnswer {
  readonly outcome: "answer" | "nodata" | "nxdomain"
  readonly values: ReadonlyArray<string>
}

/** An answer with those who gave it. */
export interface AnswerGroup {
  readonly said: DefiniteAnswer
  readonly by: ReadonlyArray<string>
}

export type AnswerSummary =
  /**
   * One answer. `visible`: whether resolvers say the same, something else, or nothing clear. `whose`: resolvers only
   * where no server of the domain could be heard, and then at least `enoughResolvers` of them.
   */
  | {
      readonly kind: "agreed"
      readonly said: DefiniteAnswer
      readonly visible: "same" | "other" | "unclear"
      readonly whose: "authorities" | "resolvers"
    }
  | { readonly kind: "disagree"; readonly answers: ReadonlyArray<AnswerGroup> }
  /** Nobody said anything clear; `failures` are of the domain's servers, or of resolvers where it has none. */
  | { readonly kind: "unclear"; readonly failures: ReadonlyArray<Failure> }

export interface Failure {
  readonly outcome: Exclude<Outcome, DefiniteAnswer["outcome"]>
  readonly server: string
}

/** Resolvers that have to agree where they are all there is. Reason: one alone may hold an old answer. */
const enoughResolvers = 2

/** Undefined where the question was not asked. */
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
  if (only !== undefined && others.length === 0 && only.by.length >= enoughResolvers)
    return { kind: "agreed", said: only.said, visible: "same", whose: "resolvers" }
  const failures = failuresOf(asked.authorities, ({ server }) => server.name)
  return {
    kind: "unclear",
    failures: failures.length > 0 ? failures : failuresOf(asked.resolvers, ({ server }) => server)
  }
}

export const askedOf = (observation: Observation, type: string, name: string): Asked | undefined =>
  observation.asked.find((asked) => asked.type === type && asked.name === name)

/** What is there now as far as anybody said: of the domain's servers, else of resolvers. */
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
