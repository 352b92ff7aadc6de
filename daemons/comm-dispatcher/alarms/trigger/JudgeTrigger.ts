/**
 * What becomes of a trigger, decided from its words alone: who sent it, whether the subject is an alarm, whether the same
 * came a moment ago. Pure. Senders are judged first, so that only an allowed sender's mistake is worth telling anybody.
 */
import { Result } from "effect"
import { createHash } from "node:crypto"
import type { AlarmPayload, AlarmSource } from "#core/contracts/Alarm.ts"
import { type AlarmSubject, parse } from "../subject/AlarmSubject.ts"
import type { AlarmSubjectError } from "../subject/AlarmSubjectError.ts"
import * as SenderAuthenticity from "./SenderAuthenticity.ts"
import { check, type SenderPolicy, type SenderRefused } from "./SenderPolicy.ts"

export type Verdict =
  | { readonly _tag: "Accepted"; readonly alarm: AlarmSubject; readonly duplicateKey: Buffer | undefined }
  /** Not an allowed sender, or not shown to be one. Ledger only: whoever is not allowed gets no attention either. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** An allowed sender's subject that is no alarm. Ledger, and the admin channel. */
  | { readonly _tag: "Malformed"; readonly error: AlarmSubjectError; readonly duplicateKey: Buffer | undefined }

/** The senders of a trigger: allowed by the lists and, of a mail, authentic where that is asked for; or why not. */
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

/** Judges a trigger. `operator`: an act at this machine, which neither the sender checks nor the cooldown concern. */
export const judge = (
  payload: AlarmPayload,
  policy: SenderPolicy,
  operator: boolean,
  source: AlarmSource,
  tenantId: number
): Verdict => {
  if (!operator) {
    const senders = admitSenders(payload, policy, source)
    if (Result.isFailure(senders)) return { _tag: "Refused", reason: senders.failure.message }
  }
  const alarm = parse(payload.email_subject)
  const key = operator ? undefined : duplicateKey(payload, tenantId)
  if (Result.isFailure(alarm)) return { _tag: "Malformed", error: alarm.failure, duplicateKey: key }
  return { _tag: "Accepted", alarm: alarm.success, duplicateKey: key }
}

/** Same subject, sender and tenant: the words as they came, but for case and space. What one tenant sends silences no other. */
const duplicateKey = (payload: AlarmPayload, tenantId: number): Buffer => {
  const words = [payload.email_subject, payload.email_from].map((text) =>
    text.trim().replace(/\s+/g, " ").toLowerCase()
  )
  return createHash("sha256")
    .update([tenantId, ...words].join("\n"))
    .digest()
}
