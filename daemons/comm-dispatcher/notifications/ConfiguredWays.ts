/**
 * Channels that this installation can send by at this moment: mail needs a relay, messages need a bot, pushes need
 * nothing.
 */
import { Effect } from "effect"
import { MessengerBot } from "../channels/Exports.ts"
import type { Ways } from "./CreateNotification.ts"
import { MailWay } from "./mail/MailRoute.ts"

export const configuredWays: Effect.Effect<() => Ways, never, MailWay | MessengerBot> = Effect.gen(function* () {
  const { way } = yield* MailWay
  const { api } = yield* MessengerBot
  return () => ({ email: way() !== undefined, messenger: api() !== undefined, browser: true })
})
