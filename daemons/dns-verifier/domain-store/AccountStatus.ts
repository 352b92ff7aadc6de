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

/**
 * An assigned account makes the domain `managed`; an account of type `manual` stands for no provider. A detected
 * provider without an account is `credentials_missing`, also when it has no adapter. Source: the same document, §3.1.
 */
export const accountStatusOf = (account: Account | null, detected: string | null): AccountStatus => {
  if (account !== null && account.type !== "manual") return "managed"
  return detected === null ? "manual" : "credentials_missing"
}

/** Whether zones of this account can be written: it has an adapter and credentials. */
export const canWrite = (account: Account | null): boolean =>
  account !== null && hasAdapter(account.type) && account.has_credentials

export const isAccountStatus = (status: string): status is AccountStatus =>
  status === "managed" || status === "credentials_missing" || status === "manual"
