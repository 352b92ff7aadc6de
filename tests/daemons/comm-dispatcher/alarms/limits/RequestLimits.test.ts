import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { bodyOf, startDispatcher } from "../../Dispatcher.ts"

const customer = { authorization: "Bearer user:2:workflows.manage" }
const admin = { authorization: "Bearer user:2:*" }

it.live("users are bound by severity, gateway, number, length and the calls of an hour", () =>
  Effect.gen(function* () {
    const { suite, token } = yield* startDispatcher({
      env: {
        SIGNALBOX_SIP_GATEWAY: "main",
        SIGNALBOX_SIP_GATEWAYS: "backup",
        SIGNALBOX_CALLS_PER_HOUR: "4",
        SIGNALBOX_CALLS_TENANTS: '[{"tenant": 3, "prefixes": ["+43"]}]'
      }
    })
    const ask = (path: string, body: unknown, headers: Readonly<Record<string, string>> = customer) =>
      Effect.map(suite.call("POST", `/api/v1/${path}`, { body, headers }), ({ json, status }) => [
        status,
        status === 422 ? json.errors.map(({ field }: { field: string }) => field) : (json.permission ?? json.code)
      ])
    const platform = { "x-service-token": token }
    const call = { target: "+49301234567", text: "Pumpe 3 steht" }
    const item = { channel: "call", target: "+49301234567" }

    // Another tenant's trunk, and every gateway that is not the default one.
    for (const gateway of ["trunk_1", "backup", "internal"])
      expect(yield* ask("comm/call", { ...call, gateway })).toEqual([422, ["payload.gateway"]])
    expect(yield* ask("comm/call", { ...call, gateway: "trunk_1" }, platform)).toEqual([422, ["payload.gateway"]])
    expect((yield* ask("comm/call", { ...call, gateway: "backup" }, platform))[0]).toBe(202)
    const other = { channel: "webhook", target: "https://hook.test/", fallback: [{ ...item, gateway: "trunk_1" }] }
    expect(yield* ask("comm/notify", { text: "x", channels: [other] })).toEqual([
      422,
      ["payload.channels[0].fallback[0].gateway"]
    ])

    // Severity.
    for (const severity of ["ALERT", "CRITICAL"]) {
      const body = { text: "x", severity, channels: [item] }
      expect(yield* ask("comm/notify", body)).toEqual([403, "alarms.urgent"])
      expect(yield* ask("comm/messenger", { chat_id: "1", text: "x", severity })).toEqual([403, "alarms.urgent"])
      expect(yield* ask("workflows/trigger", bodyOf(`${severity}:MESSENGER+1`))).toEqual([403, "alarms.urgent"])
      expect((yield* ask("comm/messenger", { chat_id: "1", text: "x", severity }, admin))[0]).toBe(202)
    }

    // Numbers.
    const abroad = { ...call, target: "+5312345678" }
    expect(yield* ask("comm/call", abroad)).toEqual([403, "calls.any"])
    expect(yield* ask("workflows/trigger", bodyOf("INFO:CALL+5312345678"))).toEqual([403, "calls.any"])
    expect((yield* ask("comm/call", abroad, platform))[0]).toBe(202)
    const premium = { ...call, target: "+499001234567" }
    for (const headers of [customer, admin, platform])
      expect(yield* ask("comm/call", premium, headers)).toEqual([422, ["payload.target"]])
    expect(yield* ask("workflows/trigger", bodyOf("INFO:CALL+8821612345678"), admin)).toEqual([
      422,
      ["payload.payload.email_subject"]
    ])
    const third = { authorization: "Bearer user:3:workflows.manage" }
    expect(yield* ask("comm/call", call, third)).toEqual([403, "calls.any"])
    expect((yield* ask("comm/call", { ...call, target: "+4312345678" }, third))[0]).toBe(202)

    // Length.
    const long = { ...call, text: "x ".repeat(400), repeat: 10 }
    for (const headers of [customer, platform])
      expect(yield* ask("comm/call", long, headers)).toEqual([422, ["payload.repeat"]])

    // Calls of an hour: fallbacks and triggers count, repeats of one request and other tenants do not.
    const keyed = { ...customer, "idempotency-key": "once" }
    for (const _ of [1, 2]) expect((yield* ask("comm/call", call, keyed))[0]).toBe(202)
    expect((yield* ask("workflows/trigger", bodyOf("INFO:CALL+49301234567")))[0]).toBe(202)
    const two = { text: "x", channels: [item, { ...item, target: "+49301234568" }] }
    expect((yield* ask("comm/notify", two))[0]).toBe(202)
    const answer = yield* suite.call("POST", "/api/v1/comm/call", { body: call, headers: customer })
    expect([answer.status, answer.json.code]).toEqual([429, "call_limit_reached"])
    expect(answer.json.retry_after).toBeGreaterThan(3_000)
    expect(yield* ask("workflows/trigger", bodyOf("WARNING:CALL+49301234567"))).toEqual([429, "call_limit_reached"])
    expect((yield* ask("comm/messenger", { chat_id: "1", text: "x" }))[0]).toBe(202)
    expect((yield* ask("comm/call", { ...call, target: "+4312345678" }, third))[0]).toBe(202)
    expect((yield* ask("comm/call", call, platform))[0]).toBe(202)
  }).pipe(Effect.scoped)
)
