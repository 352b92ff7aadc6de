import { Effect, type Scope } from "effect"
import type { Callee } from "./Callee.ts"
import type { Sofia } from "./Sofia.ts"
import { Switch } from "./Switch.ts"

export interface SwitchDoubleOptions {
  /** Default `test-password`. */
  readonly password?: string
  /** Default: a free port. `restart` keeps the port. */
  readonly port?: number
  /** Gateways and whether they are up. Default `{ trunk: "up" }`. Others are unknown. */
  readonly gateways?: Readonly<Record<string, "up" | "down">>
  /** Behaviour behind a number; `nth`: number of earlier calls to it (0, 1, …). Default `answers`. */
  readonly callee?: (number: string, nth: number) => Callee
  /** Real milliseconds per millisecond of the switch. Default 0.02: a second of audio takes 20 ms. */
  readonly timeScale?: number
  /**
   * Length of a file in milliseconds of the switch; undefined: the file is missing. Default: the real length of a WAV
   * file, 2,000 for an address (`http://…`), and missing for everything else.
   */
  readonly audioMs?: (path: string) => number | undefined
  /** Largest number of concurrent calls; more fail with DESTINATION_OUT_OF_ORDER. Default: no limit. */
  readonly maxSessions?: number
  /**
   * Delay of `bgapi` answers, in milliseconds of the switch. With a delay, the event of a fast job precedes the answer.
   * Default 0.
   */
  readonly bgapiReplyAfterMs?: number
}

/** One call. Times are epoch milliseconds of this machine. */
export interface DoubleCall {
  readonly uuid: string
  /** The dialled number. */
  readonly number: string
  /** The dialled gateway, or the profile when a profile was dialled. */
  readonly gateway: string
  /** Channel variables of the originate. */
  readonly variables: Readonly<Record<string, string>>
  readonly started: number
  readonly answered: number | undefined
  readonly ended: number | undefined
  /** Hangup cause, after the end. */
  readonly cause: string | undefined
  /** Total audio played to the callee, in milliseconds of the switch, without pauses. */
  readonly heardMs: number
  /** Files played to the end, in order. */
  readonly heard: ReadonlyArray<string>
  /** Number of concurrent calls when this one began, itself included. */
  readonly overlapping: number
}

/**
 * Double of a telephone switch's event socket and of the people it calls. README.md lists what it was checked against.
 */
export interface SwitchDoubleShape {
  readonly port: number
  readonly password: string
  /** All calls that got a channel, by start. */
  readonly calls: ReadonlyArray<DoubleCall>
  /** Largest number of concurrent calls. */
  readonly mostAtOnce: number
  /** Received commands (`api status`, `bgapi originate …`), without the password. */
  readonly commands: ReadonlyArray<string>
  /** Number of authenticated clients. */
  readonly clients: number
  /** Simulates a crash of the switch: connections cut, port closed, calls ended. */
  readonly kill: Effect.Effect<void>
  /** Starts again after `kill`, on the same port, without calls. */
  readonly restart: Effect.Effect<void>
  /** Half-open: accepts connections and reads, but answers and closes nothing. Calls continue. */
  readonly pause: Effect.Effect<void>
  /** Answers again on new connections; resets the old ones. */
  readonly resume: Effect.Effect<void>
  /** Closes every connection with a notice. Calls continue, and the port stays open. */
  readonly disconnect: Effect.Effect<void>
  /** Sets whether the client address passes the ACL. */
  readonly admit: (admitted: boolean) => Effect.Effect<void>
  readonly gateway: (name: string, state: "up" | "down" | "unknown") => Effect.Effect<void>
  /** Simulates a key press of the callee. */
  readonly press: (uuid: string, digit: string) => Effect.Effect<void>
  /** Channels in addition to `calls`, for `uuid_exists`. */
  readonly existing: Set<string>
  /** Profiles of the SIP module: at first those of the switch's own files; and the settings that a restart reads. */
  readonly sofia: Sofia
  /**
   * Sends an event that a test defines, for example of an incoming call or of a registration (CUSTOM with its
   * Event-Subclass).
   */
  readonly say: (name: string, headers: Readonly<Record<string, string>>) => Effect.Effect<void>
  /** Ends a call, as the callee (`NORMAL_CLEARING`) or with a different cause. */
  readonly hangUp: (uuid: string, cause?: string) => Effect.Effect<void>
}

export const SwitchDouble = {
  /** Starts a double on 127.0.0.1; ends with the scope. */
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
