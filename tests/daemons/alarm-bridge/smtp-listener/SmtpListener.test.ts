import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { spawnSync } from "node:child_process"
import { SMTPServer } from "smtp-server"
import { describe, expect } from "vitest"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { serverOptions } from "#daemons/alarm-bridge/smtp-listener/SmtpListener.ts"
import type { ListenerConfig } from "#daemons/alarm-bridge/smtp-listener/SmtpSettings.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import { freshDatabase, freshDatabaseOn, socketVariable, startServer, temporaryDirectory } from "#support/Postgres.ts"
import { processesIn, signal } from "#support/Processes.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { smtpPort, startBridge, status, statusWhen, subjects, triggers, watched, withLog } from "../Bridge.ts"

/** Longest time to the answer of a mail. Unit: milliseconds. Source: the promise of the listener. */
const answerLimit = 6_000

const greet = Effect.fnUntraced(function* (port: number, options: { readonly tls?: boolean } = {}) {
  const smtp = yield* RawSmtp.connect({ port, ...options })
  expect((yield* smtp.reply).code).toBe(220)
  const hello = yield* smtp.say("EHLO device.test")
  expect(hello.code).toBe(250)
  return { ...smtp, offers: hello.lines.join("\n") }
})

const begin = Effect.fnUntraced(function* (port: number) {
  const smtp = yield* greet(port)
  yield* smtp.say("MAIL FROM:<device@example.test>")
  yield* smtp.say("RCPT TO:<anything@anywhere>")
  return smtp
})

const message = (subject: string) =>
  `From: "Device" <device@example.test>\nSubject: ${subject}\nMessage-ID: <1@device>\n\nbody\n`

/** Sends one mail on a new connection. Returns the reply to the final dot, or the refusal. */
const send = (port: number, text: string) => Effect.scoped(Effect.flatMap(begin(port), (smtp) => smtp.data(text)))

