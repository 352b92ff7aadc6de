/** Asks each DNS resolver for a name. */
import { Effect } from "effect"
import { getServers } from "node:dns"
import { Resolver } from "node:dns/promises"
import { reaching } from "./Reach.ts"
import { type Found, type TestResult, timed } from "./Result.ts"
import { said } from "./Texts.ts"
import type { Trial } from "./Trial.ts"

/** Time limit of one try. Unit: milliseconds. */
const timeout = 2_000

/** Tries. */
const tries = 2

/** Maximum number of resolvers that are asked. Reason: the checks of domains ask fewer. */
const mostAsked = 8

/** Answers that show that the resolver works, though the name has no address. */
const answered = new Set(["ENOTFOUND", "ENODATA"])

const ask = (server: string, name: string): Effect.Effect<Found> =>
  Effect.tryPromise({
    try: async () => {
      const resolver = new Resolver({ timeout, tries })
      resolver.setServers([server])
      return name === "." ? resolver.resolveNs(name) : resolver.resolve4(name)
    },
    catch: (error) => (error as NodeJS.ErrnoException).code ?? "unknown"
  }).pipe(
    Effect.as<Found>({ ok: true, text: said((t) => t.resolverAnswers({ name })) }),
    Effect.catch((code) =>
      Effect.succeed<Found>(
        answered.has(code)
          ? { ok: true, text: said((t) => t.noSuchAddress({ name })) }
          : { ok: false, text: said((t) => t.resolverSilent), detail: code }
      )
    )
  )

/** `name`: what is asked for; default: the servers of the root zone. */
export const testResolvers = (
  { settings, value }: Trial,
  name: string | undefined
): Effect.Effect<ReadonlyArray<TestResult>> => {
  const [setting] = settings
  const given = setting === undefined ? [] : (value(setting) as ReadonlyArray<string>)
  return Effect.forEach(
    (given.length > 0 ? given : getServers()).slice(0, mostAsked),
    (server) => timed(server, reaching(hostOf(server), ask(server, name ?? "."))),
    { concurrency: "unbounded" }
  )
}

/** The address in `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
const hostOf = (server: string): string =>
  server.startsWith("[")
    ? server.slice(1, server.indexOf("]"))
    : /^[\d.]+:\d+$/.test(server)
      ? server.split(":", 1)[0]!
      : server
