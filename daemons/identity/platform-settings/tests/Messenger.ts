/** Asks the bot API who the bot is, and sends a message when a chat is named. */
import { Duration, Effect } from "effect"
import { messengerToken, messengerUrl } from "#core/config/MessengerSettings.ts"
import { defaultBaseUrl, make as makeBot } from "#protocols/bot-api/BotApi.ts"
import { reaching } from "./Reach.ts"
import { type Found, notSet, type TestResult, timed } from "./Result.ts"
import { said, words } from "./Texts.ts"
import type { Trial } from "./Trial.ts"

/** Time limit of one call. Reason: a person waits. */
const timeout = Duration.seconds(8)

const message = () => `${words("en").message} / ${words("de").message}`

export const testMessenger = ({ value }: Trial, chatId: string | undefined): Effect.Effect<ReadonlyArray<TestResult>> =>
  Effect.gen(function* () {
    const token = value(messengerToken)
    if (token === undefined) return [yield* timed(messengerToken.name, Effect.succeed(notSet(messengerToken.name)))]
    const baseUrl = value(messengerUrl) ?? defaultBaseUrl
    const bot = makeBot({ token, baseUrl, timeout })
    const signIn = bot.getMe.pipe(
      Effect.map((me): Found => ({ ok: true, text: said((t) => t.botSignedIn({ name: me.username ?? me.id })) })),
      Effect.catch((error) =>
        Effect.succeed<Found>({ ok: false, text: said((t) => t.botRefused), detail: error.ownWords })
      )
    )
    const first = yield* timed(messengerToken.name, reaching(new URL(baseUrl).hostname, signIn))
    if (chatId === undefined || !first.ok) return [first]
    const send = bot.sendMessage({ chatId: chatId.trim(), text: message() }).pipe(
      Effect.as<Found>({ ok: true, text: said((t) => t.messageSent) }),
      Effect.catch((error) =>
        Effect.succeed<Found>({ ok: false, text: said((t) => t.messageFailed), detail: error.ownWords })
      )
    )
    return [first, yield* timed(chatId, send)]
  })
