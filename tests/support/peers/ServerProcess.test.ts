import { it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { poll, scratchFolder } from "./Loopback.ts"
import * as ServerProcess from "./ServerProcess.ts"

const options = (script: string): ServerProcess.ServerOptions => ({
  peer: "sleeper",
  command: "/bin/sh",
  args: ["-c", script],
  cwd: "/",
  isReady: async () => true,
  log: () => ""
})

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const gone = (pid: number) => poll(async () => (alive(pid) ? undefined : true), 10_000)

describe("ServerProcess", () => {
  it.live("starts once, stops, starts again, and is gone with the scope together with its children", () =>
    Effect.gen(function* () {
      const pids: Array<number> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          const folder = yield* scratchFolder("sleeper")
          // The child process ignores SIGTERM and would survive a stop of its parent.
          const server = yield* ServerProcess.make({
            ...options("trap '' TERM; sleep 1000 & trap - TERM; touch ready; wait"),
            cwd: folder,
            isReady: async () => existsSync(`${folder}/ready`)
          })
          pids.push(server.pid() ?? 0)
          yield* server.start
          expect(server.pid()).toBe(pids[0])
          yield* server.stop
          expect(server.pid()).toBeUndefined()
          yield* server.restart
          pids.push(server.pid() ?? 0)
        })
      )
      expect(pids[0]).not.toBe(pids[1])
      expect(pids.map((pid) => alive(pid))).toEqual([false, false])
      // Both process groups are empty.
      for (const pid of pids) expect(yield* Effect.promise(() => gone(-pid))).toBe(true)
    })
  )

  it.live("says why when the server ends at once", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.scoped(ServerProcess.make({ ...options("echo no such option >&2; exit 3"), isReady: async () => false }))
      )
      expect(error).toMatchObject({ reason: "NotReady", message: expect.stringContaining("no such option") })
    })
  )

  it.live(
    "does not outlive a test process that was killed",
    () =>
      Effect.gen(function* () {
        const folder = yield* scratchFolder("sleeper")
        // Ready when the program runs: before that, the kernel does not know yet that it has to die with its parent.
        const script = `
        import { Effect } from "effect"
        import { existsSync } from "node:fs"
        import * as ServerProcess from ${JSON.stringify(join(import.meta.dirname, "ServerProcess.ts"))}
        const run = Effect.gen(function*() {
          const server = yield* ServerProcess.make({
            peer: "sleeper",
            command: "/bin/sh",
            args: ["-c", "touch ready; exec sleep 1000"],
            cwd: ${JSON.stringify(folder)},
            isReady: async () => existsSync(${JSON.stringify(join(folder, "ready"))}),
            log: () => ""
          })
          console.log(server.pid())
          yield* Effect.never
        })
        await Effect.runPromise(Effect.scoped(run))`
        const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
          cwd: join(import.meta.dirname, "../../.."),
          stdio: ["ignore", "pipe", "inherit"]
        })
        const pid = yield* Effect.promise(
          () =>
            new Promise<number>((resolve) =>
              parent.stdout.once("data", (text: Buffer) => resolve(Number(text.toString())))
            )
        )
        expect(alive(pid)).toBe(true)
        parent.kill("SIGKILL")
        expect(yield* Effect.promise(() => gone(pid))).toBe(true)
      }).pipe(Effect.scoped),
    120_000
  )
})
