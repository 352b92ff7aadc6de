/** Implementation of `signalbox sip extension`, `ring-group`, `create-did` and `delete-did`. */
import { Effect, Layer, Option } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { operatorSecrets, operatorSettings } from "#core/cli/OperatorSettings.ts"
import { print, table } from "#core/cli/Output.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { OwnNames } from "#core/ownership/OwnNames.ts"
import { ownershipSettings } from "#core/ownership/OwnershipSettings.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { sipConfig } from "../Daemon.ts"
import * as Credentials from "./Credentials.ts"
import type { DestinationType } from "./Destinations.ts"
import { view as didView } from "./dids/Handlers.ts"
import * as Dids from "./dids/Store.ts"
import * as Extensions from "./extensions/Store.ts"
import { internalNumber, sipDomain } from "./Names.ts"
import { announcing } from "./OperatorStorage.ts"
import { answeredIn, notEmergency, storedNumber } from "./Requests.ts"
import * as RingGroups from "./ring-groups/Store.ts"
import { SipSettings } from "./SipSettings.ts"

const services = Layer.mergeAll(
  announcing,
  SipSettings.layer,
  Credentials.layer.pipe(Layer.provide(operatorSecrets)),
  OwnNames.layer.pipe(Layer.provide(operatorSettings(ownershipSettings)), Layer.provide(announcing))
)

/** Runs `use` as the operator of this machine. Refusals become sentences. */
const asOperator = <A, E extends { readonly _tag: string }, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(sipConfig.migrations),
      inWords(Effect.provideService(use, Caller, operatorCaller)).pipe(Effect.provide(services))
    )
  )

const numberOf = (text: string, name = "--number") =>
  Effect.suspend(() => {
    const number = internalNumber(text)
    return number === undefined
      ? fail(`${name}: ${JSON.stringify(text)} must be digits, or a name of letters, digits, - and _`, exitUsage)
      : Effect.succeed(number)
  })

const domainOf = (text: string) =>
  Effect.suspend(() => {
    const domain = sipDomain(text)
    return domain === undefined
      ? fail(`--domain: ${JSON.stringify(text)} must be a domain such as voice.example.org`, exitUsage)
      : Effect.succeed(domain)
  })

interface Filters {
  readonly tenant: Option.Option<number>
  readonly domain: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

const filterOf = Effect.fnUntraced(function* ({ domain, tenant }: Filters) {
  return {
    ...(Option.isNone(tenant) ? {} : { tenant_id: tenant.value }),
    ...(Option.isNone(domain) ? {} : { domain: yield* domainOf(domain.value) })
  }
})

const extensionRows = (found: ReadonlyArray<Extensions.Extension>) =>
  table("No extensions. Create one: bin/signalbox sip extension create --help", [
    ["id", "number", "name", "domain", "ownership", "user", "enabled", "tenant"],
    ...found.map((row) => [
      String(row.id),
      row.extension,
      row.name,
      row.domain,
      row.domain_state,
      row.user_id === null ? "" : String(row.user_id),
      row.enabled ? "yes" : "no",
      String(row.tenant_id)
    ])
  ])

export const extensions = Effect.fnUntraced(function* (flags: Filters) {
  const filter = yield* filterOf(flags)
  const found = yield* asOperator(transaction(Extensions.list(filter, undefined, flags.limit)))
  yield* print(flags.json, found.map(answeredIn), () => extensionRows(found))
})

export const createExtension = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly domain: string
  readonly number: string
  readonly name: string
  readonly user: Option.Option<number>
  readonly json: boolean
}) {
  const extension = yield* numberOf(flags.number)
  const domain = yield* domainOf(flags.domain)
  const made = yield* asOperator(
    Effect.gen(function* () {
      const { country } = yield* SipSettings
      yield* notEmergency(extension, country, "number")
      const credentials = yield* Credentials.Credentials
      const sealed = yield* credentials.forNew(Credentials.sealedExtensions, Credentials.newPassword())
      return yield* transaction(
        Extensions.create(
          {
            tenantId: flags.tenant,
            domain,
            extension,
            name: flags.name,
            userId: Option.getOrNull(flags.user),
            enabled: true
          },
          sealed
        )
      )
    })
  )
  yield* print(flags.json, answeredIn(made), () => extensionRows([made]))
})

