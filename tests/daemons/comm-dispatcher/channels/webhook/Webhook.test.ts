import { createHmac } from "node:crypto"
import { Duration, Effect, Redacted } from "effect"
import { afterEach, assert, beforeEach, describe, expect, it } from "vitest"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { deliver, outcome, type WebhookDelivery } from "#daemons/comm-dispatcher/channels/webhook/Webhook.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

let sink: WebhookSink
let url: string
beforeEach(async () => {
  sink = new WebhookSink()
  url = `${await sink.start()}/hook?key=hunter2`
})
afterEach(() => sink.stop())

const send = (delivery: Partial<WebhookDelivery> = {}) =>
  Effect.runPromise(
    deliver({
      url,
      idempotencyKey: "run-1/0",
      attempt: 1,
      tenantId: 7,
      body: {
        run_id: "run-1",
        event_type: "email.alarm.received",
        severity: "ALERT",
        subject: "ALERT:WEBHOOK+…",
        title: "Gas",
        body: "Gas",
        from: "boss@allowed.org",
        timestamp: "2024-01-02T03:04:05.000Z"
      },
      allowCidrs: [parseCidr("127.0.0.1")!],
      timeout: Duration.seconds(8),
      ...delivery
    }).pipe(Effect.provide(OutboundHttp.layer))
  )

describe("Webhook", () => {
  it("posts the alarm with its key", async () => {
    assert.deepStrictEqual(await send(), { _tag: "Delivered", detail: "status 200" })
    const [request] = sink.requests
    assert.deepStrictEqual(JSON.parse(request!.body), {
      run_id: "run-1",
      event_type: "email.alarm.received",
      severity: "ALERT",
      subject: "ALERT:WEBHOOK+…",
      title: "Gas",
      body: "Gas",
      from: "boss@allowed.org",
      timestamp: "2024-01-02T03:04:05.000Z"
    })
    const { headers } = request!
    assert.deepStrictEqual(
      [
        request!.method,
        request!.path,
        headers["content-type"],
        headers["idempotency-key"],
        headers["x-signalbox-attempt"],
        headers["x-signalbox-signature"]
      ],
      ["POST", "/hook?key=hunter2", "application/json", "run-1/0", "1", undefined]
    )
    expect(headers["user-agent"]).toMatch(/^Signalbox\/\d+\.\d+\.\d+$/)
  })

  it("repeats the same bytes under the same key", async () => {
    sink.next({ status: 500 }, { cut: true })
    for (let attempt = 1; attempt <= 3; attempt++) await send({ attempt })
    assert.strictEqual(new Set(sink.requests.map(({ body }) => body)).size, 1)
    // The request that was cut may have been sent twice over a pooled socket. The receiver processes it once.
    assert.isAtLeast(sink.requests.length, 3)
    assert.lengthOf(sink.acted, 1)
  })

  it("signs tenant, delivery, timestamp and body, once per secret", async () => {
    await send({ secrets: [Redacted.make("s3cret"), Redacted.make("older")] })
    const { body, headers } = sink.requests[0]!
    const timestamp = String(headers["x-signalbox-timestamp"])
    assert.strictEqual(
      headers["x-signalbox-signature"],
      ["s3cret", "older"]
        .map((secret) => createHmac("sha256", secret).update(`v1.7.run-1/0.${timestamp}.${body}`).digest("hex"))
        .map((hex) => `v1=${hex}`)
        .join(",")
    )
    assert.isBelow(Math.abs(Date.now() / 1_000 - Number(timestamp)), 5)
  })

  it.each([
    [{ cut: true }, "perhaps"],
    [{ hang: true }, "perhaps"],
    [{ status: 503 }, "yes"]
  ])("%j can be tried again", async (behaviour, reached) => {
    sink.behaviour = behaviour
    const result = await send("hang" in behaviour ? { timeout: Duration.seconds(3) } : {})
    assert(result._tag === "Retryable")
    assert.strictEqual(result.reached, reached)
    expect(result.reason).not.toContain("hunter2")
  })

  it("is permanent for an address that may not be reached, redirects included", async () => {
    const forbidden = await send({ allowCidrs: [] })
    assert.strictEqual(forbidden._tag, "Permanent")
    sink.next(
      { status: 307, headers: { location: "http://169.254.169.254/latest" } },
      { status: 302, headers: { location: "/else" } }
    )
    assert.strictEqual((await send())._tag, "Permanent")
    assert.strictEqual((await send())._tag, "Permanent")
    assert.lengthOf(sink.requests, 2)
    expect(JSON.stringify(forbidden)).not.toContain("hunter2")
  })

  const now = Date.parse("2024-01-01T00:00:00Z")
  it.each([
    [200, undefined, "Delivered", undefined],
    [204, undefined, "Delivered", undefined],
    [299, undefined, "Delivered", undefined],
    [304, undefined, "Permanent", undefined],
    [400, undefined, "Permanent", undefined],
    [401, "5", "Permanent", undefined],
    [404, undefined, "Permanent", undefined],
    [408, undefined, "Retryable", undefined],
    [409, undefined, "Retryable", undefined],
    [410, undefined, "Permanent", undefined],
    [422, undefined, "Permanent", undefined],
    [425, undefined, "Retryable", undefined],
    [429, undefined, "Retryable", undefined],
    [429, "120", "Retryable", 120_000],
    [429, "Mon, 01 Jan 2024 00:00:30 GMT", "Retryable", 30_000],
    [429, "Sun, 31 Dec 2023 00:00:00 GMT", "Retryable", 0],
    [429, "soon", "Retryable", undefined],
    [429, "-5x", "Retryable", undefined],
    [500, "9", "Retryable", undefined],
    [503, "9", "Retryable", 9_000]
  ])("status %i with Retry-After %s: %s", (status, retryAfter, tag, pause) => {
    const result = outcome({ status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } }, now)
    assert.deepStrictEqual([result._tag, "retryAfter" in result ? result.retryAfter : undefined], [tag, pause])
  })
})
