/** Implementation of `signalbox sip dids`, `create-did`, `change-did`, `assign-did` and `delete-did`. */
import { Effect, type Option } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { decodeInput, orNothing, someField, typed } from "#core/cli/Input.ts"
import { knownTenant } from "#core/cli/KnownTenant.ts"
import { print, table } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { announceData } from "../Change.ts"
import type { DestinationType } from "../Destinations.ts"
import { announcing, inStorage, most } from "../OperatorStorage.ts"
import { asOperator, type ById, type Deletion } from "../PhoneOperator.ts"
import { storedNumber } from "../Requests.ts"
import { SipSettings } from "../SipSettings.ts"
import { DidChange, NewDid } from "./Api.ts"
import { view } from "./Handlers.ts"
import * as Dids from "./Store.ts"

export const list = Effect.fnUntraced(function* (flags: { readonly pending: boolean; readonly json: boolean }) {
  const found = yield* inStorage(Dids.list(flags.pending ? { assigned: false } : {}, undefined, most))
  const shown = found.map(view)
  yield* print(flags.json, shown, () =>
    table("No matching DIDs.", [
      ["id", "number", "state", "leads to", "tenant", "name"],
      ...shown.map(({ destination_id, destination_type, id, name, number, state, tenant_id }) => [
        String(id),
        number,
        state,
        `${destination_type} ${destination_id}`,
        String(tenant_id),
        name
      ])
    ])
  )
})

export const assign = Effect.fnUntraced(function* (flags: { readonly id: number; readonly json: boolean }) {
  const row = yield* inStorage(
    Dids.assign(flags.id, ({ id, number, tenant_id: tenantId }) =>
      Effect.andThen(
        Audit.write({
          tenantId,
          actor: Audit.operator,
          action: "sip_did.assigned",
          entity: "sip_did",
          id: String(id),
          detail: { number }
        }),
        announceData
      )
    ).pipe(Effect.provide(announcing))
  ).pipe(
    Effect.catchTag("NotFound", () => fail(`there is no DID ${flags.id}`)),
    Effect.catchTag("NumberTaken", () => fail(`another tenant holds the number of DID ${flags.id}`))
  )
  yield* print(flags.json, view(row), () => [`${row.number} belongs to tenant ${row.tenant_id}.`])
})

/** Flags of the fields. */
const flagOf = {
  number: "--number",
  name: "--name",
  trunk_id: "--trunk",
  destination_type: "--to",
  destination_id: "--to-id"
}

const printed = (json: boolean, did: Dids.Did) =>
  print(json, view(did), () => [`${did.number} (${did.id}) leads to ${did.destination_type} ${did.destination_id}.`])

export const create = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly number: string
  readonly name: string
  readonly trunk: Option.Option<number>
  readonly to: DestinationType
  readonly toId: number
  readonly json: boolean
}) {
  const wanted = yield* decodeInput(
    NewDid,
    typed({
      number: flags.number,
      name: flags.name,
      trunk_id: flags.trunk,
      destination_type: flags.to,
      destination_id: flags.toId
    }),
    flagOf
  )
  const { destination_id, destination_type, name, trunk_id = null } = wanted
  const made = yield* asOperator(
    Effect.gen(function* () {
      yield* knownTenant(flags.tenant)
      const { country } = yield* SipSettings
      const number = yield* storedNumber(wanted.number, country, "number")
      return yield* transaction(Dids.create(flags.tenant, { number, name, trunk_id, destination_type, destination_id }))
    })
  )
  yield* printed(flags.json, made)
})

export const change = Effect.fnUntraced(function* (
  flags: ById & {
    readonly number: Option.Option<string>
    readonly name: Option.Option<string>
    readonly trunk: Option.Option<number>
    readonly noTrunk: boolean
    readonly to: Option.Option<DestinationType>
    readonly toId: Option.Option<number>
  }
) {
  const to = yield* decodeInput(
    DidChange,
    typed({
      number: flags.number,
      name: flags.name,
      trunk_id: yield* orNothing("trunk", flags.trunk, flags.noTrunk),
      destination_type: flags.to,
      destination_id: flags.toId
    }),
    flagOf
  )
  yield* someField(to)
  const { number, ...rest } = to
  const changed = yield* asOperator(
    Effect.gen(function* () {
      const { country } = yield* SipSettings
      const stored = number === undefined ? {} : { number: yield* storedNumber(number, country, "number") }
      return yield* transaction(Dids.update(flags.id, { ...rest, ...stored }))
    })
  )
  yield* printed(flags.json, changed)
})

export const remove = Effect.fnUntraced(function* ({ id, json, yes }: Deletion) {
  const { number } = yield* asOperator(transaction(Dids.get(id)))
  yield* sure(`The DID ${number} is deleted; its calls reach nothing.`, yes)
  yield* asOperator(transaction(Dids.remove(id)))
  yield* print(json, { id, deleted: true }, () => [`DID ${id} is deleted.`])
})
