/** Rate limits of the other sides, as their operators state them. */
import type { Limit } from "./RateLimit.ts"

/** Added to every window. Unit: milliseconds. Reason: messages sent a second apart may arrive closer together. */
const slack = 100

/** Messages per second of one bot, over all chats. Source: Bot API FAQ, "broadcasting to users": about 30 a second. */
export const messagesPerSecond = 30

/**
 * Messages per second to one chat. Reason: the API asks for one a second but accepts short bursts, and alarms come in
 * bursts. A 429 of the API sets the pause of that chat.
 */
export const messagesPerChatSecond = 20

/** Requests per second to one host. Reason: a storm of alarms must pass; this bounds a runaway loop. */
export const webhooksPerHostSecond = 1_000

/** The widest limit comes last, because its turn comes soonest. `perSecond`: of all chats together. */
export const messengerLimits =
  (perSecond: number = messagesPerSecond) =>
  (chatId: string): ReadonlyArray<Limit> => [
    { key: `chat ${chatId}`, most: messagesPerChatSecond, window: 1_000 + slack },
    { key: "messenger", most: perSecond, window: 1_000 + slack }
  ]

/** `perSecond`: default `webhooksPerHostSecond`. */
export const webhookLimits =
  (perSecond: number = webhooksPerHostSecond) =>
  (url: string): ReadonlyArray<Limit> => [{ key: originOf(url), most: perSecond, window: 1_000 }]

/** Scheme, host and port: one server. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""

/**
 * Calls begun per second over one SIP gateway. Reason: alarm calls run one after another; this bounds a runaway loop.
 */
export const callsPerSecond = 5

export const callLimits = (gateway: string): ReadonlyArray<Limit> => [
  { key: `gateway ${gateway}`, most: callsPerSecond, window: 1_000 }
]
