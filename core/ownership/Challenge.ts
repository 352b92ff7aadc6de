/** Challenge by which a tenant proves that a domain is its own, and names that no tenant may claim. Pure. */
import type { ClaimState } from "../contracts/NameClaims.ts"

/** Label below the domain that has the TXT record. Source: RFC 8552, underscored names. */
const label = "_signalbox"

const prefix = "signalbox-verification="

/** TXT record that proves a claim; `name` is absolute. */
export interface Challenge {
  readonly type: "TXT"
  readonly name: string
  readonly content: string
}

export const challengeOf = (name: string, token: string): Challenge => ({
  type: "TXT",
  name: `${label}.${name}`,
  content: prefix + token
})

/** Name of the challenge's record, relative to the domain. */
export const challengeName = label

/** State of a claim as the API shows it. The challenge is null once the claim is proven. */
export interface Ownership {
  readonly state: ClaimState
  readonly challenge: Challenge | null
}

export const ownershipOf = (name: string, state: ClaimState, token: string | null): Ownership => ({
  state,
  challenge: state === "proven" || token === null ? null : challengeOf(name, token)
})

/** Answer of one name server to the question for the challenge. */
export interface ChallengeAnswer {
  /** Whether the answer is about the name itself, including its absence. */
  readonly isDefinite: boolean
  readonly values: ReadonlyArray<string>
}

/** Whether an authoritative server shows the record, and none of them denies it. */
export const isShown = (answers: ReadonlyArray<ChallengeAnswer>, content: string): boolean => {
  const definite = answers.filter(({ isDefinite }) => isDefinite)
  return definite.length > 0 && definite.every(({ values }) => values.includes(content))
}

const isBelow = (name: string, parent: string) => name.endsWith(`.${parent}`)

/** Whether the name is one of the provider's own, or above or below one of them. */
export const isReserved = (name: string, own: ReadonlyArray<string>): boolean =>
  own.some((host) => name === host || isBelow(name, host) || isBelow(host, name))

/** The name and its parents, without the last label: `a.b.c` gives `a.b.c` and `b.c`. */
export const selfAndParents = (name: string): ReadonlyArray<string> => {
  const labels = name.split(".")
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, at) => labels.slice(at).join("."))
}

/** Pause until the next look at DNS. Unit: seconds. First looks are frequent, because the tenant waits for them. */
export const nextLook = (ageSeconds: number): number => {
  const [minute, hour, day] = [60, 3_600, 86_400]
  return ageSeconds < hour ? minute : ageSeconds < day ? 10 * minute : ageSeconds < 30 * day ? hour : day
}
