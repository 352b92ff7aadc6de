/** Arguments that start nginx or Caddy with a configuration file, once the program has accepted the file. */
import { Effect } from "effect"
import { mustRun } from "./RunProgram.ts"

/** `folder`: of the error log. */
export const nginxArguments = (program: string, file: string, folder: string): Effect.Effect<ReadonlyArray<string>> => {
  const args = ["-c", file, "-e", `${folder}/log`]
  return Effect.as(mustRun(program, ["-t", "-q", ...args]), args)
}

/** `folder`: Caddy's home directory. */
export const caddyArguments = (program: string, file: string, folder: string): Effect.Effect<ReadonlyArray<string>> => {
  const args = ["--adapter", "caddyfile", "--config", file]
  return Effect.as(mustRun(program, ["validate", ...args], { env: { ...process.env, HOME: folder } }), ["run", ...args])
}
