/** Accounts at DNS providers, for users with the permission, and the names of providers. */
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { type Loaded, useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import type { Provider } from "./Shapes.ts"

export type Types = Answer<"GET /api/v1/dns-providers/types">["items"]

/** Accounts of a customer, or all accounts; at most 200. */
export const useProviders = (customerId?: number): Loaded<ReadonlyArray<Provider>> =>
  useLoad(
    async () =>
      may("dns.read")
        ? (await call("GET /api/v1/dns-providers", { query: { limit: 200, customer_id: customerId } })).items
        : [],
    [customerId]
  )

export const useTypes = (): Loaded<Types> =>
  useLoad(async () => (may("dns.read") ? (await call("GET /api/v1/dns-providers/types")).items : []))

/** Display name of a provider: the title of a known type, else the given name. */
export const providerName = (types: Types | undefined, provider: string): string =>
  types?.find(({ type }) => type === provider)?.title ?? provider
