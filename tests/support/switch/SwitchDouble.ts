import { Effect, type Scope } from "effect"
import type { Callee } from "./Callee.ts"
import { Switch } from "./Switch.ts"

export interface SwitchDoubleOptions {
  /** Default `test-password`. */
  readonly password?: string
  /** Default a free one; kept over `restart`. */
  readonly port?: number
  /** Gateways and whether they are up. Default `{ trunk: "up" }`. Others are unknown. */
  readonly gateways?: Readonly<Record<string, "up" | "down">>
  /** Who is behind a number; `nth`: how often it was dialled before (0, 1, …). Default `answers`. */
  readonly callee?: (number: string, nth: number) => Callee
  /** Real milliseconds that one of the switch's takes. Default 0.02: a second of audio is 20 ms. */
  readonly timeScale?: number
  /**
   * Length of a file in the switch's milliseconds, undefined when it is missing. Default: a WAV file's own length,
   * 2,000 for an address (`http://…`), and missing for everything else.
   */
  readonly audioMs?: (path: string) => number | undefined
  /** Calls at once; more fail with DESTINATION_OUT_OF_ORDER. Default no limit. */
  readonly maxSessions?: number
  /** Answers `bgapi` so late (the switch's milliseconds), so that the event of a quick job overtakes it. Default 0. */
  readonly bgapiReplyAfterMs?: number
}

/** One call. Times are epoch milliseconds of this machine. */
export interface DoubleCall {
  readonly uuid: string
  /** As dialled. */
  readonly number: string
  /** The gateway, or the profile where a profile was dialled. */
  readonly gateway: string
  /** Channel variables of the originate. */
  readonly variables: Readonly<Record<string, string>>
  readonly started: number
  readonly answered: number | undefined
  readonly ended: number | undefined
  /** Hang-up cause, once ended. */
  readonly cause: string | undefined
  /** Audio played to the callee in all, the switch's milliseconds, without pauses. */
  readonly heardMs: number
  /** Files played to their end, in order. */
  readonly heard: ReadonlyArray<string>
  /** Calls that existed when this one began, itself included. */
  readonly overlapping: number
}

/** A telephone switch's event socket and the people it calls. See README.md for what it was checked against. */
export interface SwitchDoubleShape {
  readonly port: number
  readonly password: string
  /** Every call that got a channel, in the order of their start. */
  readonly calls: ReadonlyArray<DoubleCall>
  /** The most calls that existed at one time. */
  readonly mostAtOnce: number
  /** Every command that arrived (`api status`, `bgapi originate …`), never the password. */
  readonly commands: ReadonlyArray<string>
  /** Clients that are authenticated now. */
  readonly clients: number
  /** The switch dies: connections cut, port closed, calls over. */
  readonly kill: Effect.Effect<void>
  /** Up again after `kill`, on the same port, with no calls. */
  readonly restart: Effect.Effect<void>
  /** Half-open: accepts and reads, answers nothing, closes nothing. Calls go on. */
  readonly pause: Effect.Effect<void>
  /** Answers again, on new connections; the old ones are reset. */
  readonly resume: Effect.Effect<void>
  /** Closes every connection with a notice; calls go on, the port stays open. */
  readonly disconnect: Effect.Effect<void>
  /** Whether this address passes the ACL. */
  readonly admit: (admitted: boolean) => Effect.Effect<void>
  readonly gateway: (name: string, state: "up" | "down" | "unknown") => Effect.Effect<void>
  /** A callee presses a key now. */
  readonly press: (uuid: string, digit: string) => Effect.Effect<void>
  /** Channels that exist beside `calls`, for `uuid_exists`. */
  readonly existing: Set<string>
  /**
   * Tells an event of the test's own, now: of a call that comes in, of a registration (CUSTOM with its Event-Subclass).
   */
  readonly say: (name: string, headers: Readonly<Record<string, string>>) => Effect.Effect<void>
  /** Hangs a call up now, as the callee (`NORMAL_CLEARING`) or with another cause. */
  readonly hangUp: (uuid: string, cause?: string) => Effect.Effect<void>
}

export const SwitchDouble = {
  /** Listening on 127.0.0.1 until the scope ends. */
  make: (options: SwitchDoubleOptions = {}): Effect.Effect<SwitchDoubleShape, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const double = new Switch(options)
        await double.listen()
        return double
      }),
      (double) => Effect.promise(() => double.die())
    )
}
