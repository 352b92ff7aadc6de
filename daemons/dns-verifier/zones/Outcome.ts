/** Decides what became of a change of the records at the provider, from the stored state. Pure. */
import { hasAdapter } from "../domain-store/ProviderTypes.ts"
import type { StoredPlan } from "./PlanStore.ts"
import { isPending, type ZoneChange } from "./ZoneChange.ts"

export const outcomeStates = [
  "none",
  "queued",
  "planned",
  "applying",
  "applied",
  "unchanged",
  "not_applied",
  "failed"
] as const

export const outcomeReasons = [
  "no_account",
  "no_adapter",
  "no_credentials",
  "planning",
  "plan_under_way",
  "provider_unreachable",
  "rate_limited",
  "provider_refused",
  "foreign_records",
  "large_change",
  "approval_required",
  "discarded"
] as const

export interface Outcome {
  readonly state: (typeof outcomeStates)[number]
  readonly reason: (typeof outcomeReasons)[number] | null
  readonly detail: string | null
  /** When it continues by itself. */
  readonly at: Date | null
  readonly plan: StoredPlan | undefined
}

export interface OutcomeInput {
  /** Account of the domain. */
  readonly account: { readonly type: string; readonly has_credentials: boolean } | undefined
  readonly change: ZoneChange | undefined
  /** The plan that covers the change. */
  readonly plan: StoredPlan | undefined
  /** Whether a plan of the domain is being applied. */
  readonly isApplying: boolean
}

export const outcomeOf = ({ account, change, isApplying, plan }: OutcomeInput): Outcome => {
  const nothing = { detail: null, at: null, plan: undefined }
  if (account === undefined) return { ...nothing, state: "none", reason: "no_account" }
  if (!hasAdapter(account.type)) return { ...nothing, state: "none", reason: "no_adapter" }
  if (!account.has_credentials) return { ...nothing, state: "not_applied", reason: "no_credentials" }
  if (isPending(change)) {
    if (change === undefined || change.attempted < change.requested || change.reason === null)
      return { ...nothing, state: "queued", reason: isApplying ? "plan_under_way" : "planning" }
    const { problem: detail, reason, retry_at: at } = change
    return { ...nothing, state: at === null ? "not_applied" : "queued", reason, detail, at }
  }
  return plan === undefined ? { ...nothing, state: "unchanged", reason: null } : ofPlan(plan)
}

const ofPlan = (plan: StoredPlan): Outcome => {
  const { apply_after, problem, state, warnings } = plan
  const base = { detail: problem, at: null, plan }
  switch (state) {
    case "applied":
    case "applying":
      return { ...base, state, reason: null }
    case "failed":
    case "stale":
      return { ...base, state: "failed", reason: null }
    case "discarded":
      return { ...base, state: "not_applied", reason: "discarded" }
    case "planned":
    case "stopped":
      if (apply_after !== null) return { ...base, state: "planned", reason: null, at: apply_after }
      return {
        ...base,
        state: "not_applied",
        reason: warnings.some(({ foreign }) => foreign)
          ? "foreign_records"
          : state === "stopped"
            ? "large_change"
            : "approval_required"
      }
  }
}

/** Whether the answer to a change can say nothing better yet. `toEnd`: whether the caller waits for the write. */
export const isOpen = ({ reason, state }: Outcome, toEnd: boolean): boolean =>
  toEnd
    ? state === "planned" || state === "applying" || reason === "planning" || reason === "plan_under_way"
    : reason === "planning"
