/** Walk cases of second factors. Each call uses a new user, because confirming a factor ends other sessions. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Secret, TOTP } from "otpauth"
import * as OneTimeCodes from "#daemons/identity/factors/OneTimeCodeStore.ts"
import { type Cases, type Ids, own, type Request, type Who } from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { password, type People, type Person } from "./People.ts"

const base = "/api/v1/auth"
const reason = "the caller's own second factors"

/** `keys`: hash keys of one-time codes. */
export const factorCases = (people: People, { call, sql }: TestSuite, keys: ReadonlyArray<Uint8Array>): Cases => {
  let count = 0
  const somebody = (prepare: (person: Person, as: Who) => Effect.Effect<Ids, unknown> = () => Effect.succeed({})) =>
    Effect.fnUntraced(function* (as: Who) {
      const person = yield* people.person(as)
      return { authorization: person.headers.authorization, ...(yield* prepare(person, as)) } as Ids
    })
  const by =
    (body?: (ids: Ids) => object) =>
    (ids: Ids): Request => ({
      headers: { authorization: String(ids["authorization"]) },
      ...(body === undefined ? {} : { body: body(ids) })
    })
  const proof = by(() => ({ password }))
  const coded = by(({ code }) => ({ code }))

  /** Code of an app that was just set up. */
  const app = Effect.fnUntraced(function* ({ headers }: Person) {
    const { json } = yield* call("POST", `${base}/totp`, { headers, body: { password } })
    return { code: new TOTP({ secret: Secret.fromBase32(json.secret) }).generate() }
  })
  const withApp = Effect.fnUntraced(function* (person: Person) {
    yield* call("POST", `${base}/totp/confirm`, { headers: person.headers, body: yield* app(person) })
    return {}
  })
  /** Creates a chat that is new or confirmed, and a code that was sent to it. */
  const chat = (confirmed: boolean) =>
    Effect.fnUntraced(function* ({ id }: Person, { tenant }: Who) {
      const code = "123456"
      yield* sql`insert into identity.messenger_factor (account_id, tenant_id, chat_id, confirmed_at)
      values (${id}, ${tenant}, ${String(1_000 + count++)}, ${confirmed ? new Date() : null})`
      yield* OneTimeCodes.replaceCode({ id, tenant_id: tenant }, "bind", Redacted.make(code), keys).pipe(
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      return { code }
    })
  return {
    [`GET ${base}/factors`]: own(reason, { success: 200 }),
    [`POST ${base}/totp`]: own(reason, { seed: somebody(), request: proof, success: 200 }),
    [`POST ${base}/totp/confirm`]: own(reason, { seed: somebody(app), request: coded, success: 200 }),
    [`DELETE ${base}/totp`]: own(reason, { seed: somebody(withApp), request: proof, success: 204 }),
    [`POST ${base}/messenger`]: own(reason, {
      seed: somebody(() => Effect.sync(() => ({ chat: String(1_000 + count++) }))),
      request: by(({ chat }) => ({ password, chat_id: chat })),
      success: 204
    }),
    [`POST ${base}/messenger/confirm`]: own(reason, { seed: somebody(chat(false)), request: coded, success: 200 }),
    [`DELETE ${base}/messenger`]: own(reason, { seed: somebody(chat(true)), request: proof, success: 204 }),
    [`POST ${base}/recovery-codes`]: own(reason, { seed: somebody(chat(true)), request: proof, success: 200 })
  }
}
