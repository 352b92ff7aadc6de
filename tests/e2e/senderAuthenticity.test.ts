/**
 * The option that requires authenticated senders, from the mail to the ledger: our listener and a mailbox, both
 * daemons, a real Postgres and a real receiver. The Authentication-Results headers are written by hand, because the
 * test mail servers do not check senders.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { alarmBridge } from "#daemons/alarm-bridge/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { poll } from "#support/peers/Loopback.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { startSuite } from "#support/TestSuite.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

const device = "device@allowed.example"
const unauthenticated = expect.stringMatching(/^the sender is not authenticated: /)

/** Longest time of one alarm. Unit: milliseconds. Reason: the machine may be loaded. */
const alarmTimeout = 20_000

const start = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const sink = new WebhookSink()
  const url = yield* Effect.acquireRelease(
    Effect.promise(() => sink.start()),
    () => Effect.promise(() => sink.stop())
  )
  const suite = yield* startSuite({
    daemons: [alarmBridge, commDispatcher],
    env: {
      SIGNALBOX_ALARM_SMTP_PORT: "0",
      SIGNALBOX_ALARM_ALLOWED_SENDERS: device,
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_ALARM_AUTHSERV_ID: "mx.provider.example",
      ...env
    }
  })
  const token = yield* suite.token
  const get = (of: string, path: string) => Effect.map(suite.call("GET", path, { of, token }), ({ json }) => json)
  const eventually = <A>(what: string, ask: Effect.Effect<A | undefined>) =>
    Effect.flatMap(
      Effect.promise(() => poll(() => Effect.runPromise(ask), alarmTimeout, 50)),
      (found) => (found === undefined ? Effect.die(new Error(`not in time: ${what}`)) : Effect.succeed(found))
    )
  const status = get("alarm-bridge", "/api/v1/alarm-bridge/status")
  const subjectOf = (name: string) => (name.startsWith("Re: ") ? name : `ALERT:WEBHOOK+${url}/${name}`)
  const mail = (name: string, headers: ReadonlyArray<string>) =>
    [...headers, `From: ${device}`, `Subject: ${subjectOf(name)}`, "", "fire", ""].join("\n")
  return {
    sink,
    mail,
    /** Waits until the listener is open and the mailboxes are watched. */
    ready: eventually(
      "to be ready",
      Effect.map(status, (now) =>
        now.smtp.state === "listening" && now.mailboxes.every((mailbox: any) => mailbox.detection === "idle")
          ? true
          : undefined
      )
    ),
    /** Sends a mail by SMTP; `first`: commands before the envelope. */
    send: (name: string, headers: ReadonlyArray<string>, first: ReadonlyArray<string> = []) =>
      Effect.scoped(
        Effect.gen(function* () {
          const smtp = yield* RawSmtp.connect({ port: (yield* status).smtp.port })
          yield* smtp.reply
          for (const line of [
            "EHLO device.example",
            ...first,
            `MAIL FROM:<${device}>`,
            "RCPT TO:<alarm@provider.example>"
          ]) {
            expect((yield* smtp.say(line)).code).toBeLessThan(300)
          }
          expect((yield* smtp.data(mail(name, headers))).code).toBe(250)
        })
      ),
    /** Waits for the ended run. */
    run: (name: string) =>
      eventually(
        `the run ${name}`,
        Effect.gen(function* () {
          const { items } = yield* get("comm-dispatcher", "/api/v1/workflows/runs?workflow=alarm&limit=200")
          const found = items.find((run: any) => run.subject === subjectOf(name) && run.finished_at !== null)
          return found === undefined ? undefined : yield* get("comm-dispatcher", `/api/v1/workflows/runs/${found.id}`)
        })
      )
  }
})

const ours = "Authentication-Results: mx.provider.example;\n\tdkim=pass (2048-bit key) header.d=allowed.example"
const forged = "Authentication-Results: mx.provider.example; dkim=none; spf=fail smtp.mailfrom=evil.example"
const others = "Authentication-Results: mx.evil.example; dkim=pass header.d=allowed.example"

