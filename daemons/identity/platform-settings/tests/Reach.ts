/** Whether a test may connect to the host of a server that an operator chose. */
import { Effect } from "effect"
import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { judgeOperator } from "#core/http/AddressGuard.ts"
import type { Found } from "./Result.ts"
import { said } from "./Texts.ts"

/** Longest look-up. Unit: seconds. Reason: a person waits. */
const within = "5 seconds"

/** Undefined when all addresses of the host may be reached; else what is wrong. */
export const unreachable = (host: string): Effect.Effect<Found | undefined> =>
  Effect.gen(function* () {
    const bare = host.replace(/^\[|\]$/g, "")
    const addresses =
      isIP(bare) !== 0
        ? [bare]
        : yield* Effect.tryPromise(() => lookup(bare, { all: true })).pipe(
            Effect.map((found) => found.map(({ address }) => address)),
            Effect.timeoutOrElse({ duration: within, orElse: () => Effect.succeed([]) }),
            Effect.catch(() => Effect.succeed([]))
          )
    if (addresses.length === 0) return { ok: false, text: said((t) => t.noAddress) }
    return addresses.every((address) => "admitted" in judgeOperator(address))
      ? undefined
      : { ok: false, text: said((t) => t.notAllowed) }
  })

/** Runs `look` when the host may be reached. */
export const reaching = <R>(host: string, look: Effect.Effect<Found, never, R>): Effect.Effect<Found, never, R> =>
  Effect.flatMap(unreachable(host), (refused) => (refused === undefined ? look : Effect.succeed(refused)))
