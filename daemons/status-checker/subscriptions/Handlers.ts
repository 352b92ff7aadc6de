import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { SubscriptionsApi } from "./Api.ts"
import { retryAfter } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { type FieldProblem, InvalidRequest, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { StatusFiles } from "../status-files/Exports.ts"
import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { isOffered } from "#core/words/TextMemory.ts"
import type { SubscribeProblem } from "../publication/Exports.ts"
import {
  confirmedPage,
  confirmPage,
  linkGonePage,
  mailboxPage,
  notConfiguredPage,
  subscribePage,
  unsubscribedPage,
  unsubscribePage
} from "./SubscriberPages.ts"
import { transportSettings } from "./Settings.ts"
import { MailNotConfigured, TooManySignUps } from "./Errors.ts"
import { isToken } from "./LinkToken.ts"
import { neededSettings, presentTransport } from "./MailTransport.ts"
import { mailWords } from "./MailWords.ts"
import { signUp } from "./SignUp.ts"
import { linkHours } from "./SignUpLimits.ts"
import * as Subscribers from "./Subscribers.ts"
import { problemsOf } from "./SignUpProblems.ts"

export const subscriptions = Handlers.group(
  SubscriptionsApi,
  "subscriptions",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    const present = presentTransport(yield* liveSettings(transportSettings))

    const languageOf = (lang: string | undefined) =>
      Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => chooseLanguage(lang, headers["accept-language"]))

    return handlers.handleAll({
      subscribe: Effect.fnUntraced(function* ({ payload, query }) {
        const transport = present()
        if (transport === undefined) return yield* new MailNotConfigured({ settings: neededSettings })
        const language = yield* languageOf(payload.lang ?? query.lang)
        const { components = null } = payload
        const problems = problemsOf(payload.email, components, files.components())
        if (problems.length > 0) return yield* new InvalidRequest({ errors: problems.map(named) })
        const { address } = yield* client
        yield* orUnavailable(
          signUp({ email: normaliseEmail(payload.email)!, lang: language, components }, address, transport)
        ).pipe(
          Effect.catchTags({
            TooMany: (tooMany) => Effect.andThen(retryAfter(tooMany.retryAfter), Effect.fail(new TooManySignUps({}))),
            Full: (full) =>
              Effect.andThen(
                retryAfter(full.retryAfter),
                Effect.fail(new Unavailable({ detail: "Too many mails wait to be sent." }))
              ),
            SecretError: unsealed
          })
        )
        return { status: "confirmation_sent" as const, message: mailWords(language).accepted }
      }),
      subscribePage: Effect.fnUntraced(function* ({ query }) {
        const language = yield* languageOf(query.lang)
        return present() === undefined
          ? notConfiguredPage({ language })
          : subscribePage({ language, components: files.components() })
      }),
      subscribeForm: Effect.fnUntraced(function* ({ payload: { components = [], email = "", lang = "" }, query }) {
        const language = yield* languageOf(query.lang)
        const transport = present()
        if (transport === undefined) return notConfiguredPage({ language })
        const wished = lang === "" ? language : isOffered(lang) ? lang : undefined
        const again = (problem: SubscribeProblem, headers: Readonly<Record<string, string>> = {}) =>
          HttpServerResponse.setHeaders(
            subscribePage({
              language,
              problem,
              components: files.components(),
              typed: { email, components, lang: wished ?? language }
            }),
            headers
          )
        const [first] = problemsOf(email, components, files.components())
        if (first !== undefined) return again(first.field)
        if (wished === undefined) return again("lang")
        const { address } = yield* client
        const normalised = normaliseEmail(email)!
        return yield* signUp({ email: normalised, lang: wished, components }, address, transport).pipe(
          Effect.as(mailboxPage({ language, email: normalised, hours: linkHours })),
          orUnavailable,
          Effect.catchTags({
            TooMany: (tooMany) => Effect.succeed(again("too_many", { "retry-after": String(tooMany.retryAfter) })),
            Full: (full) => Effect.succeed(again("unavailable", { "retry-after": String(full.retryAfter) })),
            Unavailable: () => Effect.succeed(again("unavailable")),
            SecretError: (error) => Effect.as(Effect.logError(error.message), again("unavailable"))
          })
        )
      }),
      confirmPage: Effect.fnUntraced(function* ({ query: { lang, token = "" } }) {
        const language = yield* languageOf(lang)
        return isToken(token) ? confirmPage({ language, token }) : linkGonePage({ language })
      }),
      confirm: Effect.fnUntraced(function* ({ query: { lang, token = "" } }) {
        const language = yield* languageOf(lang)
        const { address } = yield* client
        const end = isToken(token) ? yield* orUnavailable(Subscribers.confirm(token, address)) : "gone"
        return end === "done" ? confirmedPage({ language }) : linkGonePage({ language })
      }),
      unsubscribePage: Effect.fnUntraced(function* ({ query: { lang, token = "" } }) {
        const language = yield* languageOf(lang)
        return isToken(token) ? unsubscribePage({ language, token }) : linkGonePage({ language })
      }),
      // Unknown tokens get the same answer, because mail programs may send the request twice.
      unsubscribe: Effect.fnUntraced(function* ({ query: { lang, token = "" } }) {
        const language = yield* languageOf(lang)
        if (!isToken(token)) return linkGonePage({ language })
        const { address } = yield* client
        yield* orUnavailable(Subscribers.unsubscribe(token, address))
        return unsubscribedPage({ language })
      })
    })
  })
)

const named = ({ at, message }: { readonly at: string; readonly message: string }): FieldProblem => ({
  field: `payload.${at}`,
  message
})

const unsealed = (error: { readonly message: string }) =>
  Effect.andThen(
    Effect.logError(error.message),
    Effect.fail(new Unavailable({ detail: "Subscriptions are not available at the moment." }))
  )
