/**
 * Sets a device up by a token: holds the token, asks for the credentials, and uses the token up together with the
 * device, the event and the notification. When a step fails, the token is given back, and what was issued ends.
 */
import { Effect, Exit } from "effect"
import { randomUUID } from "node:crypto"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { ProvisioningCompleted } from "#core/contracts/Provisioning.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import * as Audit from "#core/log/Audit.ts"
import { tenantTransaction, transaction } from "#core/sql/Sql.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { Bookings } from "../bookings/Exports.ts"
import { deviceName, Devices, endAbandoned } from "../devices/Exports.ts"
import { People } from "../people/Exports.ts"
import { emitTokenChange, hashOf, isToken, Tokens } from "../tokens/Exports.ts"
import { tenantBase } from "../vocabulary/Exports.ts"
import { answerOf, type Known } from "./Answer.ts"
import type { ProvisioningAnswer } from "./Api.ts"
import * as Credentials from "./Credentials.ts"
import { words } from "./Words.ts"

/** Longest stored user agent. Unit: characters. */
const maxUserAgent = 200

/** A request for a link. */
export interface Request {
  readonly token: string
  /** Language that the request names. */
  readonly lang: string | undefined
  /** Name of the device that the request gives. */
  readonly device: string | undefined
  readonly clientIp: string
  readonly userAgent: string | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly publicUrl: string | undefined
}

/** A device that was set up. */
export interface Provisioned {
  readonly answer: ProvisioningAnswer
  readonly deviceId: string
  readonly tenantId: number
  /** Extension whose password the device received; null for none. */
  readonly extensionId: number | null
}

/** What is known of the user; undefined when the user is deleted or suspended. */
export const knownOf = Effect.fnUntraced(function* (
  userId: number,
  request: Pick<Request, "headers" | "lang" | "publicUrl">
) {
  const user = yield* People.user(userId)
  if (user === undefined || user.state !== "active") return undefined
  const overview = yield* Bookings.overview(user.tenant_id)
  return {
    base: tenantBase(overview.plan.base_domain, request.publicUrl, request.headers),
    language: request.lang ?? user.locale,
    user,
    mailbox: yield* People.mailboxOf(user),
    extension: yield* People.extensionOf(user),
    overview
  } satisfies Known
})

/**
 * Sets the device up; undefined when the token is not usable. Fails with `NoAnswer` when a daemon is away. The hold
 * cannot be interrupted, because an interruption after its commit would leave the token reserved until the sweep.
 */
export const setUp = (request: Request) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (!isToken(request.token)) return undefined
      const id = randomUUID()
      const token = yield* transaction(Tokens.hold(hashOf(request.token), id))
      if (token === undefined) return undefined
      return yield* restore(setUpWith(token, id, request)).pipe(
        Effect.onExit((exit) => (Exit.isSuccess(exit) && exit.value !== undefined ? Effect.void : giveBack(token, id)))
      )
    })
  )

/** Sets the device up with a token that is reserved for it; undefined when the user or the token is not usable. */
const setUpWith = Effect.fnUntraced(function* (token: Tokens.Token, id: string, request: Request) {
  const name = deviceName({ label: token.label, given: request.device, userAgent: request.userAgent })
  const userAgent = request.userAgent?.slice(0, maxUserAgent) ?? null
  const device = { id, name, clientIp: request.clientIp, userAgent }
  return yield* Effect.gen(function* () {
    const known = yield* tenantTransaction(token.tenant_id, knownOf(token.user_id, request))
    if (known === undefined) return undefined
    const credentials = yield* Credentials.gather(known, device)
    const answer = answerOf(known, credentials)
    const extensionId = credentials.phone === undefined ? null : known.extension!.extension_id
    const used = yield* tenantTransaction(
      token.tenant_id,
      record(token, device, {
        features: answer.features,
        session: credentials.login?.session ?? null,
        mailbox: credentials.mail === undefined ? null : known.mailbox!,
        extensionId
      })
    )
    return used ? ({ answer, deviceId: id, tenantId: token.tenant_id, extensionId } satisfies Provisioned) : undefined
  }).pipe(
    // A user that identity refuses looks like an unknown link.
    Effect.catchTag("RequestRefused", (refusal) => Effect.as(Effect.logInfo(refusal.message), undefined))
  )
})

/**
 * Gives the token back, and ends what was issued. Does nothing when the token was used: the device is then complete,
 * also when the client disconnected. Without database the sweep does both later.
 */
const giveBack = (token: Tokens.Token, deviceId: string) =>
  transaction(
    Effect.flatMap(Tokens.release(token.id, deviceId), (abandoned) =>
      abandoned ? endAbandoned({ id: deviceId, tenant_id: token.tenant_id, user_id: token.user_id }) : Effect.void
    )
  ).pipe(Effect.catch((error) => Effect.logWarning(`a token is given back later: ${error.message}`)))

/** Uses the token up and stores the device; false when the token cannot be used any more. */
const record = Effect.fnUntraced(function* (
  token: Tokens.Token,
  device: Credentials.Device,
  issued: Pick<Devices.NewDevice, "features" | "session" | "mailbox" | "extensionId">
) {
  if (!(yield* Tokens.use(token.id, device.id))) return false
  const { tenant_id, user_id } = token
  yield* Devices.add({ ...device, ...issued, tenantId: tenant_id, userId: user_id, tokenId: token.id })
  yield* Audit.write({
    tenantId: tenant_id,
    actor: `user:${user_id}`,
    action: "client_token.used",
    entity: "client_token",
    id: String(token.id),
    address: device.clientIp,
    detail: { prefix: token.prefix, device_id: device.id, name: device.name, features: issued.features }
  })
  const events = yield* Events
  yield* events.emit(
    ProvisioningCompleted,
    "provisioning",
    {
      user_id,
      tenant_id,
      features: issued.features,
      client_ip: device.clientIp,
      device_id: device.id,
      device_name: device.name,
      token_id: token.id,
      at: new Date().toISOString()
    },
    { tenantId: tenant_id, userId: user_id }
  )
  yield* emitTokenChange(token, { state: "used", device: device.id })
  yield* notify(user_id, device)
  return true
})

const notify = Effect.fnUntraced(function* (userId: number, { id, name }: Credentials.Device) {
  const jobs = yield* Jobs
  const key = `provisioning.completed:${id}`
  const said = inEveryLanguage((language) => ({
    title: words(language).notified,
    body: words(language).notifiedText({ device: name })
  }))
  yield* jobs.send(NotificationWanted, [
    {
      key,
      data: {
        key,
        to: { user_id: userId },
        content: {
          type: "provisioning.completed",
          category: "provisioning",
          severity: "success",
          ...said.en,
          icon: "monitor-check",
          entity_type: "device",
          entity_id: id,
          action_url: "/console/devices"
        },
        words: said
      }
    }
  ])
})
