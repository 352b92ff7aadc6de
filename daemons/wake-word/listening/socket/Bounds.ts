/** Limits of the audio socket, and the close codes that clients receive. */
import { sampleRate } from "#protocols/wake-word/Shape.ts"

/** Bytes of a second of audio: Int16. */
const nominalRate = sampleRate * 2

export interface Bounds {
  /** Maximum number of connections of one process. */
  readonly maxConnections: number
  /** Maximum number of connections of one tenant in one process. */
  readonly maxPerTenant: number
  /** Maximum number of connections of one address (IPv6: of one /64) without ticket. */
  readonly maxPerAddress: number
  /** Highest rate of one connection. Unit: bytes a second. Reason: clocks differ, and a stall is caught up. */
  readonly rate: number
  /** Largest burst of one connection. Unit: bytes. Reason: 10 s, as after a stall of a wireless network. */
  readonly burst: number
  /** Longest message. Unit: bytes. */
  readonly maxMessage: number
  /** Longest time without a computed step while steps wait. Unit: milliseconds. Reason: a later wake is of no use. */
  readonly patience: number
  /** The same until the first step. Unit: milliseconds. Reason: the thread may have to start and load the networks. */
  readonly firstPatience: number
  /** Longest time without audio. Unit: milliseconds. Reason: an open microphone sends all the time. */
  readonly idle: number
  /** Interval of pings. Unit: milliseconds. Reason: reverse proxies close silent connections after a minute. */
  readonly ping: number
  /** Maximum unsent data of one connection. Unit: bytes. Reason: answers are short, so the client does not read. */
  readonly unsent: number
}

export const bounds: Omit<Bounds, "maxConnections" | "maxPerTenant"> = {
  maxPerAddress: 20,
  rate: nominalRate * 1.5,
  burst: nominalRate * 10,
  maxMessage: 64_000,
  patience: 4_000,
  firstPatience: 15_000,
  idle: 30_000,
  ping: 15_000,
  unsent: 64 * 1024
}

/** Interval of checks of all connections. Unit: milliseconds. */
export const lookEvery = 500

/** Longest closing handshake. Unit: milliseconds. */
export const farewellTime = 2_000

/** Close codes and reasons. The WebSocket library itself uses 1009 for messages that are too long, 1002 and 1007. */
export const closing = {
  goingAway: [1001, "the server stops; reconnect"],
  text: [1003, "this socket takes binary audio only"],
  broken: [1011, "the model cannot be used here; use another recognition"],
  full: [1013, "too many connections; try again later"],
  late: [1013, "the audio cannot be served in time; try again later"],
  noModel: [1013, "no model is active"],
  idle: [4408, "no audio for too long"],
  slow: [4413, "the client does not read"],
  overRate: [4429, "more audio than real time"]
} as const satisfies Readonly<Record<string, readonly [number, string]>>
export type Closing = keyof typeof closing
