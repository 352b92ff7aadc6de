/** What the commands about extensions, ring groups and DIDs share. */
import { Effect, Layer, Option } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { operatorSecrets, operatorSettings } from "#core/cli/OperatorSettings.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { OwnNames } from "#core/ownership/OwnNames.ts"
import { ownershipSettings } from "#core/ownership/OwnershipSettings.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { sipConfig } from "../Daemon.ts"
import * as Credentials from "./Credentials.ts"
import { sipDomain } from "./Names.ts"
import { announcing } from "./OperatorStorage.ts"
import { SipSettings } from "./SipSettings.ts"

const services = Layer.mergeAll(
  announcing,
  SipSettings.layer,
  Credentials.layer.pipe(Layer.provide(operatorSecrets)),
  OwnNames.layer.pipe(Layer.provide(operatorSettings(ownershipSettings)), Layer.provide(announcing))
)

/** Runs `use` as the operator of this machine. Refusals become sentences. */
export const asOperator = <A, E extends { readonly _tag: string }, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(sipConfig.migrations),
      inWords(Effect.provideService(use, Caller, operatorCaller)).pipe(Effect.provide(services))
    )
  )

export interface Filters {
  readonly tenant: Option.Option<number>
  readonly domain: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

/** Filter of a list. A text that is no domain ends the command. */
export const filterOf = Effect.fnUntraced(function* ({ domain, tenant }: Filters) {
  const named = Option.getOrUndefined(Option.map(domain, sipDomain))
  if (Option.isSome(domain) && named === undefined)
    return yield* fail(
      `--domain: ${JSON.stringify(domain.value)} must be a domain such as voice.example.org`,
      exitUsage
    )
  return {
    ...(Option.isNone(tenant) ? {} : { tenant_id: tenant.value }),
    ...(named === undefined ? {} : { domain: named })
  }
})

export interface ById {
  readonly id: number
  readonly json: boolean
}

export interface Deletion extends ById {
  readonly yes: boolean
}

/** Extensions of a flag, such as `1001, 1002`. */
export const listed = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]))
