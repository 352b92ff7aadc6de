import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { findProgram } from "#support/peers/Peers.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"

/** Limits PATH of this process to these programs until the scope ends. */
export const withPath = Effect.fnUntraced(function* (programs: ReadonlyArray<string>) {
  const path = yield* scratchFolder("path")
  for (const program of programs) symlinkSync(findProgram(program)!, join(path, program))
  const before = process.env["PATH"]
  yield* Effect.acquireRelease(
    Effect.sync(() => void (process.env["PATH"] = path)),
    () => Effect.sync(() => void (process.env["PATH"] = before))
  )
  return { path }
})
