/** Limits of what the channels send: rates as the other sides state them, and pauses while a channel is away. */
import { Duration } from "effect"
import type { BreakerPolicy } from "#core/limits/Breaker.ts"
import type { OutboundPolicy } from "#core/limits/OutboundHost.ts"
import type { Rate } from "#core/limits/TurnLimiter.ts"

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
  (chatId: string): ReadonlyArray<Rate> => [
    { key: `chat ${chatId}`, most: messagesPerChatSecond, window: 1_000 + slack },
    { key: "messenger", most: perSecond, window: 1_000 + slack }
  ]

/** `perSecond`: default `webhooksPerHostSecond`. */
export const webhookLimits =
  (perSecond: number = webhooksPerHostSecond) =>
  (url: string): ReadonlyArray<Rate> => [{ key: originOf(url), most: perSecond, window: 1_000 }]

/** Scheme, host and port: one server. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""

/**
 * Calls begun per second by one tenant over one SIP gateway. Reason: alarm calls run one after another; this bounds a
 * runaway loop.
 */
export const callsPerSecond = 5

/** Target of the call throttle: a tenant's calls on one gateway. The rate is each tenant's own. */
export const callLine = (gateway: string, tenantId: number): string => `${gateway} ${tenantId}`

export const callLimits = (line: string): ReadonlyArray<Rate> => [
  { key: `gateway ${line}`, most: callsPerSecond, window: 1_000 }
]

/** Consecutive faults that open a breaker. Reason: the retries of a target bridge one or two faults. */
export const faultsToOpen = 5

/** For a channel: an alarm is sent at most half a minute after the channel is back. */
export const channelBreaker: BreakerPolicy = {
  faultsToOpen,
  pause: { name: "channel probe", base: Duration.seconds(2), max: Duration.seconds(30), jitter: 0.2 }
}

/** For one host: below the last quick repeat (10 s), so that a target without RETRY is dialled before it fails. */
export const hostBreaker: BreakerPolicy = {
  faultsToOpen,
  pause: { name: "host probe", base: Duration.seconds(1), max: Duration.seconds(8), jitter: 0.2 }
}

/** One bot API, one breaker. `perSecond`: messages to all chats together. */
export const messengerPolicy = (perSecond?: number): OutboundPolicy => ({
  name: "the messenger",
  rates: messengerLimits(perSecond),
  breaker: { ...channelBreaker, key: () => "messenger" }
})

/** Each host has its own breaker and rate. `perSecond`: per host. */
export const webhookPolicy = (perSecond?: number): OutboundPolicy => ({
  name: "the host",
  rates: webhookLimits(perSecond),
  breaker: { ...hostBreaker, key: originOf }
})

/** The target is a `callLine`. An outage concerns one gateway, or the switch behind all. */
export const callPolicy: OutboundPolicy = {
  name: "the telephone",
  rates: callLimits,
  breaker: { ...channelBreaker, key: (line) => line.split(" ", 1)[0]! }
}
