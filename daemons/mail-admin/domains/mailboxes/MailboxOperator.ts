/** Implementation of `signalbox mailbox list` and `create`. They use the database, so no daemon needs to run. */
import { Effect, Option, Redacted } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print, table } from "#core/cli/Output.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { newPassword } from "#core/password/NewPassword.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { meant } from "../../operator/MeantDomain.ts"
import { announcing, inStorage } from "../../operator/OperatorStorage.ts"
import { addressOf, localPart } from "../Names.ts"
import * as MailboxChanges from "./MailboxChanges.ts"
import * as Mailboxes from "./Mailboxes.ts"

export const rows = (found: ReadonlyArray<Mailboxes.Mailbox>) =>
  table("No mailboxes. Create one: bin/signalbox mailbox create --help", [
    ["id", "address", "state", "quota", "user", "tenant"],
    ...found.map((row) => [
      String(row.id),
      row.address,
      row.state,
      row.quota_mb === null ? "none" : `${row.quota_mb} MiB`,
      row.user_id === null ? "" : String(row.user_id),
      String(row.tenant_id)
    ])
  ])

export const list = Effect.fnUntraced(function* (flags: {
  readonly which: string
  readonly limit: number
  readonly json: boolean
}) {
  const found = yield* inStorage(
    Effect.flatMap(meant(flags.which), ({ id }) => Mailboxes.list(id, undefined, flags.limit))
  )
  yield* print(flags.json, found, rows)
})

export const create = Effect.fnUntraced(function* (flags: {
  readonly address: string
  readonly quota: Option.Option<number>
  readonly user: Option.Option<number>
  readonly json: boolean
}) {
  const at = flags.address.lastIndexOf("@")
  const local = localPart(flags.address.slice(0, at))
  // `meant` would take a number for the id of a domain.
  if (at < 1 || local === undefined || /^\d+$/.test(flags.address.slice(at + 1)))
    return yield* fail(`${JSON.stringify(flags.address)} is not an address such as anna@example.org`, exitUsage)
  const password = newPassword()
  const passwordHash = yield* Effect.gen(function* () {
    return yield* Effect.orDie((yield* Passwords.Passwords).hash(password))
  }).pipe(Effect.provide(Passwords.layer))
  const made = yield* inStorage(
    inWords(
      Effect.gen(function* () {
        const { domain, id: domainId } = yield* meant(flags.address.slice(at + 1))
        const address = addressOf(local, domain)
        if (address === undefined) return yield* fail("the part before the @ is too long for this domain", exitUsage)
        return yield* MailboxChanges.create({
          domainId,
          localPart: local,
          address,
          passwordHash,
          quota: Option.getOrNull(flags.quota),
          userId: Option.getOrNull(flags.user)
        })
      })
    ).pipe(Effect.provideService(Caller, operatorCaller), Effect.provide(announcing))
  )
  yield* print(flags.json, { ...made, password: Redacted.value(password) }, () => [
    ...rows([made]),
    `Password: ${Redacted.value(password)}`
  ])
})
