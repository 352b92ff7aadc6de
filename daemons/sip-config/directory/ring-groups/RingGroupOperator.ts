/** Implementation of `signalbox sip ring-group`. */
import { Effect, Option } from "effect"
import { decodeInput, orNothing, someField, typed } from "#core/cli/Input.ts"
import { knownTenant } from "#core/cli/KnownTenant.ts"
import { print, table } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import { transaction } from "#core/sql/Sql.ts"
import { asOperator, type ById, type Deletion, filterOf, type Filters, listed } from "../PhoneOperator.ts"
import { answeredIn, notEmergency } from "../Requests.ts"
import { SipSettings } from "../SipSettings.ts"
import { NewRingGroup, RingGroupChange } from "./Api.ts"
import { normal } from "./Handlers.ts"
import * as RingGroups from "./Store.ts"

/** Flags of the fields. */
const flagOf = {
  number: "--number",
  name: "--name",
  domain: "--domain",
  strategy: "--strategy",
  ring_timeout: "--timeout",
  extensions: "--extensions"
}

const rows = (found: ReadonlyArray<RingGroups.RingGroup>) =>
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

const printed = (json: boolean, row: RingGroups.RingGroup) => print(json, answeredIn(row), () => rows([row]))

export const list = Effect.fnUntraced(function* (flags: Filters) {
  const filter = yield* filterOf(flags)
  const found = yield* asOperator(transaction(RingGroups.list(filter, undefined, flags.limit)))
  yield* print(flags.json, found.map(answeredIn), () => rows(found))
})

export const create = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly domain: Option.Option<string>
  readonly number: Option.Option<string>
  readonly name: string
  readonly strategy: RingGroups.Settings["strategy"]
  readonly timeout: number
  readonly extensions: string
  readonly json: boolean
}) {
  const wanted = normal(
    yield* decodeInput(
      NewRingGroup,
      typed({
        name: flags.name,
        domain: flags.domain,
        number: flags.number,
        strategy: flags.strategy,
        ring_timeout: flags.timeout,
        extensions: listed(flags.extensions)
      }),
      flagOf
    )
  )
  const { domain, number = null, tenant_id: _, ...group } = wanted
  const made = yield* asOperator(
    Effect.gen(function* () {
      yield* knownTenant(flags.tenant)
      const { country } = yield* SipSettings
      yield* notEmergency(number, country, "number")
      return yield* transaction(RingGroups.create(flags.tenant, domain, { ...group, number }))
    })
  )
  yield* printed(flags.json, made)
})

export const change = Effect.fnUntraced(function* (
  flags: ById & {
    readonly domain: Option.Option<string>
    readonly number: Option.Option<string>
    readonly noNumber: boolean
    readonly name: Option.Option<string>
    readonly strategy: Option.Option<RingGroups.Settings["strategy"]>
    readonly timeout: Option.Option<number>
    readonly extensions: Option.Option<string>
  }
) {
  const to = normal(
    yield* decodeInput(
      RingGroupChange,
      typed({
        name: flags.name,
        domain: flags.domain,
        number: yield* orNothing("number", flags.number, flags.noNumber),
        strategy: flags.strategy,
        ring_timeout: flags.timeout,
        extensions: Option.map(flags.extensions, listed)
      }),
      flagOf
    )
  )
  yield* someField(to)
  const changed = yield* asOperator(
    Effect.gen(function* () {
      const { country } = yield* SipSettings
      yield* notEmergency(to.number, country, "number")
      return yield* transaction(RingGroups.update(flags.id, to))
    })
  )
  yield* printed(flags.json, changed)
})

export const remove = Effect.fnUntraced(function* ({ id, json, yes }: Deletion) {
  const { name } = yield* asOperator(transaction(RingGroups.get(id)))
  yield* sure(`The ring group ${name} is deleted; its extensions stay.`, yes)
  yield* asOperator(transaction(RingGroups.remove(id)))
  yield* print(json, { id, deleted: true }, () => [`Ring group ${id} is deleted.`])
})
