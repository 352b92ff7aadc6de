/** Implementation of `signalbox dns-account`. The commands use the database, so no daemon needs to run. */
import { readFileSync } from "node:fs"
import { Effect, Layer, Option } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { operatorSecrets } from "#core/cli/OperatorSettings.ts"
import { print, table } from "#core/cli/Output.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { dnsVerifier } from "../Daemon.ts"
import { type ProviderType, providerTypes, types as typeTable } from "../domain-store/ProviderTypes.ts"
import { credentialProblems } from "./AccountCredentials.ts"
import * as Accounts from "./AccountStore.ts"
import * as Credentials from "./Credentials.ts"

const announcing = Layer.mergeAll(Events.layer, Wake.layer).pipe(
  Layer.provideMerge(Incarnation.layer(["operator"])),
  Layer.provideMerge(Wake.layer)
)

const services = Layer.merge(announcing, Credentials.layer.pipe(Layer.provide(operatorSecrets)))

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
      row.tested_at === null ? "never" : (row.test_problem ?? `well at ${row.tested_at.toISOString()}`),
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
  const given = Option.isNone(flags.credentialsFile)
    ? undefined
    : yield* readCredentials(flags.type, flags.credentialsFile.value)
  const made = yield* asOperator(
    Effect.gen(function* () {
      const { envelope, id } = yield* (yield* Credentials.Credentials).forNew(given)
      const { customer: customer_id, name, tenant: tenant_id, type } = flags
      return yield* transaction(
        Accounts.create({ id, tenant_id, customer_id, name, type, is_default: undefined }, envelope)
      )
    })
  )
  yield* print(flags.json, made, () => rows([made]))
})

export const remove = Effect.fnUntraced(function* (flags: {
  readonly id: number
  readonly force: boolean
  readonly json: boolean
}) {
  yield* asOperator(transaction(Accounts.remove(flags.id, flags.force)))
  yield* print(flags.json, { id: flags.id, deleted: true }, () => [`The account ${flags.id} is deleted.`])
})
