/** Accounts of the user's own tenant, for names and menus. */
import { call } from "../../lib/Call.ts"
import { me } from "../../lib/Me.ts"
import { type Loaded, useLoad } from "../../lib/Load.ts"
import { ibanText } from "./Amounts.ts"
import type { Account } from "./Shapes.ts"

/** Accounts that a menu offers at most. Reason: the maximum of a list request. */
const atOnce = 200

/** Tenant whose books the pages show. The provider's users would otherwise see those of all tenants as one. */
export const ownTenant = () => ({ tenant_id: String(me.value?.tenant_id ?? "") })

export const useAccounts = (): Loaded<ReadonlyArray<Account>> =>
  useLoad(() =>
    call("GET /api/v1/crm/ebics/accounts", { query: { ...ownTenant(), limit: atOnce } }).then(({ items }) => items)
  )

/** Name of an account for lists, as far as it is known. */
export const accountName = (accounts: ReadonlyArray<Account> | undefined, id: string | null): string =>
  accounts?.find((account) => account.id === id)?.name ?? ""

/** Name and IBAN of an account, for menus. */
export const accountLabel = ({ iban, name }: Account): string => `${name} · ${ibanText(iban)}`
