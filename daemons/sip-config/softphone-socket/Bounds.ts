/** Limits of the WebSocket proxy, and the close codes that clients receive. */
import { maxMessage } from "#protocols/sip/Message.ts"

export interface Bounds {
  /**
   * Maximum number of connections of one process. Reason: each uses two file descriptors, and the listener accepts
   * 4,096 connections in total.
   */
  readonly maxConnections: number
  /**
   * Maximum number of connections of one address (IPv6: of one /64). Reason: enough for an office behind one address.
   */
  readonly maxPerAddress: number
  /**
   * Highest frame rate of one connection, including pings and keep-alives. Unit: frames per second. Reason: a call
   * needs ten, and a busy desk has a few calls.
   */
  readonly connectionRate: number
  /** Largest burst of one connection. Unit: frames. */
  readonly connectionBurst: number
  /** Highest frame rate of all connections of one address. Unit: frames per second. */
  readonly addressRate: number
  /** Largest burst of one address. Unit: frames. Reason: after a power cut all phones of an office register at once. */
  readonly addressBurst: number
  /** Longest handshake with the switch. Unit: milliseconds. */
  readonly switchTimeout: number
  /** Deadline for a client's first message. Unit: milliseconds. Reason: RFC 7118 clients register at once. */
  readonly firstMessage: number
  /**
   * Longest time without SIP messages in both directions. Unit: milliseconds. Reason: registrations last an hour at
   * most and are renewed earlier.
   */
  readonly idle: number
  /**
   * Interval of pings; each must be answered before the next. Unit: milliseconds. Reason: reverse proxies close silent
   * connections after a minute.
   */
  readonly ping: number
  /**
   * Maximum unsent data for one side before reading from the other side stops. Unit: bytes. Reason: holds a few of the
   * longest messages.
   */
  readonly unsent: number
  /**
   * Longest time with too much unsent data before the connection is closed. Unit: milliseconds. Reason: SIP
   * transactions end after 32 s (RFC 3261 §17, 64*T1).
   */
  readonly slow: number
}

export const bounds: Bounds = {
  maxConnections: 1_000,
  maxPerAddress: 50,
  connectionRate: 20,
  connectionBurst: 60,
  addressRate: 100,
  addressBurst: 500,
  switchTimeout: 5_000,
  firstMessage: 30_000,
  idle: 70 * 60_000,
  ping: 25_000,
  unsent: 4 * maxMessage,
  slow: 30_000
}

/** Interval of checks of all connections. Unit: milliseconds. */
export const lookEvery = 1_000

/** Longest closing handshake. Unit: milliseconds. */
export const farewellTime = 2_000

/** Close codes and reasons. The WebSocket library itself also uses 1002, 1007 and 1009 (RFC 6455 §7.4.1). */
export const closing = {
  goingAway: [1001, "the server stops; reconnect"],
  switchAway: [1013, "the switch is unavailable; try again later"],
  badMessage: [4400, "not exactly one complete SIP message"],
  idle: [4408, "no message for too long"],
  slow: [4413, "the client reads too slowly"],
  overRate: [4429, "too many messages"]
} as const satisfies Readonly<Record<string, readonly [number, string]>>
export type Closing = keyof typeof closing
