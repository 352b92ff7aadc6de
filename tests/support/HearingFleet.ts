/** Two processes that consume events. A killed process is replaced, so that there are always two. */
import { Cause, Effect, type Scope } from "effect"
import { startProcess } from "./FrameProcesses.ts"
import { consumerName } from "./ProbeTables.ts"
import { untilWithin, within } from "./Within.ts"

type Process = Effect.Success<ReturnType<typeof startProcess>>

/** The fields of a `/health` answer that tests read. */
export interface Health {
  readonly components: { readonly database: { readonly status: string; readonly detail?: string } }
  readonly oldest_transaction_s: number | null
  readonly actors: ReadonlyArray<{ readonly name: string; readonly state: string }>
}

export interface HearingFleet {
  /** Answer of `/health` from any process. */
  readonly health: Effect.Effect<Health>
  /** Waits until both processes run, then kills the event consumer with SIGKILL. Returns its process id. */
  readonly killReader: Effect.Effect<number, never, Scope.Scope>
}

/**
 * Longest time until a process is ready and its actor is placed. Unit: seconds. Reason: each takes up to 10 s, and the
 * machine may be loaded.
 */
export const patience = 40

/** Longest time of a `/health` answer. Unit: seconds. Reason: `/health` itself waits up to 2 s for the database. */
const answerWithin = 10

/** Starts both processes and returns when they are started. */
export const hearingFleet = (url: string): Effect.Effect<HearingFleet, never, Scope.Scope> =>
  Effect.gen(function* () {
    const processes = new Map<number, Process>()
    let failure: string | undefined
    const begin = startProcess(url, { PROBE_EVENTS: "1" }).pipe(
      Effect.map((process) => void processes.set(process.pid, process)),
      Effect.catchCause((cause) => Effect.sync(() => void (failure ??= Cause.pretty(cause))))
    )
    const two = untilWithin(
      patience,
      "two processes are ready",
      Effect.suspend(() =>
        failure === undefined
          ? Effect.succeed(processes.size >= 2)
          : Effect.die(new Error(`a process did not start: ${failure}`))
      )
    )

    const healthOf = ({ base, pid }: Process) =>
      within(
        answerWithin,
        `process ${pid} answers /health`,
        Effect.promise(async (signal) => (await (await fetch(`${base}/health`, { signal })).json()) as Health)
      )
    const reader = Effect.gen(function* () {
      for (const process of processes.values()) {
        const { actors } = yield* healthOf(process)
        if (actors.some(({ name, state }) => name === `events ${consumerName}` && state === "running")) return process
      }
      return undefined
    })
    const killReader = Effect.gen(function* () {
      yield* two
      let found: Process | undefined
      yield* untilWithin(
        patience,
        "one of two processes has the consumer",
        Effect.map(reader, (process) => (found = process) !== undefined)
      )
      const victim = found!
      processes.delete(victim.pid)
      yield* within(answerWithin, `process ${victim.pid} is gone after SIGKILL`, victim.kill("SIGKILL"))
      yield* Effect.forkScoped(begin)
      return victim.pid
    })
    yield* Effect.forkScoped(begin)
    yield* Effect.forkScoped(begin)
    yield* two
    return { health: Effect.suspend(() => healthOf([...processes.values()][0]!)), killReader }
  })
