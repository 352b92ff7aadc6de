/**
 * Decides which account a provider's identity may enter. Pure.
 *
 * A provider sign-in replaces everything an account asks for, including its second factor. So an account with a second
 * factor, or with the admin role, must have been connected by its owner while signed in. The connection must be newer
 * than the second factor, because adding a factor means that earlier methods no longer suffice. A verified address
 * alone gives the same access as a password reset mail.
 */
import type { Role } from "#core/auth/Roles.ts"
import type { Reason } from "./FederationRefused.ts"

export interface Candidate {
  /** Neither the account nor its tenant is suspended. */
  readonly active: boolean
  readonly role: Role
  /** When the latest second factor was confirmed; undefined without one. */
  readonly factorSince: Date | undefined
}

export interface Candidates {
  /** The account that is connected with this subject of the provider. */
  readonly linked: (Candidate & { readonly linkedBy: "email" | "owner"; readonly linkedAt: Date }) | undefined
  /** The account with the address that the provider has verified. */
  readonly byEmail: (Candidate & { readonly linkedToAnother: boolean }) | undefined
}

export type Decision =
  /** Enter the connected account. */
  | { readonly _tag: "Enter" }
  /** Enter the account with the verified address, and connect it. */
  | { readonly _tag: "LinkAndEnter" }
  | { readonly _tag: "Refuse"; readonly reason: Reason }

const refuse = (reason: Reason): Decision => ({ _tag: "Refuse", reason })

/** Whether the owner must have connected the account explicitly. */
const isGuarded = (account: Candidate): boolean => account.role === "admin" || account.factorSince !== undefined

export const decide = ({ byEmail, linked }: Candidates): Decision => {
  if (linked !== undefined) {
    if (!linked.active) return refuse("unknown_account")
    if (!isGuarded(linked)) return { _tag: "Enter" }
    if (linked.linkedBy === "email") return refuse("connect_first")
    return linked.factorSince !== undefined && linked.linkedAt < linked.factorSince
      ? refuse("connect_first")
      : { _tag: "Enter" }
  }
  if (byEmail === undefined || !byEmail.active) return refuse("unknown_account")
  // `linkedToAnother`: another person at the provider had this address before. Addresses are reassigned, subjects are
  // not.
  return isGuarded(byEmail) || byEmail.linkedToAnother ? refuse("connect_first") : { _tag: "LinkAndEnter" }
}
