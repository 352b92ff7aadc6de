/**
 * Calls from the request to the outcome, over the event socket of the switch double. A second of the switch takes 20
 * ms.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { answers, busy, type Callee, fails, hangsUp, unanswered } from "#support/switch/Callee.ts"
import { SpeechError } from "#core/speech/Speech.ts"
import type { Outcome } from "#daemons/comm-dispatcher/channels/Outcome.ts"
import { SqlClient } from "effect/sql"
import * as GatewayCallerIds from "#core/telephony/GatewayCallerIds.ts"
import { client, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { alarmTone } from "#daemons/comm-dispatcher/channels/call/CallPlan.ts"
import { quiet, request, startSwitch, type Telephone, telephone } from "./Telephone.ts"

const live = <A, E>(name: string, test: Effect.Effect<A, E>) => it.live(name, () => test, 40_000)

const outcomes: ReadonlyArray<readonly [string, Callee, Outcome]> = [
  ["heard to the end", answers, { _tag: "Delivered", detail: "heard to the end, 9.6 s (NORMAL_CLEARING)" }],
  // 4 s of pause, then twice 4.8 s of message.
  [
    "hung up half-way",
    hangsUp(7_200),
    { _tag: "Retryable", reason: "hung up after 3.2 of 9.6 s (NORMAL_CLEARING)", reached: "yes" }
  ],
  [
    "hung up between the two",
    hangsUp(9_300),
    {
      _tag: "Retryable",
      reason: expect.stringMatching(/^hung up after 5\.\d of 9\.6 s \(NORMAL_CLEARING\)$/) as never,
      reached: "yes"
    }
  ],
  [
    "hung up during the pause",
    hangsUp(1_000),
    { _tag: "Retryable", reason: "hung up after 0.0 of 9.6 s (NORMAL_CLEARING)", reached: "yes" }
  ],
  [
    "hung up while a key was waited for",
    hangsUp(14_500),
    { _tag: "Delivered", detail: "heard to the end, 9.6 s (NORMAL_CLEARING)" }
  ],
  ["busy", busy, { _tag: "Retryable", reason: "busy (USER_BUSY)", reached: "yes" }],
  ["unanswered", unanswered, { _tag: "Retryable", reason: "not answered (NO_ANSWER)", reached: "yes" }],
  ["refused", fails("CALL_REJECTED"), { _tag: "Retryable", reason: "refused (CALL_REJECTED)", reached: "yes" }],
  [
    "a number that does not exist",
    fails("UNALLOCATED_NUMBER"),
    { _tag: "Permanent", reason: "the number cannot be reached (UNALLOCATED_NUMBER)" }
  ],
  [
    "a network that fails",
    fails("NORMAL_TEMPORARY_FAILURE"),
    { _tag: "Retryable", reason: "not connected (NORMAL_TEMPORARY_FAILURE)", reached: "yes" }
  ]
]

live(
  "every way a call can end",
  quiet(
    Effect.gen(function* () {
      const asked = outcomes.map(([, callee]) => ({ request: request(), callee }))
      const double = yield* startSwitch({
        callee: (number) => asked.find(({ request }) => request.target === number)!.callee
      })
      const { channel } = yield* telephone(double)
      const ended = yield* Effect.forEach(asked, ({ request }) => channel.deliver(request))
      expect(ended.map((outcome, index) => [outcomes[index]![0], outcome])).toEqual(
        outcomes.map(([name, , outcome]) => [name, outcome])
      )
      expect(double.mostAtOnce).toBe(1)
      expect(double.calls.map(({ uuid }) => uuid)).toEqual(asked.map(({ request }) => request.attemptId))
    })
  )
)

live(
  "a gateway that is down or unknown, and a full switch",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch({ gateways: { trunk: "up", down: "down" } })
      const { channel } = yield* telephone(double, { config: { sipGateways: ["down", "nosuch"] } })
      expect(yield* channel.deliver(request({ options: { gateway: "down" } }))).toEqual({
        _tag: "Retryable",
        reason: "the gateway is down (GATEWAY_DOWN)",
        reached: "no",
        fault: "channel"
      })
      expect(yield* channel.deliver(request({ options: { gateway: "nosuch" } }))).toEqual({
        _tag: "Retryable",
        reason: "the switch has no such gateway now (INVALID_GATEWAY)",
        reached: "no",
        fault: "channel"
      })
      expect(yield* channel.deliver(request({ options: { gateway: "trunk", repeat: 1, pause_ms: 0 } }))).toMatchObject({
        _tag: "Delivered"
      })
      const full = yield* startSwitch({ maxSessions: 0 })
      expect(yield* (yield* telephone(full)).channel.deliver(request())).toEqual({
        _tag: "Retryable",
        reason: "the switch takes no call (DESTINATION_OUT_OF_ORDER)",
        reached: "no",
        fault: "channel"
      })
    })
  )
)

live(
  "a call shows the number of its trunk, unless the setting names another",
  quiet(
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const sql = yield* client(target)
      yield* sql`create schema core`
      yield* sql`create table core.gateway_caller_id (gateway text primary key, tenant_id int, caller_id text)`
      yield* GatewayCallerIds.set(1, "trunk", "+4930999").pipe(Effect.provideService(SqlClient.SqlClient, sql))
      const double = yield* startSwitch()
      const shown = (config: object) =>
        Effect.gen(function* () {
          const { channel } = yield* telephone(double, { target, config })
          yield* channel.deliver(request({ options: { repeat: 1, pause_ms: 0 } }))
          return /origination_caller_id_number=([^,}]+)/.exec(double.commands.at(-1)!)?.[1]
        })
      expect(yield* shown({})).toBe("+4930999")
      expect(yield* shown({ callCallerId: "+4930111" })).toBe("+4930111")
    })
  )
)

live(
  "a turn whose lock was lost before the call waits for whoever has it now",
  quiet(
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const double = yield* startSwitch({ timeScale: 0.1 })
      const [one, two] = [yield* telephone(double, { target }), yield* telephone(double, { target })]
      const first = request({ options: { repeat: 1, pause_ms: 0 } })
      const turn = yield* one.channel.turn(first)
      if (turn._tag !== "Go") throw new Error(turn.reason)
      const second = yield* Effect.forkChild(two.channel.deliver(request({ options: { repeat: 1, pause_ms: 0 } })))
      const sql = yield* client(target)
      const sessions = sql<{ pid: number; holds: boolean }>`
        select a.pid, exists (
          select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted
        ) as holds
        from pg_stat_activity a where a.datname = current_database() and a.application_name = 'telephone calls'`
      const own = (yield* sessions).find(({ holds }) => holds)
      let other: number | undefined
      yield* until(
        "the other process waits for the lock",
        Effect.map(sessions, (all) => {
          other = all.find(({ pid }) => pid !== own?.pid)?.pid
          return other !== undefined
        })
      )
      // The first process may get the lock again at once, so its sessions are ended until the other has it.
      while (double.calls.length === 0) {
        for (const { holds, pid } of yield* sessions)
          if (holds && pid !== other) yield* sql`select pg_terminate_backend(${pid})`
        yield* Effect.sleep(20)
      }
      expect(yield* turn.deliver(first)).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 4.8 s (NORMAL_CLEARING)"
      })
      expect(yield* Fiber.join(second)).toMatchObject({ _tag: "Delivered" })
      expect(double.calls.length).toBe(2)
      expect(double.mostAtOnce).toBe(1)
    })
  )
)

live(
  "without a voice a tone is played, and the ledger told why",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch()
      const { channel } = yield* telephone(double, {
        speech: () => Effect.fail(new SpeechError({ reason: { _tag: "NoVoice", tried: ["local_gpu"], later: true } }))
      })
      expect(yield* channel.deliver(request())).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 12.0 s (NORMAL_CLEARING); without a voice: nobody could speak: local_gpu"
      })
      expect(double.calls[0]!.heard.slice(0, 2)).toEqual([alarmTone.location, alarmTone.location])
    })
  )
)

live(
  "a switch without a shared folder is given an address; one that cannot read the file is told of",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch({
        audioMs: (path) => (path.startsWith("http://") ? 4_800 : path.startsWith("tone_stream:") ? 6_000 : undefined)
      })
      const apart = yield* telephone(double, { config: { speechDir: undefined } })
      expect(yield* apart.channel.deliver(request())).toMatchObject({ _tag: "Delivered" })
      expect(double.calls[0]!.heard[0]).toBe("http://127.0.0.1:8080/speech/said.wav?expires=1&signature=x")
      const shared = yield* telephone(double)
      expect(yield* shared.channel.deliver(request())).toEqual({
        _tag: "Retryable",
        reason: "answered, but the switch could not read the audio (FILE NOT FOUND) after 0.0 of 9.6 s",
        reached: "yes"
      })
      // The second try does not trust the file again.
      const lastReason = "answered, but the switch could not read the audio (FILE NOT FOUND) after 0.0 of 9.6 s"
      expect(yield* shared.channel.deliver(request({ lastReason }))).toMatchObject({
        _tag: "Delivered",
        detail: expect.stringContaining("a tone, because the switch could not read the audio before")
      })
      expect(double.calls.at(-1)!.heard[0]).toBe(alarmTone.location)
    })
  )
)

live(
  "a switch that is away is the channel's fault, before anything is begun",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch()
      const { channel } = yield* telephone(double)
      yield* double.kill
      const turn = yield* channel.turn(request())
      expect(turn).toMatchObject({
        _tag: "PutOff",
        away: true,
        reason: expect.stringContaining("the switch is not connected")
      })
      expect(yield* channel.status).toMatchObject({ status: "degraded" })
      yield* double.restart
      yield* until(
        "connected",
        Effect.map(channel.status, ({ status }) => status === "ok")
      )
      expect(yield* channel.check).toMatchObject({ status: "ok", latency_ms: expect.any(Number) })
      expect(yield* channel.deliver(request())).toMatchObject({ _tag: "Delivered" })
    })
  )
)

live(
  "the turn is held until its scope ends, and no longer",
  quiet(
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const double = yield* startSwitch({ timeScale: 0.04 })
      const phones = [yield* telephone(double, { target }), yield* telephone(double, { target })]
      const call = ({ channel }: Telephone) =>
        Effect.scoped(
          Effect.gen(function* () {
            const asked = request({ options: { repeat: 1, pause_ms: 0 } })
            const turn = yield* channel.turn(asked)
            // The next attempt has its own id.
            return turn._tag === "Go" ? yield* turn.deliver({ ...asked, attemptId: crypto.randomUUID() }) : turn
          })
        )
      const ended = yield* Effect.all([...phones, ...phones].map(call), { concurrency: "unbounded" })
      expect(ended).toEqual(Array(4).fill({ _tag: "Delivered", detail: "heard to the end, 4.8 s (NORMAL_CLEARING)" }))
      expect(double.calls.length).toBe(4)
      expect(double.mostAtOnce).toBe(1)
    })
  )
)

live(
  "after the wait two calls are made at once, and the second says so",
  quiet(
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      // The first call lasts far longer than the wait.
      const double = yield* startSwitch({ timeScale: 0.5 })
      const config = { callLockWait: 500 }
      const [one, two] = [yield* telephone(double, { target, config }), yield* telephone(double, { target, config })]
      const first = yield* Effect.forkChild(one.channel.deliver(request()))
      yield* until(
        "dialled",
        Effect.sync(() => double.calls.length === 1)
      )
      const second = yield* two.channel.deliver(request({ options: { repeat: 1, pause_ms: 0 } }))
      expect(second).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 4.8 s (NORMAL_CLEARING); without the call lock, after a wait of 1 s"
      })
      expect(yield* Fiber.join(first)).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 9.6 s (NORMAL_CLEARING)"
      })
      expect(double.mostAtOnce).toBe(2)
    })
  )
)

live(
  "what cannot be dialled is refused before it has a turn",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch()
      const { channel } = yield* telephone(double, { config: { sipGateways: ["backup"] } })
      const reason = (options: Parameters<typeof request>[0]) =>
        Effect.map(channel.deliver(request(options)), (outcome) =>
          outcome._tag === "Permanent" ? outcome.reason : outcome
        )
      expect(yield* reason({ options: { gateway: "other" } })).toBe("the gateway is not among SIGNALBOX_SIP_GATEWAYS")
      expect(yield* reason({ options: { repeat: 11 } })).toBe("repeat must be from 1 to 10")
      expect(yield* reason({ target: "+49301,user/1" })).toBe("the number is not E.164")
      expect(yield* reason({ target: "+49112" })).toBe("the number is an emergency number")
      expect(yield* reason({ target: "+499001234567" })).toMatch(/^the number is a premium-rate number/)
      const none = yield* telephone(double, { config: { sipGateway: undefined } })
      expect(yield* none.channel.deliver(request())).toEqual({
        _tag: "Permanent",
        reason: "unconfigured: set SIGNALBOX_SIP_GATEWAY"
      })
      const off = yield* telephone(double, { config: { switchHost: undefined } })
      expect(yield* off.channel.deliver(request())).toEqual({
        _tag: "Permanent",
        reason: "unconfigured: set SIGNALBOX_SWITCH_HOST"
      })
      expect(yield* off.channel.status).toEqual({ status: "unconfigured" })
      expect(double.commands.filter((command) => command.includes("originate")).length).toBe(0)
    })
  )
)
