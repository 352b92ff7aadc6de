/**
 * Chooses the account that a request means. Users have their own accounts: the default account or the named one.
 * Service tokens name an account of any tenant. Pure; the caller has already found the candidates.
 *
 * Several users may add the same address at a foreign server. For a service token the address means our own mailbox if
 * one exists, else the only foreign account of that address. If there are several, the caller must name one by id.
 */
import { Result } from "effect"
import type { CallerInfo } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { Account } from "./Account.ts"
import { AccountNeeded } from "./Errors.ts"

/** An account by id or by normalised address. */
export type AccountName = { readonly id: number } | { readonly address: string }

/** An account id. */
const numbered = /^[1-9]\d{0,8}$/

/** Parses `?account=`. Undefined: no account is named. Text that is no address matches no account. */
export const parseAccountQuery = (text: string | undefined): AccountName | undefined =>
  text === undefined ? undefined : numbered.test(text) ? { id: Number(text) } : { address: normaliseEmail(text) ?? "" }

/**
 * Fails with 404 when the account is not the caller's. Fails with 422 when no account is named and there is no default,
 * or when several users have the address.
 */
export const chooseAccount = (
  caller: CallerInfo,
  named: AccountName | undefined,
  accounts: ReadonlyArray<Account>
): Result.Result<Account, NotFound | AccountNeeded> => {
  if (caller.kind === "service" && named === undefined) return accountNeeded("Service tokens must name the account.")
  const candidates = accounts.filter((account) => isNamed(account, named) && isOwnedBy(account, caller))
  // A default account is preferred for its own user only, not for service tokens.
  const rank = ({ is_default, kind }: Account) =>
    (caller.kind === "user" && is_default ? 0 : 2) + (kind === "own" ? 0 : 1)
  const [found, other] = candidates.toSorted((one, two) => rank(one) - rank(two) || one.id - two.id)
  if (caller.kind === "service" && found?.kind === "foreign" && other !== undefined) {
    return accountNeeded("Several users have an account with this address: name the account by its ID.")
  }
  if (found !== undefined) return Result.succeed(found)
  return named === undefined
    ? accountNeeded("You have no mail account.")
    : Result.fail(new NotFound({ detail: "You have no such mail account." }))
}

const isNamed = (account: Account, named: AccountName | undefined): boolean =>
  named === undefined || ("id" in named ? account.id === named.id : account.address === named.address)

const isOwnedBy = ({ tenant_id, user_id }: Account, caller: CallerInfo): boolean =>
  caller.kind === "service" || (tenant_id === caller.tenantId && user_id === caller.userId)

const accountNeeded = (message: string) =>
  Result.fail(new AccountNeeded({ detail: message, errors: [{ field: "query.account", message }] }))
