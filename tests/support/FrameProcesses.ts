/** Starts processes of FrameProcess.ts over one database. */
import { Effect, type Scope } from "effect"
import { temporaryDirectory } from "./Postgres.ts"
import { type Running, runSupport } from "./Processes.ts"

/**
 * Starts one process of the fleet and waits until it is ready. The end of the scope kills it. `variables`: see
 * FrameProcess.
 */
export const startProcess = (
  url: string,
  variables: Readonly<Record<string, string>>
): Effect.Effect<Running & { readonly pid: number; readonly base: string }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory()
    const env = { DATABASE_URL: url, SIGNALBOX_DATA_DIR: dataDir, ...variables }
    const running = yield* runSupport(
      "./FrameProcess.ts",
      [],
      ["env", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
    )
    const { base, pid } = yield* running.said
    return { ...running, pid, base: base! }
  })
