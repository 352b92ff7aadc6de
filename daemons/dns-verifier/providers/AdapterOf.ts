/**
 * Adapters for accounts at providers. Accounts are told apart by their credentials, so that what is bounded holds for
 * all who use one.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { Adapter, ProviderError } from "./Adapter.ts"

export class Adapters extends Context.Service<
  Adapters,
  {
    /**
     * `credentials`: as `Credentials.open` gives them. Asks nobody. Fails with `invalid` for a type without an adapter
     * (`hasAdapter`), with `unauthorized` for credentials that cannot be such.
     */
    readonly of: (type: string, credentials: Redacted.Redacted) => Effect.Effect<Adapter, ProviderError>
  }
>()("signalbox/dns-verifier/Adapters") {}
