/**
 * Whom a provider's word lets in, and where. Pure.
 *
 * A provider's sign-in stands for all that an account asks for, its second factor too. So an account that has one, or
 * that may do everything, is entered this way only when its owner, signed in, has said so: since the second factor
 * stands, for one that came later says that a password (or a provider) is not enough. An address alone opens only what
 * a reset mail would.
 */
import type { Role } from "#core/auth/Roles.ts"
import type { Reason } from "./FederationRefused.ts"

export interface Candidate {
  /** Neither it nor its tenant is suspended. */
  readonly active: boolean
  readonly role: Role
  /** Since when the latest of its second factors is asked for; undefined without one. */
  readonly factorSince: Date | undefined
}

export interface Found {
  /** The account that this provider's subject is connected with. */
  readonly linked: (Candidate & { readonly linkedBy: "email" | "owner"; readonly linkedAt: Date }) | undefined
  /** The account of the address that the provider has verified. */
  readonly byEmail: (Candidate & { readonly linkedToAnother: boolean }) | undefined
}

export type Decision =
  /** Into the account it is connected with. */
  | { readonly _tag: "Enter" }
  /** Into the account of the address, and connect it. */
  | { readonly _tag: "LinkAndEnter" }
  | { readonly _tag: "Refuse"; readonly reason: Reason }

const refuse = (reason: Reason): Decision => ({ _tag: "Refuse", reason })

/** Needs its owner's own word. */
const isGuarded = (account: Candidate): boolean => account.role === "admin" || account.factorSince !== undefined

export const decide = ({ byEmail, linked }: Found): Decision => {
  if (linked !== undefined) {
    if (!linked.active) return refuse("unknown_account")
    if (!isGuarded(linked)) return { _tag: "Enter" }
    if (linked.linkedBy === "email") return refuse("connect_first")
    return linked.factorSince !== undefined && linked.linkedAt < linked.factorSince
      ? refuse("connect_first")
      : { _tag: "Enter" }
  }
  if (byEmail === undefined || !byEmail.active) return refuse("unknown_account")
  // Another person of the provider held this address before: addresses are given anew, subjects are not.
  return isGuarded(byEmail) || byEmail.linkedToAnother ? refuse("connect_first") : { _tag: "LinkAndEnter" }
}
