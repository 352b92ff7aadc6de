/**
 * The `dns_status` of a domain outside of any verification. It follows from the domain's account and its detected
 * provider. Pure. Source: interface document 2 §2.1.
 */
import { hasAdapter } from "./ProviderTypes.ts"

export type AccountStatus = "managed" | "credentials_missing" | "manual"

/** The provider account of a domain, if it has one. */
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
