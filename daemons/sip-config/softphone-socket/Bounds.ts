/** The bounds on SIP over WebSocket, and the codes a client is closed with. */
import { maxMessage } from "#protocols/sip/Message.ts"

export interface Bounds {
  /**
   * Connections of one process. Reason: each takes two descriptors, and the listener takes 4,096 connections in all.
   */
  readonly maxConnections: number
  /** Connections of one address (of IPv6: of one /64). Reason: an office behind one address. */
  readonly maxPerAddress: number
  /**
   * Frames a connection may send, pings and keep-alives counted. Unit: frames a second. Reason: a call needs ten, a
   * busy desk a few calls.
   */
  readonly connectionRate: number
  /** The same in one burst. Unit: frames. */
  readonly connectionBurst: number
  /** Frames of all connections of one address. Unit: frames a second. */
  readonly addressRate: number
  /** The same in one burst. Unit: frames. Reason: an office that comes back after a power cut registers all at once. */
  readonly addressBurst: number
  /** How long the switch may take for the handshake. Unit: milliseconds. */
  readonly switchTimeout: number
  /** By when a client has sent its first message. Unit: milliseconds. Reason: RFC 7118 clients register at once. */
  readonly firstMessage: number
  /**
   * Without any SIP message either way. Unit: milliseconds. Reason: registrations last an hour at most and are renewed
   * before.
   */
  readonly idle: number
  /**
   * Between two pings, each of which must be answered before the next one. Unit: milliseconds. Reason: reverse proxies
   * close after a minute of silence.
   */
  readonly ping: number
  /**
   * What may lie unsent for one side before the other one is read no further. Unit: bytes. Reason: a handful of the
   * longest messages.
   */
  readonly unsent: number
  /**
   * How long a side may leave that so. Unit: milliseconds. Reason: a SIP transaction is given up after 32 s (RFC 3261
   * §17, 64*T1).
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

/** How often all connections are looked at. Unit: milliseconds. */
export const lookEvery = 1_000

/** How long a closing handshake may take. Unit: milliseconds. */
export const farewellTime = 2_000

/** Why a client is closed, beyond what the WebSocket library says by itself (1002, 1007, 1009: RFC 6455 §7.4.1). */
export const closing = {
  goingAway: [1001, "the server stops; connect again"],
  switchAway: [1013, "the switch is away; try again later"],
  badMessage: [4400, "not one whole SIP message"],
  idle: [4408, "nothing was said for too long"],
  slow: [4413, "the client reads too slowly"],
  overRate: [4429, "too many messages"]
} as const satisfies Readonly<Record<string, readonly [number, string]>>
export type Closing = keyof typeof closing
