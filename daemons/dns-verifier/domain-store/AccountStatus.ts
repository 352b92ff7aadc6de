/**
 * The dns_status of a domain that nothing is being looked for: it follows from its account and its provider. Pure.
 * Source: interface document 2 §2.1.
 */
import { hasAdapter } from "./ProviderTypes.ts"

export type AccountStatus = "managed" | "credentials_missing" | "manual"

/** The account a domain was given, if any. */
export interface Account {
  readonly type: string
  readonly has_credentials: boolean
}

export const accountStatusOf = (account: Account | null, detected: string | null): AccountStatus => {
  if (account !== null && hasAdapter(account.type)) return account.has_credentials ? "managed" : "credentials_missing"
  return detected !== null && hasAdapter(detected) ? "credentials_missing" : "manual"
}

export const isAccountStatus = (status: string): status is AccountStatus =>
  status === "managed" || status === "credentials_missing" || status === "manual"
