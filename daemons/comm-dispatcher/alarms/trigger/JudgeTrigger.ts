/**
 * Judges a trigger by its text: sender, subject, and the key that finds duplicates. Pure. Senders are judged first, so
 * that only mistakes of allowed senders are reported.
 */
import { Result } from "effect"
import { createHash } from "node:crypto"
import type { AlarmPayload, AlarmSource } from "#core/contracts/Alarm.ts"
import { type AlarmSubject, format, parse } from "../subject/AlarmSubject.ts"
import type { AlarmSubjectError } from "../subject/AlarmSubjectError.ts"
import * as SenderAuthenticity from "./SenderAuthenticity.ts"
import { check, type SenderPolicy, type SenderRefused } from "./SenderPolicy.ts"

export type Verdict =
  | { readonly _tag: "Accepted"; readonly alarm: AlarmSubject; readonly duplicateKey: Buffer | undefined }
  /**
   * The sender is not allowed, or not authenticated. Recorded in the ledger only; a stranger must not get attention.
   */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** An allowed sender's subject that is no alarm. Recorded in the ledger and reported to the admin chat. */
  | { readonly _tag: "Malformed"; readonly error: AlarmSubjectError; readonly duplicateKey: Buffer | undefined }

/** The sender addresses, if all are allowed and, where configured, authenticated; otherwise the reason. */
export const admitSenders = (
  payload: AlarmPayload,
  policy: SenderPolicy,
  source: AlarmSource
): Result.Result<ReadonlyArray<string>, SenderRefused | SenderAuthenticity.SenderUnauthenticated> => {
  const senders = check(policy, payload.email_from)
  if (Result.isFailure(senders)) return senders
  const authentic = SenderAuthenticity.check(policy.authenticity, senders.success, source)
  return Result.isFailure(authentic) ? Result.fail(authentic.failure) : senders
}

/** Judges a trigger. `operator`: an alarm raised on this machine skips the sender checks and the cooldown. */
export const judge = (
  payload: AlarmPayload,
  policy: SenderPolicy,
  operator: boolean,
  source: AlarmSource,
  tenantId: number
): Verdict => {
  const senders = operator ? undefined : admitSenders(payload, policy, source)
  if (senders !== undefined && Result.isFailure(senders)) return { _tag: "Refused", reason: senders.failure.message }
  const alarm = parse(payload.email_subject)
  // The canonical subject: spelling makes no difference, but the case of a webhook's path does.
  const subject = Result.isSuccess(alarm) ? format(alarm.success) : folded(payload.email_subject)
  const key = senders === undefined ? undefined : duplicateKey(subject, senders.success, tenantId)
  if (Result.isFailure(alarm)) return { _tag: "Malformed", error: alarm.failure, duplicateKey: key }
  return { _tag: "Accepted", alarm: alarm.success, duplicateKey: key }
}

/** A subject that is no alarm, without differences of case and white space. */
const folded = (subject: string): string => subject.trim().replace(/\s+/g, " ").toLowerCase()

/** Key of subject, senders and tenant. The senders are addresses without display names. Tenants never share a key. */
const duplicateKey = (subject: string, senders: ReadonlyArray<string>, tenantId: number): Buffer =>
  createHash("sha256")
    .update([tenantId, subject, ...senders.map((sender) => sender.toLowerCase()).toSorted()].join("\n"))
    .digest()
