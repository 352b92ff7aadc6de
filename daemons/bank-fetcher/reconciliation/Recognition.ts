/**
 * Recognises bookings that pay no invoice: fees of the bank, transfers between the tenant's own accounts, and returned
 * payments. Pure. Sources: business transaction codes (GVC) of Deutsche Kreditwirtschaft, DFÜ agreement annex 3;
 * ISO 20022 external code set "bank transaction".
 */
import { plainIban } from "../matching/MatchIndex.ts"

/** Why a transaction is ignored without a person. `fee`: also interest. */
export type IgnoreCode = "fee" | "own_transfer"

export type Recognised = IgnoreCode | "return"

/** A transaction as far as recognition reads it. */
export interface Booking {
  readonly amount: number
  readonly reversal: boolean
  readonly returnReason: string | null
  readonly gvc: string | null
  /** `domain`, `family`, `subFamily` of ISO 20022, and others. */
  readonly code: Readonly<Record<string, string>>
  readonly counterIban: string | null
}

/** Closing of accounts, fees, commissions, dunning fees, interest. */
const feeGvcs: ReadonlySet<string> = new Set(["805", "808", "809", "810", "811", "812", "814", "815", "817"])

/** Sub-families of charges, commissions, fees and interest. */
const feeFamilies: ReadonlySet<string> = new Set(["CHRG", "COMM", "FEES", "COMT", "INTR", "CAJT", "DAJT"])

/** Returned SEPA direct debits (B2B, Core) and returned SEPA credit transfers. */
const returnGvcs: ReadonlySet<string> = new Set(["108", "109", "159"])

/** Sub-families of unpaid direct debits, reversals after payment, and returned credit transfers. */
const returnFamilies: ReadonlySet<string> = new Set(["UPDD", "PRDD", "RRTN", "RPCR", "UPCT"])

export const recognise = (booking: Booking, ownIbans: ReadonlySet<string>): Recognised | undefined => {
  const { code, counterIban, gvc, returnReason, reversal } = booking
  const { subFamily } = code
  if (
    reversal ||
    returnReason !== null ||
    (gvc !== null && returnGvcs.has(gvc)) ||
    (subFamily !== undefined && returnFamilies.has(subFamily))
  )
    return "return"
  if (counterIban !== null && ownIbans.has(plainIban(counterIban))) return "own_transfer"
  return (gvc !== null && feeGvcs.has(gvc)) || (subFamily !== undefined && feeFamilies.has(subFamily))
    ? "fee"
    : undefined
}

/** A payment that a return may take back. */
export interface ReturnCandidate {
  readonly paymentId: string
  readonly amount: number
  readonly endToEndId: string | null
  readonly mandateId: string | null
  /** Days from the payment to the return. */
  readonly age: number
}

/**
 * Most that a bank charges for a return within the same booking. Unit: minor units. Reason: 3 to 15 EUR are usual; two
 * payments of one end-to-end id that differ by less are not expected.
 */
const mostCharge = 2_000

/** Longest time until a direct debit is returned. Unit: days. Source: SEPA rulebook, 13 months when unauthorised. */
export const longestReturn = 400

/** The only payment that the return takes back: by its end-to-end id, else by its mandate and exact amount. */
export const returnedPayment = (
  { amount, endToEndId, mandateId }: Pick<ReturnCandidate, "endToEndId" | "mandateId"> & { readonly amount: number },
  candidates: ReadonlyArray<ReturnCandidate>
): ReturnCandidate | undefined => {
  const possible = candidates.filter(
    (one) => one.age >= 0 && one.age <= longestReturn && Math.sign(one.amount) === -Math.sign(amount)
  )
  const excess = (one: ReturnCandidate) => Math.abs(amount) - Math.abs(one.amount)
  const byId = possible.filter((one) => endToEndId !== null && one.endToEndId === endToEndId)
  const ofId = byId.filter((one) => excess(one) === 0)
  const near = ofId.length > 0 ? ofId : byId.filter((one) => excess(one) > 0 && excess(one) <= mostCharge)
  if (near.length > 0) return near.length === 1 ? near[0] : undefined
  if (endToEndId !== null && byId.length > 0) return undefined
  const ofMandate = possible.filter((one) => mandateId !== null && one.mandateId === mandateId && excess(one) === 0)
  return ofMandate.length === 1 ? ofMandate[0] : undefined
}
