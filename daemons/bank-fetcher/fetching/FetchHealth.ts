/** Accounts of this process whose statements cannot be fetched, for `/health`. An account is named by its IBAN. */
import { Context, Effect, Layer } from "effect"
import { type Component, healthSentence } from "#core/daemon/Health.ts"

/** What health knows of an account. */
export interface AccountState {
  readonly id: string
  readonly iban: string
  readonly tenant_id: number
  /** Why fetching waits for a person; null: it does not. */
  readonly stopped: string | null
  /** Failures in a row, and since when; null: none. */
  readonly failures: number | null
  readonly since: Date | null
  /** Since when fetches wait for the passphrase; null: they do not. */
  readonly locked_since: Date | null
}

/** Accounts by the number of the placed actor that runs them here. */
export class AccountStates extends Context.Service<AccountStates, Map<number, ReadonlyArray<AccountState>>>()(
  "signalbox/bank-fetcher/AccountStates"
) {
  static readonly layer: Layer.Layer<AccountStates> = Layer.sync(AccountStates, () => new Map())
}

/** Maximum number of accounts that the component names. Reason: a few are enough to see what is wrong. */
const mostNamed = 20

/** Sentences about the accounts that need attention. Pure. */
export const troubles = (accounts: ReadonlyArray<AccountState>): ReadonlyArray<string> =>
  accounts.flatMap(({ failures, iban, locked_since, since, stopped }) => {
    if (stopped !== null) return [healthSentence(`${iban} waits for a person: the keys of the bank have changed`)]
    if (locked_since !== null)
      return [healthSentence(`${iban} waits for the passphrase of its keys since ${iso(locked_since)}`)]
    if ((failures ?? 0) > 0)
      return [healthSentence(`${iban} cannot be fetched since ${iso(since)} (${failures} attempts)`)]
    return []
  })

const iso = (date: Date | null): string => date?.toISOString() ?? "some time"

/** The component. Pure. */
export const componentOf = (accounts: ReadonlyArray<AccountState>): Component => {
  const found = troubles(accounts)
  if (found.length > 0)
    return {
      status: "degraded",
      detail: [...found.slice(0, mostNamed), ...(found.length > mostNamed ? ["…"] : [])].join("; "),
      accounts: accounts.length
    }
  return accounts.length === 0 ? { status: "unconfigured", accounts: 0 } : { status: "ok", accounts: accounts.length }
}

export const health: Effect.Effect<Readonly<Record<string, Component>>, never, AccountStates> = Effect.map(
  AccountStates,
  (states) => ({ bank_accounts: componentOf([...states.values()].flat()) })
)