interface ById {
  readonly id: number
  readonly json: boolean
}

export const deleteExtension = Effect.fnUntraced(function* ({ id, json }: ById) {
  yield* asOperator(transaction(Extensions.remove(id)))
  yield* print(json, { id, deleted: true }, () => [`Extension ${id} is deleted.`])
})

const groupRows = (found: ReadonlyArray<RingGroups.RingGroup>) =>
  table("No ring groups. Create one: bin/signalbox sip ring-group create --help", [
    ["id", "number", "name", "domain", "strategy", "extensions", "tenant"],
    ...found.map((row) => [
      String(row.id),
      row.number ?? "",
      row.name,
      row.domain,
      row.strategy,
      row.extensions.join(" "),
      String(row.tenant_id)
    ])
  ])

export const ringGroups = Effect.fnUntraced(function* (flags: Filters) {
  const filter = yield* filterOf(flags)
  const found = yield* asOperator(transaction(RingGroups.list(filter, undefined, flags.limit)))
  yield* print(flags.json, found.map(answeredIn), () => groupRows(found))
})

export const createRingGroup = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly domain: Option.Option<string>
  readonly number: Option.Option<string>
  readonly name: string
  readonly strategy: RingGroups.Settings["strategy"]
  readonly timeout: number
  readonly extensions: string
  readonly json: boolean
}) {
  const domain = Option.isNone(flags.domain) ? undefined : yield* domainOf(flags.domain.value)
  const number = Option.isNone(flags.number) ? null : yield* numberOf(flags.number.value)
  const extensions = yield* Effect.forEach(
    flags.extensions.split(",").flatMap((text) => (text.trim() === "" ? [] : [text.trim()])),
    (text) => numberOf(text, "--extensions")
  )
  if (extensions.length === 0) return yield* fail("--extensions must name at least one extension", exitUsage)
  const made = yield* asOperator(
    Effect.gen(function* () {
      const { country } = yield* SipSettings
      yield* notEmergency(number, country, "number")
      const { name, strategy, timeout: ring_timeout } = flags
      return yield* transaction(
        RingGroups.create(flags.tenant, domain, { name, number, strategy, ring_timeout, extensions })
      )
    })
  )
  yield* print(flags.json, answeredIn(made), () => groupRows([made]))
})

export const deleteRingGroup = Effect.fnUntraced(function* ({ id, json }: ById) {
  yield* asOperator(transaction(RingGroups.remove(id)))
  yield* print(json, { id, deleted: true }, () => [`Ring group ${id} is deleted.`])
})

export const createDid = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly number: string
  readonly name: string
  readonly trunk: Option.Option<number>
  readonly to: DestinationType
  readonly toId: number
  readonly json: boolean
}) {
  const made = yield* asOperator(
    Effect.gen(function* () {
      const { country } = yield* SipSettings
      const number = yield* storedNumber(flags.number, country, "number")
      return yield* transaction(
        Dids.create(flags.tenant, {
          number,
          name: flags.name,
          trunk_id: Option.getOrNull(flags.trunk),
          destination_type: flags.to,
          destination_id: flags.toId
        })
      )
    })
  )
  yield* print(flags.json, didView(made), () => [`${made.number} (${made.id}) leads to ${flags.to} ${flags.toId}.`])
})

export const deleteDid = Effect.fnUntraced(function* ({ id, json }: ById) {
  yield* asOperator(transaction(Dids.remove(id)))
  yield* print(json, { id, deleted: true }, () => [`DID ${id} is deleted.`])
})
