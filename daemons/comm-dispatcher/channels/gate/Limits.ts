/** What the other sides take, as their operators say it. */
import type { Limit } from "./RateLimit.ts"

/** Unit: milliseconds on top of every window. Reason: what leaves a second apart may arrive a little closer. */
const slack = 100

/** Unit: messages a second and bot, over all chats. Source: Bot API FAQ, "broadcasting to users": about 30 a second. */
export const messagesPerSecond = 30

/** Unit: messages a second and chat. Source: Bot API FAQ, "my bot is hitting limits": not more than one. */
export const messagesPerChatSecond = 1

/** Unit: messages a minute and group. Source: as above, not more than 20. */
export const messagesPerGroupMinute = 20

/** Unit: requests a second and host. Reason: far above what receivers of alarms see, below what looks like an attack on them. */
export const webhooksPerHostSecond = 50

/** Ids of groups, supergroups and channels are negative; a public `@name` belongs to one of them as well. */
const isGroup = (chatId: string): boolean => /^[-@]/.test(chatId)

/** The widest last: its turn is the one that comes soonest. */
export const messengerLimits = (chatId: string): ReadonlyArray<Limit> => [
  { key: `chat ${chatId}`, most: messagesPerChatSecond, window: 1_000 + slack },
  ...(isGroup(chatId) ? [{ key: `group ${chatId}`, most: messagesPerGroupMinute, window: 60_000 + slack }] : []),
  { key: "messenger", most: messagesPerSecond, window: 1_000 + slack }
]

/** `perSecond`: default `webhooksPerHostSecond`. */
export const webhookLimits = (perSecond: number = webhooksPerHostSecond) => (url: string): ReadonlyArray<Limit> => [
  { key: originOf(url), most: perSecond, window: 1_000 }
]

/** Scheme, host and port: what one server answers for. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""
