/** Order of the key steps. Pure. Source: interface document 2 §3.2. */
import { type AccountRow, ebicsOf, isReady } from "../AccountRow.ts"
import type { KeyStatusView } from "./KeyApi.ts"
import type { KeyStatus } from "../FieldSchemas.ts"

/** Steps of §3.2, and the fetching of the bank's keys once it has released ours. */
export type Step = "init" | "ini" | "hia" | "activate" | "refresh"

export type Verdict =
  | { readonly _tag: "Begin" }
  /** The step was done before. */
  | { readonly _tag: "Done" }
  | { readonly _tag: "Refuse"; readonly why: string }

/** Key status that a step needs, and the one that it leads to. */
const transitions: Readonly<Record<Exclude<Step, "refresh">, { readonly from: KeyStatus; readonly to: KeyStatus }>> = {
  init: { from: "pending", to: "keys_generated" },
  ini: { from: "keys_generated", to: "ini_sent" },
  hia: { from: "ini_sent", to: "hia_sent" },
  activate: { from: "hia_sent", to: "active" }
}

const order: ReadonlyArray<KeyStatus> = ["pending", "keys_generated", "ini_sent", "hia_sent", "active"]

/** State without suspension. */
const reached = ({ key_status, state_before }: Pick<AccountRow, "key_status" | "state_before">): KeyStatus =>
  key_status === "suspended" ? (state_before ?? "active") : key_status

export const decide = (row: Pick<AccountRow, "key_status" | "state_before">, step: Step): Verdict => {
  if (step === "refresh")
    return row.key_status === "active"
      ? { _tag: "Begin" }
      : { _tag: "Refuse", why: row.key_status === "suspended" ? suspended : "The bank has not released the keys yet." }
  const { from, to } = transitions[step]
  const now = order.indexOf(reached(row))
  if (now >= order.indexOf(to)) return { _tag: "Done" }
  if (row.key_status === "suspended") return { _tag: "Refuse", why: suspended }
  return reached(row) === from
    ? { _tag: "Begin" }
    : { _tag: "Refuse", why: `The step ${step} needs the key status ${from}.` }
}

const suspended = "The account is suspended. POST keys/resume first."

/** Key status after a step. */
export const after = (step: Exclude<Step, "refresh">): KeyStatus => transitions[step].to

/** What a person does next. `locked`: this process lacks the passphrase. */
export const next = (row: AccountRow, locked: boolean): (typeof KeyStatusView.Type)["next"] => {
  if (!row.active) return "reactivate"
  if (ebicsOf(row) === undefined) return "configure"
  const steps = { pending: "init", keys_generated: "ini", ini_sent: "hia", suspended: "resume" } as const
  if (row.key_status !== "hia_sent" && row.key_status !== "active") return steps[row.key_status]
  if (row.key_status === "active" && (row.bank_offered || !row.bank_accepted)) return "accept"
  if (locked) return "unlock"
  if (row.key_status === "hia_sent") return "activate"
  return row.stopped === null && isReady(row) ? null : "resume"
}
