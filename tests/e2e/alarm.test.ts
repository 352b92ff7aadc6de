/** From a mail to a webhook, a message and the ledger. Everything is real except for the bot API. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { adminChat, device, mailbox, startPath, type Way } from "./Path.ts"

const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const anyId = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

describePeers(["swaks", "postfix", "dovecot"], "an alarm mail, end to end", () => {
  const ways: ReadonlyArray<readonly [Way, string, object]> = [
    ["mailbox", "swaks to Postfix to Dovecot, by IMAP", { kind: "imap", mailbox: "alarms" }],
    [
      "listener",
      "swaks to our own SMTP listener",
      { kind: "smtp", envelope_from: device, envelope_to: [mailbox.address], client_address: "127.0.0.1" }
    ]
  ]

  it.live(
    "each way in: trigger, ledger, webhook and message, in the words of the interface",
    () =>
      Effect.gen(function* () {
        const path = yield* startPath
        for (const [way, title, source] of ways) {
          const subject = `CRITICAL:WEBHOOK+${path.sinkUrl}/${way}?a=1;b=2;MESSENGER+4711`
          yield* path.send(way, { subject, body: `The ${way} is on fire.\n` })
          const run = yield* path.run(subject)
          const messageId = { message_id: expect.stringContaining("@swaks.test") }

          expect(yield* path.triggersOf(subject), title).toEqual([
            {
              trigger_key: expect.any(String),
              event_type: "email.alarm.received",
              payload: {
                email_subject: subject,
                email_body: expect.stringMatching(new RegExp(`^The ${way} is on fire\\.\\s*$`)),
                email_from: device
              },
              source: { ...source, ...messageId },
              tenant_id: expect.any(Number),
              received_at: anyTime
            }
          ])

          const delivered = {
            state: "delivered",
            due_at: null,
            fallback_of: null,
            options: {},
            possible_second: false,
            reason: expect.any(String)
          }
          const attempts = [
            { number: 1, state: "delivered", started_at: anyTime, finished_at: anyTime, detail: expect.any(String) }
          ]
          expect(run, title).toEqual({
            id: anyId,
            seq: expect.any(Number),
            workflow: "alarm",
            event_type: "email.alarm.received",
            state: "delivered",
            reason: null,
            severity: "CRITICAL",
            subject,
            body: expect.stringContaining(`The ${way} is on fire.`),
            sender: device,
            mode: "parallel",
            retry: null,
            source: { ...source, ...messageId },
            target_count: 2,
            delivered_count: 2,
            received_at: anyTime,
            created_at: anyTime,
            finished_at: anyTime,
            acknowledged_at: null,
            acknowledged_by: null,
            acknowledged_name: null,
            title: `The ${way} is on fire.`,
            steps: [
              { name: "email.parse_subject", state: "done", at: anyTime },
              { name: "comm.dispatch_actions", state: "done", detail: "2 of 2 delivered", at: anyTime },
              { name: "comm.log_result", state: "done", at: anyTime }
            ],
            targets: [
              { position: 0, channel: "webhook", target: `${path.sinkUrl}/${way}?a=1;b=2`, ...delivered, attempts },
              { position: 1, channel: "messenger", target: "4711", ...delivered, attempts }
            ]
          })

          const requests = path.sink.requests.filter((request) => request.path === `/${way}?a=1;b=2`)
          expect(requests, title).toHaveLength(1)
          expect(requests[0], title).toMatchObject({
            method: "POST",
            key: anyId,
            headers: { "content-type": "application/json" }
          })
          expect(JSON.parse(requests[0]!.body), title).toEqual({
            run_id: run.id,
            event_type: "email.alarm.received",
            severity: "CRITICAL",
            subject: `CRITICAL:WEBHOOK+${path.sinkUrl}/${way}?a=1;b=2`,
            title: `The ${way} is on fire.`,
            body: run.body,
            from: device,
            timestamp: run.received_at
          })
          expect(path.bot.messages.at(-1), title).toMatchObject({
            chatId: "4711",
            text: `CRITICAL: The ${way} is on fire.`
          })
        }
        expect(path.bot.messages).toHaveLength(2)
      }),
    120_000
  )

  it.live(
    "mails as devices write them: HTML only, coded words, folded and lower-case subjects, no text",
    () =>
      Effect.gen(function* () {
        const path = yield* startPath
        const html = `INFO:WEBHOOK+${path.sinkUrl}/html`
        yield* path.send("mailbox", {
          subject: html,
          body: "<html><head><style>p{}</style></head><body><p>K\u00fchlung &amp; L\u00fcftung</p><p>aus</p></body></html>",
          headers: {
            "MIME-Version": "1.0",
            "Content-Type": "text/html; charset=utf-8",
            "Content-Transfer-Encoding": "8bit"
          }
        })
        const coded = `WARNING:WEBHOOK+${path.sinkUrl}/caf%C3%A9;MESSENGER+@alarm_chat`
        yield* path.send("listener", {
          subject: `=?utf-8?B?${Buffer.from(`WARNING:WEBHOOK+${path.sinkUrl}/caf\u00e9;MESSENGER+@Alarm_Chat`).toString("base64")}?=`,
          body: "=FCbel\n",
          headers: {
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=iso-8859-1",
            "Content-Transfer-Encoding": "quoted-printable",
            From: `"Ger\u00e4t" <${device}>`
          }
        })
        const loose = `alert : webhook + ${path.sinkUrl}/loose ; retry: 2 X 1 M`
        yield* path.send("mailbox", { subject: loose.replace(" ; ", "\n ; "), body: "" })

        expect((yield* path.run(html)).state).toBe("delivered")
        const seen = (request: string) => {
          const found = path.sink.requests.find((each) => each.path === request)
          return found === undefined ? undefined : (JSON.parse(found.body) as Record<string, string>)
        }
        expect(seen("/html")!["body"]!.trim().split(/\s+/)).toEqual(["K\u00fchlung", "&", "L\u00fcftung", "aus"])

        const codedRun = yield* path.run(`WARNING:WEBHOOK+${path.sinkUrl}/caf\u00e9;MESSENGER+@Alarm_Chat`)
        expect(codedRun).toMatchObject({ state: "delivered", sender: device })
        expect(codedRun.targets.map(({ channel, target }) => `${channel.toUpperCase()}+${target}`).join(";")).toBe(
          coded.replace("WARNING:", "")
        )
        expect(seen("/caf%C3%A9")).toMatchObject({
          severity: "WARNING",
          body: expect.stringContaining("\u00fcbel"),
          from: device
        })
        expect(path.bot.messages).toMatchObject([{ chatId: "@alarm_chat", text: "WARNING: \u00fcbel" }])

        const looseRun = yield* path.run(loose)
        expect(looseRun).toMatchObject({
          severity: "ALERT",
          state: "delivered",
          retry: { attempts: 2, pause_minutes: 1 }
        })
        // A mail without text says so, and its subject is the one of this target.
        expect(seen("/loose")).toMatchObject({
          subject: `ALERT:WEBHOOK+${path.sinkUrl}/loose;RETRY:2x1m`,
          body: `Alarm ohne Text von ${device}`
        })
      }),
    120_000
  )

  it.live(
    "nothing ends in silence: malformed, from a stranger, twice",
    () =>
      Effect.gen(function* () {
        const path = yield* startPath
        const malformed = `CRITICAL:PIGEON+${path.sinkUrl}/pigeon`
        yield* path.send("mailbox", { subject: malformed, body: "x" })
        const refused = yield* path.run(malformed)
        expect(refused).toMatchObject({
          state: "rejected",
          sender: device,
          reason: expect.stringMatching(/PIGEON/i),
          steps: [
            { name: "email.parse_subject", state: "failed" },
            { name: "comm.dispatch_actions" },
            { name: "comm.log_result", state: "done" }
          ],
          targets: [{ channel: "messenger", target: adminChat, state: "delivered" }]
        })
        expect(path.bot.messages).toMatchObject([
          { chatId: adminChat, text: expect.stringContaining(`CRITICAL:PIGEON+${path.sinkUrl}/…`) }
        ])
        expect(path.bot.messages[0]!.text).toContain(device)

        const strangers: ReadonlyArray<readonly [string, string]> = [
          [`CRITICAL:WEBHOOK+${path.sinkUrl}/stranger;MESSENGER+4711`, "mallory@elsewhere.example"],
          // Errors in mails of unknown senders are not reported to anybody.
          ["CRITICAL:NONSENSE", "mallory@elsewhere.example"],
          [`CRITICAL:WEBHOOK+${path.sinkUrl}/lookalike`, "device@allowed.example.elsewhere.example"]
        ]
        for (const [subject, from] of strangers) {
          yield* path.send("listener", { subject, body: "x", from })
          expect(yield* path.run(subject)).toMatchObject({
            state: "rejected",
            sender: from,
            reason: expect.any(String),
            target_count: 0,
            steps: [
              { name: "email.parse_subject", state: "failed" },
              { name: "comm.dispatch_actions", state: "skipped" },
              { name: "comm.log_result", state: "done" }
            ]
          })
        }

        const twice = `INFO:WEBHOOK+${path.sinkUrl}/twice`
        yield* path.send("mailbox", { subject: twice, body: "x" })
        const first = yield* path.run(twice, "delivered")
        yield* path.send("listener", { subject: twice, body: "x" })
        const second = yield* path.run(twice, "duplicate")
        expect(second.id).not.toBe(first.id)
        expect(second).toMatchObject({ target_count: 0, reason: expect.stringContaining("600") })

        expect(path.sink.requests.map((request) => request.path)).toEqual(["/twice"])
        expect(path.bot.messages).toHaveLength(1)
      }),
    120_000
  )
})
