/**
 * Sends notifications with `systemd-notify`, one short process per message. A process takes about 10 ms, and the
 * watchdog needs one every ten seconds. Node cannot open unix datagram sockets: node:dgram is UDP only, node:net has
 * streams only. The message therefore comes from a child process, and the unit needs NotifyAccess=all. systemd-notify
 * 246 and newer exits only after systemd has received the message. Its process therefore still exists when systemd
 * looks up the sender's unit.
 *
 * The library sd-notify 2.8.0 is a native module: each installation would have to compile it against libsystemd. This
 * folder has 480 lines without native code.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { formatSocket, type NotifySocket } from "./Environment.ts"
import { encode, type State } from "./State.ts"
import { HelperFailed, HelperMissing, HelperTimedOut, SystemdError } from "./SystemdError.ts"

export interface HelperOptions {
  /** Program to run, searched on `path`. */
  readonly program?: string
  /** Search path for the program. */
  readonly path?: string
  /** Longest run of the program. Unit: milliseconds. Default `helperTimeoutMillis`. */
  readonly timeoutMillis?: number
}

/**
 * Longest run of the helper. Unit: milliseconds. Reason: systemd-notify waits at most 5 s for systemd, so this limit
 * only ends a helper that hangs.
 */
export const helperTimeoutMillis = 6_000

/** Longest standard error output kept for the error's detail. Unit: bytes. */
const maxOutputBytes = 4_096

/** Sends the states as one message and completes when systemd has received it. Interruption kills the helper. */
export const send = (
  socket: NotifySocket,
  states: ReadonlyArray<State>,
  options: HelperOptions = {}
): Effect.Effect<void, SystemdError> =>
  Effect.callback<void, SystemdError>((resume) => {
    const timeout = options.timeoutMillis ?? helperTimeoutMillis
    const child = execFile(
      options.program ?? "systemd-notify",
      states.map(encode),
      {
        // The child gets only these variables, because the service's own environment holds secrets.
        env: { PATH: options.path ?? "/usr/bin:/bin", NOTIFY_SOCKET: formatSocket(socket) },
        cwd: "/",
        timeout,
        killSignal: "SIGKILL",
        maxBuffer: maxOutputBytes
      },
      (error, _stdout, stderr) => {
        if (error === null) return resume(Effect.void)
        resume(Effect.fail(new SystemdError({ reason: reasonOf(error, stderr, timeout) })))
      }
    )
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

const reasonOf = (
  error: Error & { code?: string | number | null; killed?: boolean },
  stderr: string,
  timeout: number
) => {
  if (error.code === "ENOENT") return new HelperMissing({ detail: error.message })
  if (error.killed === true) return new HelperTimedOut({ milliseconds: timeout })
  return new HelperFailed({ detail: stderr.trim() === "" ? error.message : stderr.trim() })
}
