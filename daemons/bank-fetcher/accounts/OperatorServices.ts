/** What the commands about accounts have in common. They use the database and the bank; no daemon needs to run. */
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { Caller, inScope, operatorCaller } from "#core/auth/Caller.ts"
import { fail } from "#core/cli/Ending.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import * as Secrets from "#core/config/Secrets.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { bankFetcher } from "../Daemon.ts"
import * as AccountStore from "./AccountStore.ts"
import { bankAccess, bankConnections } from "./Layers.ts"
import { letters } from "./letter/Letters.ts"
import { ibanOf } from "../bank-store/Iban.ts"

/** Runs `use` as the operator, with storage and bank access. Refusals become sentences. */
export const asOperator = <A, E extends { readonly _tag: string }, R>(use: Effect.Effect<A, E, R>) =>
  Effect.flatMap(settings(platformSettings), (config) =>
    withStorage(
      Effect.andThen(
        Migrations.run(bankFetcher.migrations),
        inWords(Effect.provideService(use, Caller, operatorCaller))
      ).pipe(
        Effect.provide(Layer.mergeAll(bankAccess, bankConnections, letters)),
        Effect.provide(Secrets.layer(config.keyFile ?? join(config.dataDir, "keys")))
      )
    )
  )

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The account with this id, or the only active one with this IBAN. */
export const meant = Effect.fnUntraced(function* (which: string) {
  if (uuid.test(which)) return (yield* inScope(AccountStore.get(which.toLowerCase()))).id
  const wanted = ibanOf(which)
  if (wanted === undefined) return yield* fail(`${which} is neither the id nor the IBAN of an account.`)
  const found = yield* inScope(AccountStore.list({ q: wanted, active: true }, undefined, 10))
  const [first, second] = found.filter(({ iban }) => iban === wanted)
  if (first === undefined) return yield* fail(`There is no active account ${which}.`)
  if (second !== undefined) return yield* fail(`Several tenants have the account ${which}; name its id.`)
  return first.id
})
