/**
 * Whoever is signed in, as the server knows them. What they may decides what is shown; what is answered the server
 * decides.
 */
import { effect, signal, untracked } from "@preact/signals"
import { call } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"
import { adopt } from "./Language.ts"
import { state } from "./Session.ts"

/** Undefined: nobody is signed in, or it is not known yet. */
export const me = signal<Answer<"GET /api/v1/auth/me"> | undefined>(undefined)

/** Between two tries to learn it. Unit: milliseconds. */
const again = 5_000

export type Permission = Answer<"GET /api/v1/auth/me">["permissions"][number]

/** Whether what needs a permission is worth showing. */
export const may = (permission: Permission): boolean => me.value?.permissions.includes(permission) ?? false

const learn = (): void => {
  call("GET /api/v1/auth/me").then(
    (answer) => {
      me.value = answer
      adopt(answer.locale)
    },
    () => {
      if (state.value === "in") setTimeout(learn, again)
    }
  )
}

/** Asks again, after a change of the person's own. */
export const reload = (): void => {
  if (state.peek() === "in") learn()
}

effect(() => {
  // A call reads the token: whose renewal is no reason to ask again.
  if (state.value === "in") untracked(learn)
  else me.value = undefined
})
