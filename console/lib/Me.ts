/** The signed-in user. Permissions only decide what the console shows; the server checks every request. */
import { batch, effect, signal, untracked } from "@preact/signals"
import { call } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"
import { adopt, agree, choose } from "./Language.ts"
import { state, take } from "./Session.ts"
import { accountZone } from "./TimeZone.ts"

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
      batch(() => {
        accountZone.value = answer.time_zone
        me.value = answer
      })
      const unknown = adopt(answer.locale)
      if (unknown !== undefined) storeLanguage(unknown)
    },
    () => {
      if (state.value === "in") setTimeout(learn, again)
    }
  )
}

/**
 * Stores the language in the account. The answer has the next token, because tokens name the language. A refused change
 * is tried again when the page is opened the next time.
 */
const storeLanguage = (locale: string): void => {
  call("PATCH /api/v1/auth/me", { payload: { locale } }).then(
    (tokens) => {
      agree(locale)
      take(tokens)
    },
    () => undefined
  )
}

/** Changes the language of the page, and of the account of the signed-in user. */
export const chooseLanguage = (code: string): void => {
  choose(code)
  if (state.peek() === "in") storeLanguage(code)
}

/** Stores the time zone in the account; null: as the device. Rejects with a `Problem`. */
export const storeTimeZone = async (zone: string | null): Promise<void> => {
  take(await call("PATCH /api/v1/auth/me", { payload: { time_zone: zone } }))
  // The server stores an alias by its main name.
  reload()
}

/** Loads the user again, after a change of their own account. */
export const reload = (): void => {
  if (state.peek() === "in") learn()
}

effect(() => {
  // A call reads the token, and a renewed token must not trigger another call.
  if (state.value === "in") untracked(learn)
  else {
    me.value = undefined
    accountZone.value = null
  }
})
