/** Author of a change. An import uses it long after its request has ended. */
import { Effect } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"

export interface Author {
  /** Name in the audit log. */
  readonly actor: string
  readonly address: string | undefined
}

/** Author of the current request. */
export const author = Effect.map(Effect.all([Caller, client]), ([caller, { address }]): Author => ({
  actor: nameOf(caller),
  address
}))
