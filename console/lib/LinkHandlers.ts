/** Which program opens a mail address or telephone number: the console, the computer's own, or the user's choice. */
import { effect, signal, untracked } from "@preact/signals"
import { call } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"
import { state } from "./Session.ts"

export type Handlers = Answer<"GET /api/v1/settings/preferences">

/** Values until they are loaded. Source: the default of the endpoint. */
const unknown: Handlers = { mail_handler: "ask", call_handler: "ask" }

export const handlers = signal<Handlers>(unknown)

/** Stores a choice for the user. */
export const choose = async (change: Partial<Handlers>): Promise<void> => {
  handlers.value = await call("PUT /api/v1/settings/preferences", { payload: change })
}

effect(() => {
  // A call reads the token, and a renewed token must not trigger another call.
  if (state.value !== "in") handlers.value = unknown
  else
    untracked(() =>
      call("GET /api/v1/settings/preferences").then(
        (answer) => (handlers.value = answer),
        () => undefined
      )
    )
})
