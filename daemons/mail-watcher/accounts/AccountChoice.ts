/**
 * Which of the accounts a caller means. Bearer callers have their own (the default one, or the one they name); platform callers name one of any
 * tenant. Pure; whoever asks has found the accounts, in the database or in memory.
 *
 * An address is anybody's to claim for an account elsewhere. To the platform it means our own mailbox where there is one; else that of the
 * one user who has it, and where several have, they are told apart by number.
 */
import { Result } from "effect"
import type { CallerInfo } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { Account } from "./Account.ts"
import { AccountNeeded } from "./Errors.ts"

/** An account by its number, or by its address in the form in which it is kept. */
export type Named = { readonly id: number } | { readonly address: string }

/** A number in place of an address. */
const numbered = /^[1-9]\d{0,8}$/

/** What `?account=` names; undefined: nothing. What is no address is nobody's. */
export const namedBy = (text: string | undefined): Named | undefined =>
  text === undefined ? undefined : numbered.test(text) ? { id: Number(text) } : { address: normaliseEmail(text) ?? "" }

/** 404 when it is not one of the caller's, 422 when none is named and none is meant, or an address that several users have. */
export const chosen = (
  caller: CallerInfo,
  named: Named | undefined,
  accounts: ReadonlyArray<Account>
): Result.Result<Account, NotFound | AccountNeeded> => {
  if (caller.kind === "service" && named === undefined) return needed("Required of service tokens.")
  const meant = accounts.filter((account) => isMeant(account, named) && isOf(account, caller))
  // Nobody's choice of a default counts beyond themselves.
  const rank = ({ is_default, kind }: Account) =>
    (caller.kind === "user" && is_default ? 0 : 2) + (kind === "own" ? 0 : 1)
  const [found, other] = meant.toSorted((one, two) => rank(one) - rank(two) || one.id - two.id)
  if (caller.kind === "service" && found?.kind === "foreign" && other !== undefined) {
    return needed("Several users have an account of this address: name one by its number.")
  }
  if (found !== undefined) return Result.succeed(found)
  return named === undefined
    ? needed("You have no mail account.")
    : Result.fail(new NotFound({ detail: "You have no such mail account." }))
}

const isMeant = (account: Account, named: Named | undefined): boolean =>
  named === undefined || ("id" in named ? account.id === named.id : account.address === named.address)

const isOf = ({ tenant_id, user_id }: Account, caller: CallerInfo): boolean =>
  caller.kind === "service" || (tenant_id === caller.tenantId && user_id === caller.userId)

const needed = (message: string) =>
  Result.fail(new AccountNeeded({ detail: message, errors: [{ field: "query.account", message }] }))
