/** Index of accounts by id, address and user. In memory only. */
import type { Account } from "./Account.ts"
import type { AccountName } from "./AccountChoice.ts"

const none: ReadonlyArray<Account> = []

export class AccountIndex {
  readonly #byId = new Map<number, Account>()
  readonly #byAddress = new Map<string, ReadonlyArray<Account>>()
  readonly #byUser = new Map<string, ReadonlyArray<Account>>()

  /** Adds the account or replaces the entry of the same id. */
  put(account: Account): void {
    this.remove(account.id)
    this.#byId.set(account.id, account)
    for (const [accounts, key] of this.#keys(account)) accounts.set(key, [...(accounts.get(key) ?? none), account])
  }

  remove(id: number): void {
    const known = this.#byId.get(id)
    if (known === undefined) return
    this.#byId.delete(id)
    for (const [accounts, key] of this.#keys(known)) {
      const left = accounts.get(key)!.filter((account) => account !== known)
      if (left.length === 0) accounts.delete(key)
      else accounts.set(key, left)
    }
  }

  /** Accounts of every tenant. */
  named(named: AccountName): ReadonlyArray<Account> {
    if ("address" in named) return this.#byAddress.get(named.address) ?? none
    const found = this.#byId.get(named.id)
    return found === undefined ? none : [found]
  }

  ofUser(tenant: number, user: number): ReadonlyArray<Account> {
    return this.#byUser.get(userKey(tenant, user)) ?? none
  }

  #keys({
    address,
    tenant_id,
    user_id
  }: Account): ReadonlyArray<readonly [Map<string, ReadonlyArray<Account>>, string]> {
    const byAddress = [this.#byAddress, address] as const
    return user_id === null ? [byAddress] : [byAddress, [this.#byUser, userKey(tenant_id, user_id)]]
  }
}

const userKey = (tenant: number, user: number): string => `${tenant}/${user}`
