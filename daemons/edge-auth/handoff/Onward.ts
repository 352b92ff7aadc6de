/** Sends a signed-in user to the return address, with a one-time code when it is under another root domain. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { transaction } from "#core/sql/Sql.ts"
import { Edge } from "../edge/Edge.ts"
import { handoffAddress } from "../edge/OtherDomain.ts"
import * as Handoffs from "./Handoffs.ts"
import { messagePage } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"
import type { Visitor } from "../edge/Visitor.ts"

export const makeOnward = Effect.gen(function* () {
  const { handoffPath } = yield* Edge

  /** `session`: the user's session at our own domain. `headers`: added to the answer. */
  return Effect.fnUntraced(function* (
    { home, language, onward, wanted }: Visitor,
    session: number,
    headers: Readonly<Record<string, string>> = {}
  ) {
    const to = (location: string) =>
      HttpServerResponse.empty({
        status: 303,
        headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers }
      })
    if (onward === undefined || handoffPath === undefined) return to(wanted ?? `${home.base}/account`)
    const made = yield* transaction(Handoffs.make(session, onward))
    const t = words(language)
    switch (made._tag) {
      case "Code":
        return to(handoffAddress(onward, handoffPath, made.code))
      case "Loop":
        return messagePage(language, t.login, t.noCookie({ host: onward.host }), 403, headers)
      case "Closed":
        return messagePage(language, t.login, t.otherDomain({ host: onward.host }), 403, headers)
    }
  })
})
