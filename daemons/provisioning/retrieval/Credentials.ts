/**
 * Asks the daemons that own credentials for those of a new device, outside of any transaction. Fails with `NoAnswer`
 * when one of them is away. The user's login is asked for first: it decides whether the user may sign in at all.
 */
import { Effect } from "effect"
import { DeviceLogin, ExtensionCredentials, MailAppPassword } from "#core/contracts/Provisioning.ts"
import type { RequestRefused } from "#core/requests/RequestContract.ts"
import { ask } from "#core/requests/Requests.ts"
import { asksFor, type Known } from "./Answer.ts"

/** Description of the new device for the daemons that issue its credentials. */
export interface Device {
  readonly id: string
  readonly name: string
  readonly clientIp: string
  readonly userAgent: string | null
}

/** Credentials of a device, and the session of its login. Fails with `RequestRefused` when the user may not sign in. */
export const gather = Effect.fnUntraced(function* (known: Known, device: Device) {
  const { extension, mailbox, overview, user } = known
  const wanted = (flag: Parameters<typeof asksFor>[1]) =>
    overview.services.some(({ booked, service }) => booked && asksFor(service.config_template, flag))
  const about = { user_id: user.user_id, tenant_id: user.tenant_id, device_id: device.id, client_ip: device.clientIp }
  const login = wanted("provides_login_token")
    ? yield* ask(DeviceLogin, { ...about, user_agent: device.userAgent })
    : undefined
  const [phone, mail] = yield* Effect.all(
    [
      extension !== undefined && wanted("provides_extension")
        ? orNone(ask(ExtensionCredentials, { ...about, extension_id: extension.extension_id }))
        : Effect.succeed(undefined),
      mailbox !== undefined && wanted("provides_app_password")
        ? orNone(ask(MailAppPassword, { ...about, address: mailbox, device_name: device.name }))
        : Effect.succeed(undefined)
    ],
    { concurrency: 2 }
  )
  return {
    ...(login === undefined ? {} : { login }),
    ...(phone === undefined ? {} : { phone }),
    ...(mail === undefined ? {} : { mail })
  }
})

/**
 * Undefined when the other daemon refuses, because the account was just deleted or suspended. The device works without
 * it.
 */
const orNone = <A, E, R>(asked: Effect.Effect<A, E | RequestRefused, R>) =>
  Effect.catchTag(asked as Effect.Effect<A, RequestRefused, R>, "RequestRefused", (refusal) =>
    Effect.as(Effect.logWarning(refusal.message), undefined)
  ) as Effect.Effect<A | undefined, Exclude<E, RequestRefused>, R>