describe("the SMTP listener", () => {
  it.live("refuses a banned address before anything else, and no other", () =>
    Effect.gen(function* () {
      const config = {
        smtpTls: "off",
        smtpAuth: "off",
        smtpMaxBytes: 1_024,
        smtpMaxConnections: 10,
        smtpTimeout: 60
      } as ListenerConfig
      const answer = (banned: (address: string) => boolean) =>
        Effect.gen(function* () {
          const port = yield* freePort
          const server = new SMTPServer(serverOptions(config, undefined, banned))
          yield* Effect.acquireRelease(
            Effect.promise(() => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()))),
            () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
          )
          return yield* (yield* RawSmtp.connect({ port })).reply
        }).pipe(Effect.scoped)
      expect((yield* answer((address) => address === "127.0.0.1")).code).toBe(554)
      expect((yield* answer((address) => address === "127.0.0.2")).code).toBe(220)
    })
  )

  it.live(
    "a mail to any recipient becomes one trigger, and 250 is said when it is stored",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({})
        const port = yield* smtpPort(bridge)
        const smtp = yield* greet(port)
        expect(smtp.offers).toMatch(/SIZE 10485760/)
        expect(smtp.offers).not.toMatch(/STARTTLS|AUTH/)
        expect((yield* smtp.say("STARTTLS")).code).toBeGreaterThanOrEqual(500)
        expect((yield* smtp.say("MAIL FROM:<envelope@example.test>")).code).toBe(250)
        for (const to of [
          "<one@example.test>",
          "<two@localhost>",
          "<@route:three@example.test>",
          "<postmaster>",
          "<.x..@bad_host>"
        ])
          expect((yield* smtp.say(`RCPT TO:${to}`)).code).toBe(250)
        const reply = yield* smtp.data(message("CRITICAL:WEBHOOK+http://h/a;b"))
        expect(reply).toMatchObject({ code: 250 })
        const [trigger, ...more] = yield* triggers(bridge)
        expect(more).toEqual([])
        expect(reply.lines[0]).toContain(trigger!.trigger_key)
        expect(trigger).toMatchObject({
          trigger_key: expect.stringMatching(/^smtp:[0-9a-f-]{36}$/),
          event_type: "email.alarm.received",
          payload: {
            email_subject: "CRITICAL:WEBHOOK+http://h/a;b",
            email_body: "body",
            email_from: "device@example.test"
          },
          source: {
            kind: "smtp",
            envelope_from: "envelope@example.test",
            envelope_to: expect.arrayContaining(["one@example.test"]),
            client_address: "127.0.0.1",
            message_id: "<1@device>"
          }
        })
        // A second mail on the same connection, with a null sender.
        yield* smtp.say("MAIL FROM:<>")
        yield* smtp.say("RCPT TO:<one@example.test>")
        expect((yield* smtp.data(message("two"))).code).toBe(250)
        expect(yield* subjects(bridge, 2)).toHaveLength(2)
        expect((yield* triggers(bridge))[1]!.source.envelope_from).toBe("")
      }),
    30_000
  )

  it.live(
    "hostile input gets a reply and nothing is lost of what was answered 250",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({ env: { SIGNALBOX_ALARM_SMTP_TIMEOUT_SECONDS: "2" } })
        const port = yield* smtpPort(bridge)
        const deep = Array.from(
          { length: 500 },
          (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}`
        ).join("\r\n")
        const taken: Array<readonly [string, string | Uint8Array]> = [
          ["8-bit header", Buffer.from("Subject: T\u00fcr\r\n\r\nx\r\n", "latin1")],
          ["NUL", "Subject: nu\0l\r\n\r\na\0b\r\n"],
          ["no header", "just words\r\n"],
          ["nothing", "\r\n"],
          ["dots", "Subject: dots\r\n\r\n..\r\n.. x\r\n"],
          [
            "bytes of all kinds",
            Buffer.concat([
              Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 7919) % 256)),
              Buffer.from("\r\n")
            ])
          ],
          ["deep nesting", `Subject: deep\r\n${deep}\r\n`],
          ["a header of 2 MB", `Subject: huge\r\nX: ${"y".repeat(2_000_000)}\r\n\r\nx\r\n`],
          [
            "bare LF around a dot",
            "Subject: smuggled\r\n\r\na\n.\nMAIL FROM:<evil@example.test>\nRCPT TO:<a@b>\nDATA\nSubject: evil\n\nx\r\n"
          ],
          ["a dot before a bare LF", "Subject: smuggled too\r\n\r\na\r\n.\nMAIL FROM:<evil@example.test>\r\n"],
          ["a dot after a bare LF", "Subject: smuggled three\r\n\r\na\n.\r\nMAIL FROM:<evil@example.test>\r\n"]
        ]
        for (const [name, bytes] of taken) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const smtp = yield* begin(port)
              yield* smtp.say("DATA")
              yield* smtp.write(bytes)
              yield* smtp.write(".\r\n")
              expect((yield* smtp.reply).code, name).toBe(250)
              expect((yield* smtp.say("QUIT")).code, name).toBe(221)
            })
          )
        }
        // Several commands and the mail in one write.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const codes: Array<number> = []
            const smtp = yield* RawSmtp.connect({ port })
            codes.push((yield* smtp.reply).code)
            yield* smtp.write(
              "EHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\nSubject: pipelined\r\n\r\nx\r\n.\r\nQUIT\r\n"
            )
            while (codes.at(-1) !== 221) codes.push((yield* smtp.reply).code)
            expect(codes).toEqual([220, 250, 250, 250, 354, 250, 221])
          })
        )
        const expected = [
          "Tür",
          "nu l",
          "",
          "",
          "dots",
          "",
          "deep",
          "huge",
          "smuggled",
          "smuggled too",
          "smuggled three",
          "pipelined"
        ]
        const found = yield* triggers(bridge)
        expect(found.map((trigger) => trigger.payload.email_subject).sort()).toEqual(expected.sort())
        expect(found.find((trigger) => trigger.payload.email_subject === "smuggled")!.payload.email_body).toContain(
          "MAIL FROM"
        )
        expect(found.find((trigger) => trigger.payload.email_subject === "dots")!.payload.email_body).toBe(".\n. x")

        // Spam senders talk before the greeting.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* RawSmtp.connect({ port })
            yield* smtp.write("EHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\nSubject: early\r\n\r\nx\r\n.\r\n")
            yield* smtp.closed
          })
        )
        // Input that is no mail: a reply or a disconnection, but no trigger.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* greet(port)
            expect((yield* smtp.say("DATA")).code).toBe(503)
            expect((yield* smtp.say("MAIL FROM:<a@x> SIZE=999999999")).code).toBe(552)
            expect((yield* smtp.say("\u0000\u0001\u00ff")).code).toBe(500)
            expect((yield* smtp.say("RCPT TO:<a@x>")).code).toBe(503)
            expect((yield* smtp.say("X".repeat(20_000))).code).toBe(421)
            yield* smtp.closed
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const cut = yield* begin(port)
            yield* cut.say("DATA")
            yield* cut.write("Subject: cut off\r\n\r\nhalf")
            yield* cut.reset
            const slow = yield* begin(port)
            yield* slow.say("DATA")
            yield* slow.write("Subject: silent\r\n\r\nhalf")
            expect((yield* slow.reply).code).toBe(421)
            yield* slow.closed
            const trickling = yield* begin(port)
            yield* trickling.say("DATA")
            yield* trickling.writeSlowly("Subject: trickled\r\n\r\nx\r\n.\r\n", { size: 3, pause: 20 })
            expect((yield* trickling.reply).code).toBe(250)
          })
        )
        expect((yield* subjects(bridge, expected.length + 1)).slice(-1)).toEqual(["trickled"])
        expect(yield* triggers(bridge)).toHaveLength(expected.length + 1)
        expect((yield* bridge.call("GET", "/health")).json.status).toBe("ok")
      }),
    60_000
  )

  it.live(
    "a mail beyond the limit gets 552, connections beyond theirs 421",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({
          env: { SIGNALBOX_ALARM_SMTP_MAX_BYTES: "20000", SIGNALBOX_ALARM_SMTP_MAX_CONNECTIONS: "2" }
        })
        const port = yield* smtpPort(bridge)
        expect(yield* send(port, `${message("large")}${"x".repeat(76)}\n`.repeat(300))).toMatchObject({ code: 552 })
        const one = yield* greet(port)
        expect(one.offers).toMatch(/SIZE 20000/)
        yield* greet(port)
        const third = yield* RawSmtp.connect({ port })
        expect((yield* third.reply).code).toBe(421)
        expect(yield* triggers(bridge)).toEqual([])
        yield* one.say("MAIL FROM:<a@x>")
        yield* one.say("RCPT TO:<a@x>")
        expect((yield* one.data(message("fits"))).code).toBe(250)
      }),
    30_000
  )

  it.live(
    "sign-in: none without, 535 for a wrong password, and no password in any log",
    () =>
      withLog((log) =>
        Effect.gen(function* () {
          const plain = (password: string) => `AUTH PLAIN ${Buffer.from(`\0device\0${password}`).toString("base64")}`
          const bridge = yield* startBridge({
            env: {
              SIGNALBOX_ALARM_SMTP_AUTH: "required",
              SIGNALBOX_ALARM_SMTP_USER: "device",
              SIGNALBOX_ALARM_SMTP_PASSWORD: "opensesame"
            }
          })
          const port = yield* smtpPort(bridge)
          const smtp = yield* greet(port)
          expect(smtp.offers).toMatch(/AUTH/)
          expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(530)
          expect((yield* smtp.say(plain("wrongpassword"))).code).toBe(535)
          expect((yield* smtp.say(plain(""))).code).toBe(535)
          expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(530)
          expect((yield* smtp.say(plain("opensesame"))).code).toBe(235)
          yield* smtp.say("MAIL FROM:<a@x>")
          yield* smtp.say("RCPT TO:<a@x>")
          expect((yield* smtp.data(message("signed in"))).code).toBe(250)
          expect(yield* subjects(bridge, 1)).toEqual(["signed in"])
          expect((yield* triggers(bridge))[0]!.source).toMatchObject({ kind: "smtp", authenticated: true })
          expect(log()).toMatch(/accepted a mail/)
          expect(log()).not.toMatch(
            new RegExp(
              ["opensesame", "wrongpassword"]
                .flatMap((word) => [word, Buffer.from(word).toString("base64").slice(0, 12)])
                .join("|")
            )
          )
        })
      ),
    30_000
  )

  it.live(
    "who did not sign in where it is optional is not marked, whatever was tried",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({
          env: {
            SIGNALBOX_ALARM_SMTP_AUTH: "optional",
            SIGNALBOX_ALARM_SMTP_USER: "device",
            SIGNALBOX_ALARM_SMTP_PASSWORD: "opensesame"
          }
        })
        const smtp = yield* greet(yield* smtpPort(bridge))
        expect((yield* smtp.say(`AUTH PLAIN ${Buffer.from("\0device\0wrong").toString("base64")}`)).code).toBe(535)
        yield* smtp.say("MAIL FROM:<a@x> AUTH=<device>")
        yield* smtp.say("RCPT TO:<a@x>")
        expect(
          (yield* smtp.data(
            `Authentication-Results: mx;\n auth=pass smtp.auth=device\nIn-Reply-To: <1@alarm>\n${message("a stranger")}`
          )).code
        ).toBe(250)
        const [trigger] = yield* triggers(bridge)
        expect(trigger!.source).toEqual({
          kind: "smtp",
          envelope_from: "a@x",
          envelope_to: ["a@x"],
          client_address: "127.0.0.1",
          message_id: "<1@device>",
          in_reply_to: ["<1@alarm>"],
          authentication_results: "mx; auth=pass smtp.auth=device"
        })
      }),
    30_000
  )

  it.live(
    "TLS: offered, required, or from the first byte",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryDirectory()
        const made = spawnSync("openssl", [
          ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout".split(
            " "
          ),
          `${folder}/key`,
          "-out",
          `${folder}/cert`
        ])
        expect(made.status).toBe(0)
        const files = { SIGNALBOX_ALARM_SMTP_TLS_CERT: `${folder}/cert`, SIGNALBOX_ALARM_SMTP_TLS_KEY: `${folder}/key` }
        const required = yield* startBridge({ env: { ...files, SIGNALBOX_ALARM_SMTP_TLS: "required" } })
        const smtp = yield* greet(yield* smtpPort(required))
        expect(smtp.offers).toMatch(/STARTTLS/)
        expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(530)
        // A command sent before the TLS handshake must not be executed after it.
        expect((yield* smtp.startTls).code).toBe(220)
        yield* smtp.say("EHLO device")
        expect((yield* smtp.say("MAIL FROM:<a@x>")).code).toBe(250)
        yield* smtp.say("RCPT TO:<a@x>")
        expect((yield* smtp.data(message("over STARTTLS"))).code).toBe(250)
        // With TLS, smtp-server reports `false` for a missing user.
        expect((yield* triggers(required)).map(({ source }) => source.authenticated)).toEqual([undefined])

        const implicit = yield* startBridge({ env: { ...files, SIGNALBOX_ALARM_SMTP_TLS: "implicit" } })
        const secure = yield* greet(yield* smtpPort(implicit), { tls: true })
        yield* secure.say("MAIL FROM:<a@x>")
        yield* secure.say("RCPT TO:<a@x>")
        expect((yield* secure.data(message("over TLS"))).code).toBe(250)
        expect(yield* subjects(implicit, 1)).toEqual(["over TLS"])
      }),
    30_000
  )

  it.live(
    "while the database is away a mail waits, then gets 451; nothing is stored twice",
    () =>
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const bridge = yield* startBridge({ database })
        const port = yield* smtpPort(bridge)
        const name = database.target.database
        const admin = (statements: ReadonlyArray<string>) =>
          withClient(socketTarget(process.env[socketVariable]!, "postgres", "postgres"), (sql) =>
            Effect.forEach(statements, (statement) => sql.unsafe(statement))
          )
        const cut = [
          `alter database ${name} with allow_connections false`,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
        ]
        const mend = [`alter database ${name} with allow_connections true`]

        yield* admin(cut)
        const short = yield* Effect.forkChild(send(port, message("waited")))
        yield* Effect.sleep(1_500)
        yield* admin(mend)
        expect((yield* Fiber.join(short)).code).toBe(250)

        yield* admin(cut)
        const started = performance.now()
        const long = yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* begin(port)
            yield* smtp.say("DATA")
            yield* smtp.write(RawSmtp.dotStuffed(message("put off")))
            return yield* smtp.reply
          })
        )
        expect(long).toMatchObject({ code: 451, lines: [expect.stringMatching(/^4\.3\.0 .*try again/)] })
        expect(performance.now() - started).toBeLessThan(answerLimit)
        yield* admin(mend)
        yield* statusWhen(bridge, ({ smtp }) => smtp.state === "listening")
        expect(yield* subjects(bridge, 1)).toEqual(["waited"])
        expect((yield* send(port, message("again"))).code).toBe(250)
        expect(yield* subjects(bridge, 2)).toEqual(["waited", "again"])
      }),
    60_000
  )

  it.live(
    "a database that is silent delays the answer no longer; the repeated mail is stored once",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer
        const bridge = yield* startBridge({ database: yield* freshDatabaseOn(server.socketDir) })
        const processes = processesIn(server.layout.data)
        const all = (name: NodeJS.Signals) => Effect.sync(() => processes.forEach((pid) => signal(pid, name)))
        yield* Effect.addFinalizer(() => all("SIGCONT"))
        const port = yield* smtpPort(bridge)
        yield* all("SIGSTOP")
        const started = performance.now()
        const replies = yield* Effect.all([send(port, message("same")), send(port, message("other"))], {
          concurrency: 2
        })
        expect(replies.map(({ code }) => code)).toEqual([451, 451])
        expect(performance.now() - started).toBeLessThan(answerLimit)
        yield* all("SIGCONT")
        expect((yield* send(port, message("same"))).code).toBe(250)
        expect(yield* subjects(bridge, 1)).toEqual(["same"])
      }),
    60_000
  )

  it.live(
    "a second process waits for the port without complaint and takes it over",
    () =>
      Effect.gen(function* () {
        const env = { SIGNALBOX_ALARM_SMTP_PORT: String(yield* freePort) }
        const database = yield* freshDatabase
        const scope = yield* Scope.make()
        yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
        const first = yield* Scope.provide(startBridge({ database, env }), scope)
        const port = yield* smtpPort(first)
        const second = yield* startBridge({ database, env })
        yield* statusWhen(second, ({ smtp }) => smtp.state === "waiting")
        // Not the status of the daemon: on a busy machine it is degraded for the delay of its event loop.
        expect((yield* second.call("GET", "/health")).json).toMatchObject({
          components: { smtp: { status: "ok", detail: "waiting" } }
        })
        yield* Scope.close(scope, Exit.void)
        expect(yield* smtpPort(second)).toBe(port)
        expect((yield* send(port, message("after"))).code).toBe(250)
      }),
    30_000
  )

  it.live(
    "the status is for callers with a token",
    () =>
      Effect.gen(function* () {
        const bridge = yield* startBridge({ env: { SIGNALBOX_ALARM_SMTP: "off" } })
        expect((yield* bridge.call("GET", "/api/v1/alarm-bridge/status")).status).toBe(401)
        expect(yield* status(bridge)).toEqual({ mailboxes: [], smtp: { state: "off", host: "127.0.0.1", port: null } })
      }),
    20_000
  )
})

describePeers(["swaks", "postfix", "dovecot"], "real mail", () => {
  it.live(
    "swaks to the listener; swaks to Postfix to Dovecot to the mailbox",
    () =>
      Effect.gen(function* () {
        const user = { address: "alarm@example.test", password: "secret" }
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort })
        const bridge = yield* startBridge({
          mailboxes: [
            {
              name: "alarms",
              host: "127.0.0.1",
              port: dovecot.imapPort,
              tls: "none",
              user: user.address,
              password: user.password
            }
          ]
        })
        yield* watched(bridge)
        const mail = { from: "device@example.test", to: user.address, body: "hot" }
        const direct = yield* Swaks.send({ ...mail, port: yield* smtpPort(bridge), subject: "direct" })
        expect(direct.accepted, direct.transcript).toBe(true)
        const relayed = yield* Swaks.send({ ...mail, port: postfix.smtpPort, subject: "relayed" })
        expect(relayed.accepted, relayed.transcript).toBe(true)
        expect((yield* subjects(bridge, 2)).sort()).toEqual(["direct", "relayed"])
      }),
    40_000
  )
})
