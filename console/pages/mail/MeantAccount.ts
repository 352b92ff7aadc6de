/** The account that is used when the address names none. Pure. */
import type { Account } from "./Shapes.ts"

/** The default account: the one marked as default, else an own account, else the oldest. Same rule as in the daemon. */
export const meant = (accounts: ReadonlyArray<Account>): Account | undefined =>
  [...accounts].sort(
    (a, b) => Number(b.is_default) - Number(a.is_default) || (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : a.id - b.id)
  )[0]
