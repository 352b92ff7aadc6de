/** Implementation of `signalbox dns-account`. The commands use the database, so no daemon needs to run. */
import { readFileSync } from "node:fs"
import { Effect, Layer, Option } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { decodeInput, onOrOff, someField, typed } from "#core/cli/Input.ts"
import { knownTenant } from "#core/cli/KnownTenant.ts"
import { operatorSecrets } from "#core/cli/OperatorSettings.ts"
import { print, table } from "#core/cli/Output.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { sure } from "#core/cli/Sure.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { dnsVerifier } from "../Daemon.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import { type ProviderType, providerTypes, types as typeTable } from "../domain-store/ProviderTypes.ts"
import { ownerOf } from "../domain-store/Requests.ts"
import { credentialProblems } from "./AccountCredentials.ts"
import * as Accounts from "./AccountStore.ts"
import { NewProvider, ProviderChange } from "./Api.ts"
import * as Credentials from "./Credentials.ts"

const announcing = Layer.mergeAll(Events.layer, Wake.layer).pipe(
  Layer.provideMerge(Incarnation.layer(["operator"])),
  Layer.provideMerge(Wake.layer)
)

const services = Layer.mergeAll(
  announcing,
  // New credentials may open zones, which a running daemon then plans.
  Jobs.layer([PlanWanted.queue]).pipe(Layer.provide(announcing)),
  Credentials.layer.pipe(Layer.provide(operatorSecrets))
)

/** Runs `use` as the operator of this machine. Refusals become sentences. */
const asOperator = <A, E extends { readonly _tag: string }, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(dnsVerifier.migrations),
      inWords(Effect.provideService(use, Caller, operatorCaller)).pipe(Effect.provide(services))
    )
  )

const rows = (found: ReadonlyArray<Accounts.Provider>) =>
  table("No accounts. Add one: bin/signalbox dns-account create --help", [
    ["id", "name", "type", "credentials", "default", "last test", "tenant", "customer"],
    ...found.map((row) => [
      String(row.id),
      row.name,
      typeTable[row.type].title,
      row.has_credentials ? "yes" : "no",
      row.is_default ? "yes" : "no",
      row.tested_at === null ? "never" : (row.test_problem ?? `well at ${minute(row.tested_at)}`),
      String(row.tenant_id),
      String(row.customer_id)
    ])
  ])

export const list = Effect.fnUntraced(function* (flags: {
  readonly tenant: Option.Option<number>
  readonly customer: Option.Option<number>
  readonly limit: number
  readonly json: boolean
}) {
  const filter = {
    ...(Option.isNone(flags.tenant) ? {} : { tenant_id: flags.tenant.value }),
    ...(Option.isNone(flags.customer) ? {} : { customer_id: flags.customer.value })
  }
  yield* print(flags.json, yield* asOperator(transaction(Accounts.list(filter, 0, flags.limit))), rows)
})

export const types = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const all = providerTypes.map((type) => ({ type, ...typeTable[type] }))
  yield* print(json, all, () =>
    table("", [
      ["type", "provider", "credentials"],
      ...all.map(({ credentials, title, type }) => [type, title, credentials.map(({ name }) => name).join(", ")])
    ])
  )
})

/** Credentials of a JSON file, checked for the type; undefined when there are none. Errors contain no value. */
const readCredentials = Effect.fnUntraced(function* (type: ProviderType, file: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: () => fail(`--credentials-file: ${file} cannot be read`)
  })
  const given = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => fail("--credentials-file: the file is not JSON", exitUsage)
  })
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return yield* fail("--credentials-file: the file must be one object { }", exitUsage)
  const problems = credentialProblems(type, given as Record<string, unknown>)
  if (problems.length > 0)
    return yield* fail(problems.map(({ field, message }) => `${field} ${message}`).join("; "), exitUsage)
  return Object.keys(given).length === 0 ? undefined : (given as Readonly<Record<string, string>>)
})

export const create = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly customer: number
  readonly name: string
  readonly type: ProviderType
  readonly credentialsFile: Option.Option<string>
  readonly json: boolean
}) {
  const wanted = yield* decodeInput(
    NewProvider,
    { customer_id: flags.customer, name: flags.name, type: flags.type, tenant_id: flags.tenant },
    { customer_id: "--customer", name: "--name", tenant_id: "--tenant" }
  )
  const given = Option.isNone(flags.credentialsFile)
    ? undefined
    : yield* readCredentials(flags.type, flags.credentialsFile.value)
  const made = yield* asOperator(
    Effect.gen(function* () {
      const { customer_id, name, tenant_id: tenant, type } = wanted
      yield* knownTenant(tenant!)
      const tenant_id = yield* ownerOf(tenant, customer_id)
      const { envelope, id } = yield* (yield* Credentials.Credentials).forNew(given)
      return yield* transaction(
        Accounts.create({ id, tenant_id, customer_id, name, type, is_default: undefined }, envelope)
      )
    })
  )
  yield* print(flags.json, made, () => rows([made]))
})

export const change = Effect.fnUntraced(function* (flags: {
  readonly id: number
  readonly name: Option.Option<string>
  readonly makeDefault: boolean
  readonly noDefault: boolean
  readonly credentialsFile: Option.Option<string>
  readonly json: boolean
}) {
  const to = yield* decodeInput(
    ProviderChange,
    typed({
      name: flags.name,
      is_default: yield* onOrOff(flags.makeDefault, flags.noDefault, ["default", "no-default"])
    }),
    { name: "--name" }
  )
  const file = Option.getOrUndefined(flags.credentialsFile)
  yield* someField(file === undefined ? to : { ...to, credentials: true })
  const { credentials: _, ...rest } = to
  const changed = yield* asOperator(
    Effect.gen(function* () {
      const { type } = yield* transaction(Accounts.get(flags.id))
      const given = file === undefined ? undefined : yield* readCredentials(type, file)
      const envelope =
        file === undefined
          ? undefined
          : given === undefined
            ? null
            : yield* (yield* Credentials.Credentials).seal(flags.id, given)
      return yield* transaction(Accounts.update(flags.id, rest, envelope))
    })
  )
  yield* print(flags.json, changed, () => rows([changed]))
})

export const remove = Effect.fnUntraced(function* (flags: {
  readonly id: number
  readonly force: boolean
  readonly yes: boolean
  readonly json: boolean
}) {
  const { name } = yield* asOperator(transaction(Accounts.get(flags.id)))
  yield* sure(
    `The DNS account ${name} and its credentials are deleted. Zones at the provider stay as they are` +
      `${flags.force ? "; domains that use it have no account then" : ""}.`,
    flags.yes
  )
  yield* asOperator(transaction(Accounts.remove(flags.id, flags.force)))
  yield* print(flags.json, { id: flags.id, deleted: true }, () => [`The account ${flags.id} is deleted.`])
})
