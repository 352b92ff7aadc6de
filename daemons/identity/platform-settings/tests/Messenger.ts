/** Asks the bot API who the bot is, and sends a message when a chat is named. */
import { Duration, Effect } from "effect"
import { messengerToken, messengerUrl } from "#core/config/MessengerSettings.ts"
import { defaultBaseUrl, make as makeBot } from "#protocols/bot-api/BotApi.ts"
import { reaching } from "./Reach.ts"
import { type Found, notSet, type TestResult, timed } from "./Result.ts"
import type { Trial } from "./Trial.ts"

/** Time limit of one call. Reason: a person waits. */
const timeout = Duration.seconds(8)

const message = "Test of the settings: the messenger works. / Test der Einstellungen: Der Messenger funktioniert."

export const testMessenger = ({ value }: Trial, chatId: string | undefined): Effect.Effect<ReadonlyArray<TestResult>> =>
  Effect.gen(function* () {
    const token = value(messengerToken)
    if (token === undefined) return [yield* timed(messengerToken.name, Effect.succeed(notSet(messengerToken.name)))]
    const baseUrl = value(messengerUrl) ?? defaultBaseUrl
    const bot = makeBot({ token, baseUrl, timeout })
    const signIn = bot.getMe.pipe(
      Effect.map((me): Found => ({
        ok: true,
        text: {
          en: `The bot ${me.username ?? me.id} is signed in.`,
          de: `Der Bot ${me.username ?? me.id} ist angemeldet.`
        }
      })),
      Effect.catch((error) =>
        Effect.succeed<Found>({
          ok: false,
          text: { en: "The bot API does not accept the bot.", de: "Die Bot-API nimmt den Bot nicht an." },
          detail: error.ownWords
        })
      )
    )
    const first = yield* timed(messengerToken.name, reaching(new URL(baseUrl).hostname, signIn))
    if (chatId === undefined || !first.ok) return [first]
    const send = bot.sendMessage({ chatId: chatId.trim(), text: message }).pipe(
      Effect.as<Found>({ ok: true, text: { en: "The message is sent.", de: "Die Nachricht ist gesendet." } }),
      Effect.catch((error) =>
        Effect.succeed<Found>({
          ok: false,
          text: { en: "The message could not be sent.", de: "Die Nachricht ging nicht hinaus." },
          detail: error.ownWords
        })
      )
    )
    return [first, yield* timed(chatId, send)]
  })
