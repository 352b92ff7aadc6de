/** Two processes that hear events, kept at two: who is killed is followed by another. */
import { Cause, Effect, type Scope } from "effect"
import { startProcess } from "./FrameProcesses.ts"
import { consumerName } from "./ProbeTables.ts"
import { untilWithin, within } from "./Within.ts"

type Process = Effect.Success<ReturnType<typeof startProcess>>

/** What `/health` says, as far as it is read here. */
export interface Health {
  readonly components: { readonly database: { readonly status: string; readonly detail?: string } }
  readonly oldest_transaction_s: number | null
  readonly actors: ReadonlyArray<{ readonly name: string; readonly state: string }>
}

export interface HearingFleet {
  /** Of any one of them. */
  readonly health: Effect.Effect<Health>
  /** SIGKILL to the one that hears, once both are there; answers who it was. */
  readonly killReader: Effect.Effect<number, never, Scope.Scope>
}

/**
 * How long a process may take to be ready, and an actor to be placed. Unit: seconds. Reason: 10 and 10 by themselves,
 * on a machine that is busy.
 */
export const patience = 40

/** How long an answer of `/health` may take. Unit: seconds. Reason: it waits for the database for 2. */
const answerWithin = 10

/** Both have started when this answers. */
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
