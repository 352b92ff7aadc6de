/** Checks whether a TCP connection can be established. Sends and reads nothing. */
import { Duration, Effect } from "effect"
import { connect } from "node:net"
import { codeOf, finding, outcomeOf } from "./Finding.ts"
import type { ProbeResult } from "./ProbeResult.ts"

export const probe = (
  { host, port }: { readonly host: string; readonly port: number },
  timeout: Duration.Duration
): Effect.Effect<ProbeResult> =>
  Effect.callback<ProbeResult>((resume) => {
    const socket = connect({ host, port })
    socket.once("connect", () => {
      resume(Effect.succeed(finding("tcp", "up", "connected", { code: "connected", values: {} })))
      socket.destroy()
    })
    socket.on("error", (problem) => {
      const error = codeOf(problem)
      const found = { code: "no_connection", values: { error } } as const
      resume(Effect.succeed(finding("tcp", outcomeOf(error), `no connection: ${error}`, found)))
    })
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => {
        const milliseconds = Duration.toMillis(timeout)
        const found = { code: "no_connection_in_time", values: { milliseconds } } as const
        return Effect.succeed(finding("tcp", "down", `no connection within ${milliseconds} ms`, found))
      }
    })
  )
