/** The signed-in user. Permissions only decide what the console shows; the server checks every request. */
import { effect, signal, untracked } from "@preact/signals"
import { call } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"
import { adopt } from "./Language.ts"
import { state } from "./Session.ts"

/** Undefined while nobody is signed in or the answer is still missing. */
export const me = signal<Answer<"GET /api/v1/auth/me"> | undefined>(undefined)

/** Retry interval. Unit: milliseconds. */
const again = 5_000

export type Permission = Answer<"GET /api/v1/auth/me">["permissions"][number]

/** Whether the user has the permission. */
export const may = (permission: Permission): boolean => me.value?.permissions.includes(permission) ?? false

/** Tenant of the provider. Source: DESIGN. */
const provider = 1

/** Whether the user belongs to the provider, whose users see the machines and accept domains without proof. */
export const isProvider = (): boolean => me.value?.tenant_id === provider

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

/** Loads the user again, after a change of their own account. */
export const reload = (): void => {
  if (state.peek() === "in") learn()
}

effect(() => {
  // A call reads the token, and a renewed token must not trigger another call.
  if (state.value === "in") untracked(learn)
  else me.value = undefined
})
