/** Steps of the set-up of an EBICS account, from the key status. Pure. */
import type { KeyStatus } from "../Shapes.ts"

export const stepNames = ["configure", "init", "ini", "hia", "letter", "activate", "accept"] as const
export type StepName = (typeof stepNames)[number]

export interface Step {
  readonly name: StepName
  /** `now`: a person can do it. `wait`: the bank's turn; asking again is possible. */
  readonly state: "done" | "now" | "wait" | "later"
  /** When it was done, ISO 8601; null when unknown or not done. */
  readonly at: string | null
}

export type Status = Pick<
  KeyStatus,
  "activated_at" | "bank_keys" | "hia_sent_at" | "ini_sent_at" | "key_status" | "keys_created_at" | "next"
>

/**
 * The steps in order. The letters have no state of their own at the bank: they are due once both keys are sent, until
 * the bank has activated the user.
 */
export const stepsOf = (status: Status): ReadonlyArray<Step> => {
  const { activated_at, bank_keys, hia_sent_at, ini_sent_at, keys_created_at } = status
  const accepted = bank_keys.accepted?.authentication.accepted_at ?? null
  const isAccepted = bank_keys.accepted !== null && bank_keys.offered === null
  const dates: Readonly<Record<StepName, string | null>> = {
    configure: null,
    init: keys_created_at,
    ini: ini_sent_at,
    hia: hia_sent_at,
    letter: activated_at,
    activate: activated_at,
    accept: isAccepted ? accepted : null
  }
  const done = (name: StepName): boolean =>
    name === "configure" ? status.next !== "configure" : name === "accept" ? isAccepted : dates[name] !== null
  const first = stepNames.find((name) => !done(name))
  return stepNames.map((name) => ({
    name,
    at: dates[name],
    state: done(name)
      ? "done"
      : name === first
        ? "now"
        : // Both are open at once: the letters go to the bank, and the bank takes its days.
          name === "activate" && first === "letter"
          ? "wait"
          : "later"
  }))
}

/** Whether the set-up is complete, so that its steps need no room on the page. */
export const isComplete = (status: Status): boolean => stepsOf(status).every(({ state }) => state === "done")

/** Hash without blanks, colons and case. */
export const bareHash = (text: string): string => text.replace(/[\s:.-]/g, "").toUpperCase()

/** How a typed hash compares with a shown one; undefined while nothing, or only a part, is typed. */
export const compared = (
  typed: string,
  shown: ReadonlyArray<ReadonlyArray<string>>
): "same" | "differs" | undefined => {
  const bare = bareHash(typed)
  if (bare === "") return undefined
  const hashes = shown.map((lines) => bareHash(lines.join("")))
  if (hashes.includes(bare)) return "same"
  return hashes.some((hash) => hash.startsWith(bare)) ? undefined : "differs"
}
