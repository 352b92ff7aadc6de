/**
 * mail-admin announces its mailboxes to identity: the owner decides who gets a mail token, the state whether it is
 * valid.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { holdsAfter, until } from "#support/Frame.ts"
import { testKey } from "#support/TestKey.ts"
import { startSuite } from "#support/TestSuite.ts"
import { answered } from "../identity/mail-login/Answered.ts"
import { callsOf, mailServer } from "./Admin.ts"

it.live("a user gets mail tokens for a mailbox until it is suspended or deleted", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [identity, mailAdmin], env: mailServer })
      const key = yield* testKey(suite.sql)
      const token = yield* suite.token
      const bearer = (userId: number) =>
        Effect.map(
          Effect.promise(() => key.access({ userId, tenantId: 2 })),
          (token) => ({ authorization: `Bearer ${token}` })
        )
      const mailToken = (body = {}, userId = 7) =>
        Effect.flatMap(bearer(userId), (headers) =>
          answered(suite.call("POST", "/api/v1/auth/mail-token", { of: "identity", headers, body }))
        )
      const active = (mail: string) =>
        answered(
          Effect.promise(async () => {
            const response = await fetch(`${suite.base("identity")}/api/v1/auth/token/introspect`, {
              method: "POST",
              headers: { "x-service-token": token, "content-type": "application/x-www-form-urlencoded" },
              body: `token=${mail}`
            })
            const json = (await response.json()) as { readonly active: boolean; readonly username?: string }
            return { status: response.status, ...json }
          })
        )
      const { account, domain, post, remove } = callsOf(suite, { headers: { "x-service-token": token } })
      expect((yield* mailToken()).status).toBe(404)
      const { id } = yield* domain("a.test", { tenant_id: 2 })
      const ann = yield* account(id, "ann", { user_id: 7 })
      yield* account(id, "bob", { user_id: 7 })
      yield* account(id, "carl", { user_id: 8 })
      yield* until(
        "identity knows the mailbox",
        Effect.map(mailToken({ email: "bob@a.test" }), ({ status }) => status === 200)
      )
      const given = yield* mailToken()
      expect([given.status, given.json.email]).toEqual([200, "ann@a.test"])
      expect((yield* mailToken({ email: "carl@a.test" })).status).toBe(404)
      const mail = given.json.access_token
      expect(yield* active(mail)).toMatchObject({ active: true, username: "ann@a.test" })

      yield* post(`accounts/${ann.id}/suspend`)
      yield* holdsAfter(
        3_000,
        "the token of a suspended mailbox is good no more",
        Effect.map(active(mail), ({ active }) => !active)
      )
      expect((yield* mailToken({ email: "ann@a.test" })).json.code).toBe("mail_account_suspended")
      yield* post(`accounts/${ann.id}/unsuspend`)
      yield* holdsAfter(
        3_000,
        "it is good again",
        Effect.map(active(mail), ({ active }) => active)
      )
      yield* remove(`accounts/${ann.id}`)
      yield* holdsAfter(
        3_000,
        "nobody has the mailbox",
        Effect.map(mailToken({ email: "ann@a.test" }), ({ status }) => status === 404)
      )
      yield* holdsAfter(
        3_000,
        "the other is the default",
        Effect.map(mailToken(), ({ json }) => json.email === "bob@a.test")
      )
      // The address is assigned to a different user. An older token must not be valid for that user.
      yield* account(id, "ann", { user_id: 8 })
      yield* holdsAfter(
        3_000,
        "they have it",
        Effect.map(mailToken({ email: "ann@a.test" }, 8), ({ status }) => status === 200)
      )
      expect((yield* active(mail)).active).toBe(false)
    })
  )
)
