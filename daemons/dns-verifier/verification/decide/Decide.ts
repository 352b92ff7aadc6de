/**
 * Decides the new state of a domain from an observation. Pure. Source of the states: interface document 2 §3.1. Beyond
 * it: a verified domain becomes `error` after several consecutive checks found it elsewhere, and unclear answers change
 * nothing.
 */
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import type { DnsStatus } from "#core/contracts/Domains.ts"
import type { AccountStatus } from "../../domain-store/AccountStatus.ts"
import type { Observation } from "../observe/Observation.ts"
import * as Cadence from "./Cadence.ts"
import type { Finding } from "./Finding.ts"
import { findingsOf, type Hints } from "./Findings.ts"
import { statusesOf, type ExpectedRecord } from "./RecordStatuses.ts"
import { type AddressCheck, checkAddress } from "./AddressCheck.ts"

/** Current state of the domain. */
export interface State {
  readonly dns_status: DnsStatus
  readonly status: "pending" | "active"
  /** Consecutive checks that found it elsewhere since its verification. */
  readonly mismatches: number
  /** Unit: minutes. */
  readonly check_every: number
}

export interface Rules {
  /** The platform's addresses; undefined: not configured. */
  readonly ipv4: string | undefined
  readonly ipv6: string | undefined
  /** Whether a domain with addresses beside the platform's points elsewhere. */
  readonly isStrict: boolean
  /** Number of mismatches until a verified domain is in error. */
  readonly errorAfter: number
}

export interface Decision {
  readonly state: State
  /** One status per wanted record. */
  readonly records: ReadonlyArray<RecordStatus>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * `fromAccount`: the dns_status that follows from the account (domain-store/AccountStatus). `wanted`: records of the
 * platform and of users.
 */
export const decide = (
  before: State,
  fromAccount: AccountStatus,
  observation: Observation,
  wanted: ReadonlyArray<ExpectedRecord>,
  rules: Rules,
  hints: Hints
): Decision => {
  const addressCheck = checkAddress(observation, rules)
  const records = statusesOf(wanted, observation, hints.beside)
  const state = next(before, fromAccount, addressCheck, rules.errorAfter)
  return {
    state: { ...state, check_every: cadence(before, state, addressCheck, observation) },
    records,
    findings: findingsOf(observation, addressCheck, wanted, records, rules, hints)
  }
}

/**
 * The state without `pending_verification`, which ends with the next check even if the process that started it died.
 */
export const settledOf = (
  { dns_status, status }: Pick<State, "dns_status" | "status">,
  fromAccount: AccountStatus
): AccountStatus | "verified" | "error" =>
  dns_status === "verified" ? "verified" : status === "active" ? "error" : fromAccount

const next = (
  before: State,
  fromAccount: AccountStatus,
  addressCheck: AddressCheck,
  errorAfter: number
): Omit<State, "check_every"> => {
  const { mismatches, status } = before
  if (addressCheck.kind === "here") return { dns_status: "verified", status: "active", mismatches: 0 }
  const settled = settledOf(before, fromAccount)
  switch (settled) {
    case "verified": {
      const seen = addressCheck.kind === "elsewhere" ? mismatches + 1 : mismatches
      return seen >= errorAfter && addressCheck.kind === "elsewhere"
        ? { dns_status: "error", status, mismatches: seen }
        : { dns_status: "verified", status, mismatches: seen }
    }
    case "error":
      return { dns_status: "error", status, mismatches }
    default:
      return { dns_status: addressCheck.kind === "coming" ? "pending_verification" : settled, status, mismatches: 0 }
  }
}

const cadence = (
  before: State,
  after: Omit<State, "check_every">,
  addressCheck: AddressCheck,
  observation: Observation
): number =>
  after.dns_status !== "verified" || after.mismatches > 0
    ? Cadence.often
    : addressCheck.kind === "unclear"
      ? Math.min(before.check_every, Cadence.inDoubt)
      : Cadence.byTtl(observation, before.dns_status === "verified" ? before.check_every : Cadence.often)
