/** The caller of a request, for the audit log and the history. */
import { Effect } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import type { Author } from "./Languages.ts"

export const author = Effect.gen(function* () {
  const { address } = yield* client
  return { actor: nameOf(yield* Caller), address } satisfies Author
})