describe("the option for authentic senders", () => {
  it.live(
    "by SMTP: taken with our server's word on top, refused without, with another's, with it further down",
    () =>
      Effect.gen(function* () {
        const path = yield* start({
          SIGNALBOX_ALARM_SMTP_AUTH: "optional",
          SIGNALBOX_ALARM_SMTP_USER: "device",
          SIGNALBOX_ALARM_SMTP_PASSWORD: "opensesame"
        })
        yield* path.ready
        yield* path.send("passed", ["Received: from x", ours, others, "Message-ID: <passed@device.example>"])
        yield* path.send("silent", [])
        yield* path.send("other", [others])
        yield* path.send("below", [others, ours])
        yield* path.send("failed", [forged, ours])
        yield* path.send("signed-in", [], [`AUTH PLAIN ${Buffer.from("\0device\0opensesame").toString("base64")}`])
        expect(yield* path.run("passed")).toMatchObject({
          state: "delivered",
          source: {
            kind: "smtp",
            authentication_results: "mx.provider.example; dkim=pass (2048-bit key) header.d=allowed.example"
          }
        })
        for (const name of ["silent", "other", "below", "failed"]) {
          expect(yield* path.run(name), name).toMatchObject({
            state: "rejected",
            reason: unauthenticated,
            target_count: 0
          })
        }
        expect((yield* path.run("failed")).reason).toContain(
          "nothing passed for “allowed.example” (dkim=none, spf=fail evil.example)"
        )
        expect(yield* path.run("signed-in")).toMatchObject({ state: "delivered", source: { authenticated: true } })
        expect(path.sink.requests.map((request) => request.path).sort()).toEqual(["/passed", "/signed-in"])
        // An unauthenticated reply does not acknowledge an alarm.
        yield* path.send("Re: forged", [forged, "In-Reply-To: <passed@device.example>"])
        expect(yield* path.run("Re: forged")).toMatchObject({ state: "rejected", reason: unauthenticated })
        yield* path.send("Re: passed", [ours, "In-Reply-To: <passed@device.example>"])
        expect(yield* path.run("Re: passed")).toMatchObject({ state: "acknowledgement" })
      }),
    120_000
  )

  it.live(
    "is off unless it is set",
    () =>
      Effect.gen(function* () {
        const path = yield* start({ SIGNALBOX_ALARM_AUTHSERV_ID: "" })
        yield* path.ready
        yield* path.send("believed", [forged])
        expect(yield* path.run("believed")).toMatchObject({ state: "delivered" })
      }),
    120_000
  )
})

describePeers(["dovecot"], "the option for authentic senders, by mailbox", () => {
  it.live(
    "goes by what the server wrote on top of the mail",
    () =>
      Effect.gen(function* () {
        const user = { address: "alarm@provider.example", password: "secret" }
        const dovecot = yield* Dovecot.make({ users: [user] })
        const path = yield* start({
          SIGNALBOX_ALARM_MAILBOXES: JSON.stringify([
            {
              name: "alarms",
              host: "127.0.0.1",
              port: dovecot.imapPort,
              tls: "none",
              user: user.address,
              password: user.password
            }
          ])
        })
        yield* path.ready
        yield* dovecot.deliver(user.address, path.mail("passed", [ours, "In-Reply-To: <1@alarm.example>"]))
        yield* dovecot.deliver(user.address, path.mail("forged", [forged, ours]))
        expect(yield* path.run("passed")).toMatchObject({
          state: "delivered",
          source: { kind: "imap", in_reply_to: ["<1@alarm.example>"] }
        })
        expect(yield* path.run("forged")).toMatchObject({ state: "rejected", reason: unauthenticated })
        expect(path.sink.requests.map((request) => request.path)).toEqual(["/passed"])
      }),
    120_000
  )
})
