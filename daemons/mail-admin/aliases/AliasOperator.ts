/** Implementation of `signalbox mail-alias`. The commands use the database, so no daemon needs to run. */
import { Effect } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { decodeInput } from "#core/cli/Input.ts"
import { print, table } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { addressOf, localPart } from "../domains/Exports.ts"
import { meant } from "../operator/MeantDomain.ts"
import { changing, inStorage } from "../operator/OperatorStorage.ts"
import * as Aliases from "./Aliases.ts"
import { NewAlias } from "./Api.ts"

const rows = (found: ReadonlyArray<Aliases.Alias>, domain: string) =>
  table("No aliases. Create one: bin/signalbox mail-alias create --help", [
    ["id", "address", "destination", "tenant"],
    ...found.map(({ destination, id, source, tenant_id }) => [
      String(id),
      `${source}@${domain}`,
      destination,
      String(tenant_id)
    ])
  ])

export const list = Effect.fnUntraced(function* (flags: {
  readonly which: string
  readonly limit: number
  readonly json: boolean
}) {
  const { domain, found } = yield* inStorage(
    Effect.gen(function* () {
      const { domain, id } = yield* meant(flags.which)
      return { domain, found: yield* Aliases.list(id, undefined, flags.limit) }
    })
  )
  yield* print(flags.json, found, () => rows(found, domain))
})

export const create = Effect.fnUntraced(function* (flags: {
  readonly address: string
  readonly destination: string
  readonly json: boolean
}) {
  const at = flags.address.lastIndexOf("@")
  // `meant` would take a number for the id of a domain.
  if (at < 1 || /^\d+$/.test(flags.address.slice(at + 1)))
    return yield* fail(`${JSON.stringify(flags.address)} is not an address such as office@example.org`, exitUsage)
  const wanted = yield* decodeInput(
    NewAlias,
    { source: flags.address.slice(0, at), destination: flags.destination },
    { source: "the part before the @" }
  )
  const source = localPart(wanted.source)!
  const { domain, made } = yield* changing(
    Effect.gen(function* () {
      const { domain, id } = yield* meant(flags.address.slice(at + 1))
      if (addressOf(source, domain) === undefined)
        return yield* fail("the part before the @ is too long for this domain", exitUsage)
      return { domain, made: yield* Aliases.create(id, source, normaliseEmail(wanted.destination)!) }
    })
  )
  yield* print(flags.json, made, () => rows([made], domain))
})

export const remove = Effect.fnUntraced(function* (flags: {
  readonly id: number
  readonly yes: boolean
  readonly json: boolean
}) {
  const { destination, source } = yield* changing(Aliases.get(flags.id))
  yield* sure(`The alias ${source} to ${destination} is deleted; mail to it is refused or goes elsewhere.`, flags.yes)
  yield* changing(Aliases.remove(flags.id))
  yield* print(flags.json, { id: flags.id, deleted: true }, () => [`Alias ${flags.id} is deleted.`])
})
