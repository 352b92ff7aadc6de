/**
 * Accounts of a device, sealed into the page that shows them once: the page's button sends them back for a profile.
 * Nothing is stored, so no table holds a password. Only this installation can open a ticket.
 */
import { Duration, Effect, Redacted, Schema } from "effect"
import { Secrets } from "#core/config/Secrets.ts"
import type { DeviceAccounts } from "./Accounts.ts"

/** How long the button works. Reason: a person reads the page and enters the device's code. */
const validity = Duration.minutes(30)

const context = "provisioning.profile"

const Endpoint = Schema.Struct({ host: Schema.String, port: Schema.Int })
const Dav = Schema.Struct({ url: Schema.String, username: Schema.String, password: Schema.String })

const Ticket = Schema.fromJsonString(
  Schema.Struct({
    device: Schema.String,
    /** Host of the tenant. */
    host: Schema.String,
    /** Code of the language. */
    language: Schema.String,
    /** End of its validity. Unit: milliseconds since 1970. */
    until: Schema.Number,
    mail: Schema.optionalKey(
      Schema.Struct({
        address: Schema.String,
        displayName: Schema.String,
        username: Schema.String,
        password: Schema.String,
        imap: Endpoint,
        smtp: Endpoint
      })
    ),
    contacts: Schema.optionalKey(Dav),
    calendar: Schema.optionalKey(Dav)
  })
)
export type Ticket = typeof Ticket.Type

/** Seals the accounts of a device. */
export const seal = Effect.fnUntraced(function* (
  about: Pick<Ticket, "device" | "host" | "language">,
  accounts: DeviceAccounts,
  now: number
) {
  const secrets = yield* Secrets
  const text = yield* Effect.orDie(
    Schema.encodeEffect(Ticket)({ ...about, ...accounts, until: now + Duration.toMillis(validity) })
  )
  // An unreadable key file is an error of the installation, which no caller can handle.
  return yield* Effect.orDie(secrets.seal(Redacted.make(text), context))
})

/** Opens a ticket; undefined when it is forged or too old. */
export const open = (sealed: string, now: number): Effect.Effect<Ticket | undefined, never, Secrets> =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const text = yield* secrets.open(sealed, context)
    const ticket = yield* Schema.decodeUnknownEffect(Ticket)(Redacted.value(text))
    return ticket.until > now ? ticket : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))
