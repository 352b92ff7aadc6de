/** Starts one Postgres for the whole test run. Test files find it through an inherited environment variable. */
import { Effect, Exit, Scope } from "effect"
import { socketVariable, startServer } from "./Postgres.ts"

export default async function (): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(Scope.provide(startServer, scope))
  process.env[socketVariable] = server.socketDir
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
