/** Walks over every operation of comm-dispatcher, as two tenants and with invalid input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import {
  type Cases,
  creates,
  type Exception,
  type Ids,
  list,
  open,
  own,
  platformOnly,
  thing,
  type Who
} from "#support/walk/Case.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { neighbours, tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { clean } from "#support/walk/Walked.ts"
import { eventCases } from "./event-socket/EventCases.ts"
import { member, notificationCases } from "./notifications/NotificationCases.ts"
import { supportCases } from "./support/SupportCases.ts"
import { secretCases } from "./webhook-secrets/SecretCases.ts"
import { bodyOf, type Dispatcher, sender, startDispatcher, until } from "./Dispatcher.ts"

const a = fakeUser("A", 7)
const b = fakeUser("B", 8)
const neighbour = fakeUser("N", 8, "*", 81)

/**
 * Text fields of alarms and messages. Characters that cannot be stored are replaced, because such an alarm must still
 * be delivered.
 */
const storable = (field: string): ReadonlyArray<Exception> => [
  { input: `body.${field}: NUL`, why: "kept as U+FFFD" },
  { input: `body.${field}: lone surrogate`, why: "kept as U+FFFD" }
]

const never = { id: "9d3f1c52-7a3e-4b0c-8f57-0d4f3a1e6b21", seq: Number.MAX_SAFE_INTEGER }
const made = (reply: { readonly json: any }): string => reply.json.run_id

