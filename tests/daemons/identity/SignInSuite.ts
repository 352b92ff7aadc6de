/** A running identity with people, and the calls of the sign-in. */
import { Effect } from "effect"
import { identity } from "#daemons/identity/Daemon.ts"
import { cheapHash } from "#support/CheapArgon2.ts"
import { type Answer, type StartOptions, startSuite } from "#support/TestSuite.ts"

/** Password of all people with a password. */
export const password = "correct horse battery"

export const signInSuite = Effect.fnUntraced(function* (options: Partial<StartOptions> = {}) {
  const suite = yield* startSuite({ daemons: [identity], ...options })
  const { call, sql } = suite
  let people = 0

  /** Creates an account, by default in the provider's tenant; without a password when `hash` is null. */
  const account = Effect.fnUntraced(function* (
    options: {
      readonly role?: string
      readonly tenant?: number
      readonly hash?: string | null
      readonly email?: string
    } = {}
  ) {
    const email = options.email ?? `person${++people}@example.org`
    const hash = options.hash === undefined ? cheapHash(password) : options.hash
    const [row] = yield* sql<{ id: number }>`insert into identity.account (tenant_id, email, name, role, password_hash)
      values (${options.tenant ?? 1}, ${email}, 'A Person', ${options.role ?? "user"}, ${hash}) returning id`
    return { id: row!.id, email }
  })

  const post = (
    path: string,
    body: unknown,
    options: { readonly bearer?: string; readonly from?: string; readonly of?: string } = {}
  ): Effect.Effect<Answer> =>
    call("POST", `/api/v1/auth/${path}`, {
      body,
      headers: bearing(options.bearer, options.from),
      ...(options.of === undefined ? {} : { of: options.of })
    })
  const login = (email: string, typed = password, from?: string) =>
    post("login", { email, password: typed }, from === undefined ? {} : { from })
  const get = (path: string, bearer: string) => call("GET", `/api/v1/auth/${path}`, { headers: bearing(bearer) })
  const remove = (path: string, bearer: string) => call("DELETE", `/api/v1/auth/${path}`, { headers: bearing(bearer) })
  return { ...suite, account, post, login, get, remove }
})

/** Headers of a signed-in caller. `from`: client address behind this machine's proxy. */
export const bearing = (token: string | undefined, from?: string): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(from === undefined ? {} : { "x-forwarded-for": from })
})
