/**
 * Sends pushes to browsers through their push services (RFC 8030), encrypted for the browser and signed by our key. At
 * least once; the browser shows one uuid once. Tries continue for a day while a service is away. An address is a
 * secret: logs contain its host only.
 */
import { Clock, Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import webPush from "web-push"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { NotificationContent } from "#core/contracts/Notifications.ts"
import { type ClaimedJob, define, Jobs } from "#core/jobs/Jobs.ts"
import { OutboundHttp, type OutboundRequest } from "#core/http/OutboundHttp.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Webhook } from "../../channels/Exports.ts"
import * as Members from "../Members.ts"
import { countNotification } from "../NotificationMetrics.ts"
import type { NotifyConfig } from "../mail/MailRoute.ts"
import { PushKeys } from "./PushKeys.ts"
import { payloadOf } from "./PushPayload.ts"
import { contactOf, type PushConfig } from "./PushSettings.ts"
import * as PushStore from "./PushStore.ts"
import { PushSubscription } from "./PushSubscription.ts"
import { togetherFields } from "../JobFields.ts"

/** Pause before the second try, doubled for each further one. Unit: milliseconds. */
const firstPause = 2_000

/**
 * Longest pause between tries. Unit: milliseconds. Reason: a service with a long outage gets about a dozen requests a
 * day.
 */
const longestPause = 3_600_000

/**
 * Maximum number of jobs handled at once in one process. Reason: one service that hangs (10 s) must not delay the
 * others.
 */
const concurrency = 8

/**
 * The subscription no longer exists: the user revoked it, or the browser is gone. Source: RFC 8030 §7.3; some services
 * answer 404.
 */
const gone = new Set([404, 410])

export const NotificationPush = define(
  "notification.push",
  Schema.Struct({
    ...togetherFields,
    content: NotificationContent,
    subscription_id: Schema.String,
    /** Uuid of the stored notification. */
    uuid: Schema.optionalKey(Schema.String)
  })
)

const count = (end: "sent" | "refused" | "expired" | "gone" | "nobody" | "unreadable") => countNotification("push", end)

type Job = ClaimedJob<typeof NotificationPush.data.Type>

const readSubscription = Schema.decodeUnknownEffect(Schema.fromJsonString(PushSubscription))

export const pushWorker = (config: PushConfig & NotifyConfig) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const keys = yield* PushKeys
    const outbound = yield* OutboundHttp
    const allowCidrs = config.pushAllow.map(parseCidr).filter((cidr) => cidr !== undefined)
    const stored = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      Effect.provideService(effect, SqlClient.SqlClient, sql)

    /** Removes the subscription. */
    const leave = (data: Job["data"], why: string) =>
      Effect.andThen(
        stored(PushStore.remove(data.subscription_id, data.user_id)),
        Effect.logInfo(`a browser of user ${data.user_id} is unsubscribed from pushes: ${why}`)
      )

    const request = Effect.fnUntraced(function* (
      { content, expires_at, id, more = [], omitted = 0, uuid = id }: Job["data"],
      to: PushSubscription,
      locale: string,
      now: number
    ) {
      const { privateKey, publicKey } = yield* keys.pair
      const payload = payloadOf([content, ...more], omitted, uuid, locale)
      return yield* Effect.try({
        try: (): OutboundRequest => {
          const { body, headers } = webPush.generateRequestDetails(to, JSON.stringify(payload), {
            vapidDetails: { subject: contactOf(config), publicKey, privateKey: Redacted.value(privateKey) },
            contentEncoding: "aes128gcm",
            TTL: Math.max(1, Math.floor((Date.parse(expires_at) - now) / 1000)),
            urgency: payload.severity === "error" ? "high" : "normal"
          })
          const texts = Object.fromEntries(
            Object.entries(headers as Record<string, unknown>).map(([name, value]) => [name, String(value)])
          )
          return {
            method: "POST",
            url: to.endpoint,
            headers: texts,
            body,
            allowCidrs,
            maxRedirects: 0,
            maxResponseBytes: 1_024
          }
        },
        catch: () => "Unusable" as const
      })
    })

    const handle = Effect.fnUntraced(function* (job: Job) {
      const { data } = job
      const now = yield* Clock.currentTimeMillis
      // Also drops a push whose expiry cannot be read.
      if (!(now < Date.parse(data.expires_at))) return yield* count("expired")
      const [[reader], secret] = yield* stored(
        Effect.all([Members.recipients({ user_id: data.user_id }), PushStore.secretOf(data.subscription_id)])
      )
      if (reader === undefined || !reader.active || secret === undefined) return yield* count("nobody")
      const opened = yield* Effect.result(
        secrets.open(secret, contextOf(PushStore.sealedSubscriptions, data.subscription_id))
      )
      if (opened._tag === "Failure") {
        yield* Effect.logWarning(`a browser of user ${data.user_id} cannot be pushed to: ${opened.failure.message}`)
        return yield* count("unreadable")
      }
      const to = yield* Effect.orDie(readSubscription(Redacted.value(opened.success)))
      const made = yield* Effect.result(request(data, to, reader.locale, now))
      if (made._tag === "Failure") {
        if (made.failure !== "Unusable") return yield* Effect.fail(made.failure)
        yield* leave(data, "its keys are invalid")
        return yield* count("refused")
      }
      const { host } = new URL(to.endpoint)
      const answer = yield* Effect.result(outbound.request(made.success))
      if (answer._tag === "Success" && gone.has(answer.success.status)) {
        yield* leave(data, `${host} answered ${answer.success.status}`)
        return yield* count("gone")
      }
      // The dialer's error text contains the path.
      const outcome =
        answer._tag === "Success"
          ? Webhook.outcome(answer.success, now)
          : ({
              _tag: answer.failure.retryable ? "Retryable" : "Permanent",
              reason: answer.failure.reason._tag
            } as const)
      if (outcome._tag === "Delivered") return yield* count("sent")
      if (outcome._tag === "Permanent") {
        yield* Effect.logWarning(`a notification to user ${data.user_id} was refused by ${host}: ${outcome.reason}`)
        return yield* count("refused")
      }
      // Logged once per push, so that a long outage does not fill the log.
      if (data.tries === 0) yield* Effect.logWarning(`a push through ${host} is delayed: ${outcome.reason}`)
      const asked = "retryAfter" in outcome && outcome.retryAfter !== undefined ? outcome.retryAfter : 0
      const startAfter = new Date(now + Math.max(asked, Math.min(firstPause * 2 ** data.tries, longestPause)))
      yield* transaction(
        Effect.andThen(
          jobs.send(NotificationPush, [{ data: { ...data, tries: data.tries + 1 }, startAfter }]),
          job.complete
        )
      )
    })
    yield* Jobs.worker({ type: NotificationPush, concurrency, handle })
  })
