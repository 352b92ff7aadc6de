/** What the other sides take, as their operators say it. */
import type { Limit } from "./RateLimit.ts"

/** Unit: milliseconds on top of every window. Reason: what leaves a second apart may arrive a little closer. */
const slack = 100

/** Unit: messages a second and bot, over all chats. Source: Bot API FAQ, "broadcasting to users": about 30 a second. */
export const messagesPerSecond = 30

/**
 * Unit: messages a second and chat. Reason: no limit of its own. The API asks for one a second and lets short bursts pass;
 * alarms come in bursts, so it is left to its 429, whose pause is then kept for that chat alone.
 */
export const messagesPerChatSecond = 20

/** Unit: requests a second and host. Reason: a storm of alarms must pass; this bounds a loop that went wild. */
export const webhooksPerHostSecond = 1_000

/** The widest last: its turn is the one that comes soonest. `perSecond`: of all chats together. */
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

/** Scheme, host and port: what one server answers for. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""

/** Unit: calls begun a second and SIP gateway. Reason: alarm calls go one after another; this bounds a loop that went wild. */
export const callsPerSecond = 5

export const callLimits = (gateway: string): ReadonlyArray<Limit> => [
  { key: `gateway ${gateway}`, most: callsPerSecond, window: 1_000 }
]
