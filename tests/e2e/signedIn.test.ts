/** A sign-in at identity is valid at other daemons: identity and comm-dispatcher as two processes over one database. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { holdsAfter } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { bearing, signInSuite } from "../daemons/identity/SignInSuite.ts"

const heartbeatChat = "4242"
const trigger = {
  event_type: "email.alarm.received",
  payload: { email_from: "guard@ok.test", email_subject: "A test", email_body: "Nothing happened." }
}

it.live(
  "lets people do elsewhere what their role may, until they sign out",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const fleet = [identity, commDispatcher]
        const bot = new BotApiDouble()
        const botUrl = yield* Effect.acquireRelease(
          Effect.promise(() => bot.start()),
          () => Effect.promise(() => bot.stop())
        )
        const here = yield* signInSuite({ fleet })
        const there = yield* startSuite({
          daemons: [commDispatcher],
          fleet,
          database: here.database,
          env: {
            SIGNALBOX_ALARM_ALLOWED_DOMAINS: "ok.test",
            SIGNALBOX_HEARTBEAT_CHAT_ID: heartbeatChat,
            SIGNALBOX_MESSENGER_URL: botUrl,
            SIGNALBOX_MESSENGER_TOKEN: bot.token
          }
        })
        yield* here.sql`insert into identity.tenant (id, name) values (7, 'Another')`
        const signIn = (role: string, tenant = 1) =>
          Effect.flatMap(here.account({ role, tenant }), ({ email }) =>
            Effect.map(here.login(email), ({ json }) => json.access_token as string)
          )
        const admin = yield* signIn("admin")
        const user = yield* signIn("user")
        const stranger = yield* signIn("customer", 7)
        const serviceToken = yield* there.token
        const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
          there.call(method, `/api/v1/${path}`, { headers, ...(body === undefined ? {} : { body }) })
        const codeOf = ({ json, status }: { readonly json: any; readonly status: number }) => [
          status,
          json?.permission ?? json?.code
        ]

        // Admins and customers have workflows.manage, users do not.
        expect(codeOf(yield* ask("POST", "workflows/trigger", bearing(user), trigger))).toEqual([
          403,
          "workflows.manage"
        ])
        expect(codeOf(yield* ask("GET", "workflows/runs", bearing(user)))).toEqual([403, "workflows.manage"])
        const started = yield* ask("POST", "workflows/trigger", bearing(admin), trigger)
        expect(started.status).toBe(202)
        const see = (token: string) =>
          Effect.map(ask("GET", `workflows/runs/${started.json.run_id}`, bearing(token)), ({ status }) => status)
        expect([yield* see(admin), yield* see(stranger)]).toEqual([200, 404])
        // Not the runs that tell of an undelivered alarm.
        const runs = (token: string) =>
          Effect.map(
            ask("GET", "workflows/runs", bearing(token)),
            ({ json }) => json.items.filter(({ id }: { readonly id: string }) => id === started.json.run_id).length
          )
        expect([yield* runs(admin), yield* runs(stranger)]).toEqual([1, 0])

        // The heartbeat is for users with the permission, not for service tokens.
        expect(codeOf(yield* ask("POST", "comm/heartbeat", { "x-service-token": serviceToken }))).toEqual([
          403,
          "forbidden"
        ])
        expect(codeOf(yield* ask("POST", "comm/heartbeat", bearing(user)))).toEqual([403, "workflows.manage"])
        expect(bot.messages.filter(({ chatId }) => chatId === heartbeatChat).length).toBe(0)
        const beat = yield* ask("POST", "comm/heartbeat", bearing(admin))
        expect([beat.status, beat.json.sent]).toEqual([200, true])
        expect(bot.messages.filter(({ chatId }) => chatId === heartbeatChat).length).toBe(1)

        // A modified token is refused, and a signed-out one is refused at the other daemon too.
        expect(
          (yield* ask(
            "GET",
            "workflows/runs",
            bearing(`${admin.slice(0, -8)}${admin.at(-8) === "A" ? "B" : "A"}${admin.slice(-7)}`)
          )).status
        ).toBe(401)
        expect((yield* here.post("logout", undefined, { bearer: admin })).status).toBe(204)
        yield* holdsAfter(
          1_000,
          "the token is refused there",
          Effect.map(ask("GET", "workflows/runs", bearing(admin)), ({ status }) => status === 401)
        )
        expect((yield* ask("GET", "workflows/runs", bearing(stranger))).status).toBe(200)
      })
    ),
  120_000
)
