import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Caller } from "#core/auth/Caller.ts"
import { noStore, retryAfter } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import * as RateLimit from "#core/limits/RateLimit.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { afterSetUp } from "../device-pages/Exports.ts"
import { Devices } from "../devices/Exports.ts"
import { LinkGone, TooManyRetrievals } from "../vocabulary/Exports.ts"
import { answerOf } from "./Answer.ts"
import { RetrievalApi } from "./Api.ts"
import { awayPage, buttonPage, gonePage, tooManyPage } from "./Pages.ts"
import { knownOf, setUp } from "./SetUp.ts"
import { acceptsHtml, visitOf } from "./Visit.ts"

/**
 * Requests of one client address for links. Reason: an office behind one address sets up its devices on one day.
 * Tokens have 384 random bits, so the limit protects the other daemons, not the tokens.
 */
const rate = { burst: 60, perSecond: 1 }

/** Retry-After while a daemon is away. Unit: seconds. */
const awayRetry = 10

const gone = new LinkGone({ detail: "The link is used, expired, revoked or unknown." })

interface Asked {
  readonly params: { readonly token: string }
  readonly query: { readonly lang?: string; readonly device?: string }
}

export const retrieval = Handlers.group(
  RetrievalApi,
  "provisioningRetrieval",
  Effect.fn(function* (handlers) {
    const config = (yield* StoredSettings).live({}, { publicUrl })
    const limit = RateLimit.make(rate)
    const refusals = yield* RefusalLog.make("provisioning")

    const provision = Effect.fnUntraced(function* (
      { params: { token }, query: { device, lang } }: Asked,
      headers: Readonly<Record<string, string | undefined>>
    ) {
      const { address, userAgent } = yield* client
      const wait = limit.take(address, Date.now())
      if (wait > 0) {
        refusals.count("rate")
        yield* retryAfter(wait)
        return yield* new TooManyRetrievals({ detail: `Try again in ${wait} seconds.` })
      }
      const done = yield* orUnavailable(
        setUp({ token, lang, device, clientIp: address, userAgent, headers, publicUrl: config.publicUrl })
      ).pipe(
        Effect.catchTag("NoAnswer", (error) =>
          Effect.gen(function* () {
            yield* Effect.logWarning(`a device cannot be set up: ${error.message}`)
            yield* retryAfter(awayRetry)
            return yield* new Unavailable({ detail: "A daemon does not answer. The link stays valid: try again." })
          })
        )
      )
      if (done !== undefined) return done
      yield* refusals.tell({ kind: "client_token", address, entity: "client_token", id: "unknown" })
      return yield* gone
    })

    /** Answers programs with JSON or a problem, and people with pages. */
    const answer = Effect.fnUntraced(function* (asked: Asked) {
      yield* noStore
      const request = yield* HttpServerRequest.HttpServerRequest
      const { headers, method } = request
      const language = chooseLanguage(asked.query.lang, headers["accept-language"])
      if (visitOf({ method, headers }) === "page") return buttonPage(language)
      const done = provision(asked, headers)
      if (!acceptsHtml(headers["accept"])) return yield* Effect.map(done, (one) => one.answer)
      return yield* done.pipe(
        Effect.flatMap((one) => afterSetUp({ ...one, language })),
        Effect.catchTags({
          LinkGone: () => Effect.succeed(gonePage(language)),
          TooManyRetrievals: () => Effect.succeed(tooManyPage(language, 60)),
          Unavailable: () => Effect.succeed(awayPage(language))
        })
      )
    })

    return handlers.handleAll({ retrieve: answer, retrieveByButton: answer })
  })
)

export const myServices = Handlers.group(
  RetrievalApi,
  "provisioningServices",
  Effect.fn(function* (handlers) {
    const config = (yield* StoredSettings).live({}, { publicUrl })
    return handlers.handleAll({
      mine: Effect.fnUntraced(function* ({ query: { lang } }) {
        const caller = yield* Caller
        if (caller.kind !== "user") return yield* new NotFound({ detail: "A service token has no services." })
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const known = yield* orUnavailable(
          tenantTransaction(
            caller.tenantId,
            Effect.andThen(
              Devices.seen(caller.session),
              knownOf(caller.userId, { lang, headers, publicUrl: config.publicUrl })
            )
          )
        )
        return known === undefined
          ? yield* new NotFound({ detail: "The user is not known yet; try again in a second." })
          : answerOf(known)
      })
    })
  })
)