const casesOf = ({ sql, suite, url }: Dispatcher): Cases => {
  let count = 0
  const alarm = (as: Who) => ({
    event_type: "email.alarm.received",
    payload: { email_subject: `ALERT:WEBHOOK+${url}/${as.mark}-${count++}`, email_body: as.mark, email_from: sender }
  })
  /** Creates an ended run with a target and an attempt. */
  const seed = Effect.fnUntraced(function* (as: Who) {
    const { json, text } = yield* suite.call("POST", "/api/v1/workflows/trigger", {
      headers: as.headers,
      body: alarm(as)
    })
    if (json?.run_id === undefined) return yield* Effect.die(new Error(text))
    const id = json.run_id as string
    yield* until(
      "the run ended",
      async () =>
        (
          await Effect.runPromise(
            sql`select 1 from comm_dispatcher.run where id = ${id}::uuid and finished_at is not null`
          )
        ).length > 0,
      30_000
    )
    yield* sql`insert into comm_dispatcher.workflow_digest (tenant_id, workflow, key, told_at) values (${as.tenant}, 'bans-added', ${as.mark}, now()) on conflict do nothing`
    const [row] = yield* sql<{ seq: number }>`select seq::float8 as seq from comm_dispatcher.run where id = ${id}::uuid`
    return { id, seq: row!.seq }
  })
  const named = (as: Who) => Effect.map(seed(as), ({ id }) => ({ id }))
  const isThat = ({ json }: { readonly json: any }, ids: Ids) =>
    [json.id, json.run_id].includes(ids["id"]) ? undefined : `not ${ids["id"]}`
  const sends = (body: (as: Who) => object, except: ReadonlyArray<Exception> = []) =>
    creates({
      namesNothing: "targets are phones, chats and addresses, not rows of ours",
      request: (_, as) => ({ body: body(as) }),
      success: 202,
      made,
      except: [...storable("text"), ...except]
    })
  // Links.test.ts tests valid tokens.
  const link = open("the signed token is the credential", {
    request: () => ({ body: { token: "A".repeat(54) } }),
    success: 404
  })
  return {
    "POST /api/v1/workflows/trigger": creates({
      namesNothing: "an alarm names senders and targets, not rows of ours",
      request: (_, as) => ({ body: alarm(as) }),
      success: 202,
      made,
      except: [
        ...["email_subject", "email_body", "email_from"].flatMap((field) => storable(`payload.${field}`)),
        {
          input: "body.payload.email_*: too long",
          why: "an endless alarm is cut or rejected in the ledger, and not lost"
        },
        { input: "body.event_type: NUL", why: "no event type that is known", status: 422, code: "unknown_event_type" },
        {
          input: "body.event_type: lone surrogate",
          why: "no event type that is known",
          status: 422,
          code: "unknown_event_type"
        }
      ]
    }),
    "GET /api/v1/workflows/runs": list({
      seed,
      never,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map((item: { id: string }) => item.id),
      by: "id",
      freeText: ["query.workflow", "query.q"],
      naming: ({ id, seq }) => [
        { q: id },
        { before: seq, acknowledged: "false" },
        { before: seq },
        { before: seq, limit: 1 },
        { before: seq, severity: "ALERT", state: "delivered", workflow: "alarm" }
      ]
    }),
    "POST /api/v1/comm/test-alarm": platformOnly("for the provider's operators", {
      request: (_, as) => ({
        body: { targets: [{ channel: "MESSENGER", target: "4711" }], retries: { times: 1, every: 1 }, text: as.mark }
      }),
      success: 202,
      except: storable("text")
    }),
    "POST /api/v1/alarm-links/show": link,
    "POST /api/v1/alarm-links/acknowledge": link,
    "GET /api/v1/workflows": own("the workflows of this version; their counts are of the caller's tenant", {
      success: 200
    }),
    "GET /api/v1/workflows/statistics": own("counts of the caller's tenant", {
      success: 200,
      freeText: ["query.workflow"],
      request: () => ({
        query: { since: "2030-01-01T00:00:00Z", until: "2030-01-02T00:00:00Z", buckets: 3, workflow: "alarm" }
      })
    }),
    "GET /api/v1/workflows/runs/{id}": thing({
      seed: named,
      never: { id: never.id },
      request: ({ id }) => ({ path: { id } }),
      success: 200,
      wrong: isThat
    }),
    "POST /api/v1/workflows/runs/{id}/acknowledge": thing({
      seed: named,
      never: { id: never.id },
      request: ({ id }, as) => ({ path: { id }, body: { note: as.mark } }),
      success: 200,
      wrong: isThat,
      except: storable("note")
    }),
    "POST /api/v1/comm/call": sends(({ mark }) => ({
      target: "+4915112345678",
      text: mark,
      tts_provider: "local_fast",
      tts_voice: "otto",
      gateway: "trunk",
      pause_ms: 1,
      repeat: 1
    })),
    "POST /api/v1/comm/messenger": sends(({ mark }) => ({ chat_id: "1", text: mark, severity: "INFO" })),
    "POST /api/v1/comm/messenger/voice": sends(
      ({ mark }) => ({ chat_id: "1", text: mark, caption: mark, tts_provider: "cloud", tts_voice: "anna" }),
      storable("caption")
    ),
    "POST /api/v1/comm/notify": sends(
      ({ mark }) => ({
        channels: [
          {
            channel: "messenger_voice",
            target: "1",
            caption: mark,
            fallback: [{ channel: "messenger", target: "2", caption: mark }]
          }
        ],
        text: mark,
        severity: "INFO"
      }),
      [...storable("channels[0].caption"), ...storable("channels[0].fallback[0].caption")]
    ),
    ...notificationCases(sql),
    ...eventCases(sql),
    ...secretCases(sql),
    ...supportCases(sql),
    "GET /api/v1/comm/health": own("how the installation's channels are: no tenant's rows", { success: 200 }),
    "POST /api/v1/comm/heartbeat": own("sends to the operator's chat: no tenant's rows", { success: 200 })
  }
}

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const dispatcher = yield* startDispatcher({
        env: { SIGNALBOX_HEARTBEAT_CHAT_ID: "4242", SIGNALBOX_SIP_GATEWAY: "trunk" }
      })
      // Creates an admin per tenant, because the notification about a failed alarm waits for a recipient.
      for (const tenant of [1, a.tenant, b.tenant])
        yield* member(dispatcher.sql, { tenant, user: tenant * 1000, role: "admin" })
      // These ids must differ from tenant and user ids, because the walk masks text equal to a requested id.
      for (const table of ["comm_dispatcher.notification", "comm_dispatcher.support_session"])
        yield* dispatcher.sql`select setval(pg_get_serial_sequence(${table}, 'id'), 1000000)`
      return {
        suite: dispatcher.suite,
        schema: "comm_dispatcher",
        cases: casesOf(dispatcher),
        a,
        b,
        powerless: fakeUser("P", b.tenant, ""),
        platform: {
          name: "platform",
          tenant: 1,
          headers: { "x-service-token": dispatcher.token },
          mark: "mark-of-platform"
        },
        // After an alarm's end some work continues: its event is read, a workflow run starts, and a notification is
        // sent.
        settled: until(
          "every run ended, and what it began",
          async () =>
            (
              await Effect.runPromise(dispatcher.sql`select 1 from comm_dispatcher.run where finished_at is null
          union all select 1 from pgboss.job where name in ('workflow.step', 'notification.wanted') and state < 'completed'
          union all select 1 from core.event e, core.event_cursor c where c.consumer = 'comm-dispatcher.workflows' and (e.xid, e.id) > (c.xid, c.id)
            and (e.type = 'alarm.finished' and e.data->>'state' in ('failed', 'partly_delivered')
              or e.type = 'support.session.created')`)
            ).length === 0,
          30_000
        )
      }
    })
  )
}

describe("comm-dispatcher, walked", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 120_000)
    it.effect(
      "keeps people of one tenant apart in what is theirs alone",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => neighbours(walk, neighbour)),
          clean
        ),
      120_000
    )
    it.effect("lets no tenant silence another's alarm by sending the same", () =>
      Effect.gen(function* () {
        const { platform, suite } = yield* Walked
        const trigger = (who: Who) =>
          Effect.map(
            suite.call("POST", "/api/v1/workflows/trigger", { headers: who.headers, body: bodyOf("INFO:MESSENGER+1") }),
            ({ json }) => json.state
          )
        assert.deepStrictEqual(
          [yield* trigger(b), yield* trigger(a), yield* trigger(platform), yield* trigger(a)],
          ["running", "running", "running", "duplicate"]
        )
      })
    )
    it.effect(
      "keeps them apart without a WHERE, too",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
          clean
        ),
      120_000
    )
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 120_000)
  })
})
