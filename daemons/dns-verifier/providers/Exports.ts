/** What the other features may use of providers. */
export { type Adapter, ProviderError } from "./adapters/Adapter.ts"
export { Adapters, adapters } from "./Adapters.ts"
export * as Credentials from "./Credentials.ts"
export { ProviderFailed, providerFailed } from "./Errors.ts"
