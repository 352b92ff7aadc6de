/** Implementation of `signalbox mailbox change`, `suspend`, `unsuspend` and `delete`. */
import { Effect, type Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { fail } from "#core/cli/Ending.ts"
import { decodeInput, orNothing, someField, typed } from "#core/cli/Input.ts"
import { print } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import { newPassword } from "#core/password/NewPassword.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { changing, inStorage } from "../../operator/OperatorStorage.ts"
import { MailboxChange } from "./Api.ts"
import * as MailboxChanges from "./MailboxChanges.ts"
import * as Mailboxes from "./Mailboxes.ts"
import { rows } from "./MailboxOperator.ts"

interface Named {
  readonly which: string
  readonly json: boolean
}

/** Finds a mailbox by its id or address. */
const meant = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const found = /^\d{1,9}$/.test(which)
    ? [{ id: Number(which) }]
    : yield* sql<{ id: number }>`select id from mail_admin.mailbox where address = ${which.toLowerCase()} order by id`
  const missing = () => fail(`the mailbox ${which} does not exist`)
  if (found.length > 1)
    return yield* fail(`several tenants have ${which}. Name one of these ids: ${found.map(({ id }) => id).join(", ")}`)
  const [one] = found
  if (one === undefined) return yield* missing()
  return yield* Effect.catchTag(Mailboxes.get(one.id), "NotFound", missing)
})

export const change = Effect.fnUntraced(function* (
  flags: Named & {
    readonly quota: Option.Option<number>
    readonly noQuota: boolean
    readonly user: Option.Option<number>
    readonly noUser: boolean
    readonly newPassword: boolean
  }
) {
  const to = yield* decodeInput(
    MailboxChange,
    typed({
      quota_mb: yield* orNothing("quota", flags.quota, flags.noQuota),
      user_id: yield* orNothing("user", flags.user, flags.noUser)
    }),
    { quota_mb: "--quota", user_id: "--user" }
  )
  yield* someField(flags.newPassword ? { ...to, password: true } : to)
  const password = flags.newPassword ? newPassword() : undefined
  const passwordHash =
    password === undefined
      ? undefined
      : yield* Effect.flatMap(Passwords.Passwords, ({ hash }) => Effect.orDie(hash(password))).pipe(
          Effect.provide(Passwords.layer)
        )
  const changed = yield* changing(
    Effect.gen(function* () {
      const { id } = yield* meant(flags.which)
      return yield* MailboxChanges.update(id, {
        ...(passwordHash === undefined ? {} : { passwordHash }),
        ...(to.quota_mb === undefined ? {} : { quota: to.quota_mb }),
        ...(to.user_id === undefined ? {} : { userId: to.user_id })
      })
    })
  )
  const shown = password === undefined ? undefined : Redacted.value(password)
  yield* print(flags.json, { ...changed, password: shown }, () => [
    ...rows([changed]),
    ...(shown === undefined ? [] : [`Password: ${shown}`])
  ])
})

export const setState = Effect.fnUntraced(function* (flags: Named, state: Mailboxes.Mailbox["state"]) {
  const changed = yield* changing(Effect.flatMap(meant(flags.which), ({ id }) => MailboxChanges.setState(id, state)))
  yield* print(flags.json, changed, () => rows([changed]))
})

export const remove = Effect.fnUntraced(function* (flags: Named & { readonly yes: boolean }) {
  const { address, id } = yield* inStorage(meant(flags.which))
  yield* sure(
    `The mailbox ${address} is deleted. Its mail stays on the mail server until it is purged, and a new mailbox with ` +
      "this address does not get it.",
    flags.yes
  )
  yield* changing(MailboxChanges.remove(id))
  yield* print(flags.json, { id, address, deleted: true }, () => [`${address} is deleted.`])
})
