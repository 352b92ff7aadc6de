import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomUUID, timingSafeEqual } from "node:crypto"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { noStore, retryAfter } from "#core/http/AnswerHeaders.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import * as RateLimit from "#core/limits/RateLimit.ts"
import { send } from "#core/mail-relay/MailRelay.ts"
import { relayOf } from "#core/second-path/NoticeSettings.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import { Bookings } from "../bookings/Exports.ts"
import { hashOf, isToken, managedUser } from "../tokens/Exports.ts"
import { note, tenantBase, TooManyRetrievals } from "../vocabulary/Exports.ts"
import { LinkMailApi } from "./Api.ts"
import { LinkMailFailed } from "./Errors.ts"
import { linkMail as mailOf } from "./LinkMail.ts"
import { linkMailSettings, organizationOf } from "./Settings.ts"

/** Rate limit of mails with the same link. Reason: a lost mail can be sent again, and more is abuse. */
const rate = { burst: 3, perSecond: 1 / 600 }

/** Maximum number of links whose mails are counted. Reason: bounds the memory; the oldest is forgotten first. */
const maxCounted = 5_000

interface Addressed {
  readonly tenant_id: number
  readonly hash: Uint8Array
  readonly expires_at: Date
  readonly email: string
  readonly name: string
  readonly locale: string
  readonly time_zone: string | null
}

const noLink = new NotFound({ detail: "There is no such unused link." })

/** The unused token with its user, if the caller may revoke it. */
const addressed = Effect.fnUntraced(function* (id: number, only: number | undefined) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Addressed>`select t.tenant_id, t.hash, t.expires_at, u.email, u.name, u.locale, u.time_zone
    from provisioning.client_token t join provisioning.known_user u on u.user_id = t.user_id and u.state = 'active'
    where ${sql.and([
      sql`t.id = ${id} and t.used_at is null and t.revoked_at is null and t.expires_at > now()`,
      ...(only === undefined ? [] : [sql`t.user_id = ${only}`])
    ])}`
  return row
})

/** The token at the end of a link, undefined for another form. */
const tokenIn = (link: string): string | undefined => {
  const url = URL.parse(link)
  const token = url?.pathname.split("/").at(-1) ?? ""
  return url !== null && url.pathname === `/provision/${token}` && isToken(token) ? token : undefined
}

export const linkMail = Handlers.group(
  LinkMailApi,
  "provisioningLinkMail",
  Effect.fn(function* (handlers) {
    const config = yield* liveSettings(linkMailSettings)
    const { value } = yield* StoredSettings
    const limit = RateLimit.byKey(rate, maxCounted)
    return handlers.handleAll({
      send: Effect.fnUntraced(function* ({ params: { id }, payload: { link } }) {
        yield* noStore
        const token = tokenIn(link)
        const found = yield* orUnavailable(inScope(addressed(id, managedUser(yield* Caller))))
        if (found === undefined || token === undefined || !timingSafeEqual(found.hash, hashOf(token)))
          return yield* noLink
        const wait = limit.take(String(id), Date.now())
        if (wait > 0)
          return yield* Effect.andThen(
            retryAfter(wait),
            Effect.fail(new TooManyRetrievals({ detail: "The link was sent several times." }))
          )
        // The link is built again from the token. The one in the request could lead to another host.
        const plan = yield* orUnavailable(inScope(Bookings.planOf(found.tenant_id)))
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const base = tenantBase(plan.base_domain, value(publicUrl), headers)
        const { hostname } = new URL(base)
        const { subject, text } = mailOf({
          language: languageOfAccount(found.locale),
          name: found.name,
          link: `${base}/provision/${token}`,
          organization: organizationOf(config),
          expiresAt: found.expires_at,
          timeZone: found.time_zone
        })
        yield* send(relayOf(config.relay), {
          from: config.from ?? `signalbox@${hostname}`,
          to: [found.email],
          subject,
          text,
          messageId: `<${randomUUID()}@${hostname}>`,
          headers: { "Auto-Submitted": "auto-generated" }
        }).pipe(
          Effect.catchTag("MailRelayError", (error) =>
            Effect.andThen(
              Effect.logWarning(`a mail with a provisioning link is not sent: ${error.ownWords}`),
              Effect.fail(new LinkMailFailed({ detail: "The mail relay does not accept the mail." }))
            )
          )
        )
        yield* orUnavailable(inScope(note(found.tenant_id, "client_token", String(id), "mailed", { to: found.email })))
      })
    })
  })
)
