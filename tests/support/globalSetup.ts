/** Starts one Postgres for the whole test run. Test files find it through an inherited environment variable. */
import { Effect, Exit, Scope } from "effect"
import { socketVariable, startServer } from "./Postgres.ts"
import { countPostgres } from "./profile/SharedPostgres.ts"

/** Starts the server and sets the variable. The result stops the server. */
export async function startTestServer(): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(Scope.provide(startServer, scope))
  process.env[socketVariable] = server.socketDir
  countPostgres(server.pid)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}

/** Uses the server that runs already: another project's, or the mutation sample's, which starts one for many runs. */
export default async function (): Promise<() => Promise<void>> {
  return process.env[socketVariable] === undefined ? startTestServer() : () => Promise.resolve()
}
