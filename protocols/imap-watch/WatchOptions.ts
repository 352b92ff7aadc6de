/** Options of a watch, and the limits that apply unless an option overrides them. */
import { Duration } from "effect"
import type { Login } from "./Credentials.ts"
import type { WireOptions } from "./Wire.ts"

export interface WatchOptions extends Omit<WireOptions, "port"> {
  /** Default `defaultPort`. */
  readonly port?: number
  readonly login: Login
  /** Folder for IDLE. Default INBOX. */
  readonly folder?: string
  /** Limit for connect, TLS and greeting together. Default `connectTimeout`. */
  readonly connectTimeout?: Duration.Duration
  /** Limit for the answer to each command. Default `stepTimeout`. */
  readonly stepTimeout?: Duration.Duration
  /** Limit for a scan of all folders. Default `lookTimeout`. */
  readonly lookTimeout?: Duration.Duration
  /** Interval between scans of all folders. Default: the `lookEvery` of the mode. */
  readonly lookEvery?: Duration.Duration
  /** Modes that the owner excludes. Default none. */
  readonly without?: ReadonlyArray<"notify" | "idle">
}

export type Mode = "notify" | "idle" | "poll"

/** Port for IMAP with TLS from the first byte. Source: RFC 8314 §3.2. */
export const defaultPort = 993

/** Limit for connect, TLS and greeting. Reason: the greeting takes a second; three lost TCP handshakes take 7 s. */
export const connectTimeout = Duration.seconds(15)

/** Limit for the answer to a command. Reason: a login may take 5 s, or 15 s with a penalty for failed logins. */
export const stepTimeout = Duration.seconds(30)

/** Longest duration of one IDLE. Source: RFC 2177 §3, re-issue at least every 29 minutes. */
export const idleRenewal = Duration.minutes(28)

/**
 * Interval between scans of all folders. Reason: in `idle` and `poll` mode only scans find changes in other folders; in
 * `notify` mode Dovecot does not report a renamed folder. Each scan also shows that the server still answers.
 */
export const lookEvery: Readonly<Record<Mode, Duration.Duration>> = {
  notify: Duration.minutes(5),
  idle: Duration.seconds(60),
  poll: Duration.seconds(60)
}

/**
 * Limit for one scan of all folders. Reason: without LIST-STATUS each folder needs a command. A slow server with 1,000
 * folders needs a minute; answers that each arrive just before their timeout would take days.
 */
export const lookTimeout = Duration.minutes(10)
