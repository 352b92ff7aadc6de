/** Implementation of `signalbox sip extension`. */
import { Effect, type Option } from "effect"
import { decodeInput, onOrOff, orNothing, someField, typed } from "#core/cli/Input.ts"
import { knownTenant } from "#core/cli/KnownTenant.ts"
import { print, table } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Credentials from "../Credentials.ts"
import { internalNumber, sipDomain } from "../Names.ts"
import { asOperator, type ById, type Deletion, filterOf, type Filters } from "../PhoneOperator.ts"
import { answeredIn, notEmergency } from "../Requests.ts"
import { SipSettings } from "../SipSettings.ts"
import { ExtensionChange, NewExtension } from "./Api.ts"
import * as Extensions from "./Store.ts"

/** Flags of the fields. */
const flagOf = { extension: "--number", name: "--name", domain: "--domain", user_id: "--user" }

const rows = (found: ReadonlyArray<Extensions.Extension>) =>
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

const printed = (json: boolean, row: Extensions.Extension) => print(json, answeredIn(row), () => rows([row]))

export const list = Effect.fnUntraced(function* (flags: Filters) {
  const filter = yield* filterOf(flags)
  const found = yield* asOperator(transaction(Extensions.list(filter, undefined, flags.limit)))
  yield* print(flags.json, found.map(answeredIn), () => rows(found))
})

export const create = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly domain: string
  readonly number: string
  readonly name: string
  readonly user: Option.Option<number>
  readonly json: boolean
}) {
  const wanted = yield* decodeInput(
    NewExtension,
    typed({ extension: flags.number, name: flags.name, domain: flags.domain, user_id: flags.user }),
    flagOf
  )
  const made = yield* asOperator(
    Effect.gen(function* () {
      yield* knownTenant(flags.tenant)
      const { country } = yield* SipSettings
      yield* notEmergency(wanted.extension, country, "number")
      const credentials = yield* Credentials.Credentials
      const sealed = yield* credentials.forNew(Credentials.sealedExtensions, Credentials.newPassword())
      return yield* transaction(
        Extensions.create(
          {
            tenantId: flags.tenant,
            domain: sipDomain(wanted.domain)!,
            extension: internalNumber(wanted.extension)!,
            name: wanted.name,
            userId: wanted.user_id ?? null,
            enabled: true
          },
          sealed
        )
      )
    })
  )
  yield* printed(flags.json, made)
})

export const change = Effect.fnUntraced(function* (
  flags: ById & {
    readonly number: Option.Option<string>
    readonly name: Option.Option<string>
    readonly domain: Option.Option<string>
    readonly user: Option.Option<number>
    readonly noUser: boolean
    readonly enable: boolean
    readonly disable: boolean
  }
) {
  const to = yield* decodeInput(
    ExtensionChange,
    typed({
      extension: flags.number,
      name: flags.name,
      domain: flags.domain,
      user_id: yield* orNothing("user", flags.user, flags.noUser),
      enabled: yield* onOrOff(flags.enable, flags.disable, ["enable", "disable"])
    }),
    flagOf
  )
  yield* someField(to)
  const { domain, extension, password: _, ...rest } = to
  const changed = yield* asOperator(
    Effect.gen(function* () {
      const { country } = yield* SipSettings
      yield* notEmergency(extension, country, "number")
      yield* transaction(Extensions.get(flags.id))
      // A former user has seen the password.
      const handOver =
        to.user_id === undefined
          ? undefined
          : {
              envelope: yield* (yield* Credentials.Credentials).seal(
                Credentials.sealedExtensions,
                flags.id,
                Credentials.newPassword()
              ),
              always: false
            }
      return yield* transaction(
        Extensions.update(
          flags.id,
          {
            ...rest,
            ...(domain === undefined ? {} : { domain: sipDomain(domain)! }),
            ...(extension === undefined ? {} : { extension: internalNumber(extension)! })
          },
          undefined,
          handOver
        )
      )
    })
  )
  yield* printed(flags.json, changed)
})

export const remove = Effect.fnUntraced(function* ({ id, json, yes }: Deletion) {
  const { domain, extension, name } = yield* asOperator(transaction(Extensions.get(id)))
  yield* sure(`The extension ${extension} (${name}) of ${domain} and its password are deleted; its phones stop.`, yes)
  yield* asOperator(transaction(Extensions.remove(id)))
  yield* print(json, { id, deleted: true }, () => [`Extension ${id} is deleted.`])
})
