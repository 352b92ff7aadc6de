/** Mails submitted to a real Postfix, counted by mail-admin. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync } from "node:fs"
import { connect } from "node:net"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { events, mailServer, startAdmin } from "../Admin.ts"

const user = { address: "ann@example.test", password: "secret" }
const credentials = Buffer.from(`\0${user.address}\0${user.password}`).toString("base64")

/** Settings of the README, plus permission for clients to set their address (XCLIENT). */
const settings = (service: string) => [
  `smtpd_end_of_data_restrictions = check_policy_service ${service}`,
  "smtpd_policy_service_default_action = dunno",
  "smtpd_policy_service_timeout = 5s",
  "smtpd_authorized_xclient_hosts = 127.0.0.0/8"
]

/** Submits `count` mails on one connection as a client with that address. */
const handIn = (port: number, from: string, count: number, signedIn = true) =>
  Effect.scoped(
    Effect.gen(function* () {
      const smtp = yield* RawSmtp.connect({ port })
      const codes = [
        yield* smtp.reply,
        yield* smtp.say("EHLO a.test"),
        yield* smtp.say(`XCLIENT ADDR=${from}`),
        yield* smtp.say("EHLO a.test")
      ]
      if (signedIn) codes.push(yield* smtp.say(`AUTH PLAIN ${credentials}`))
      for (let mail = 0; mail < count; mail++) {
        codes.push(
          yield* smtp.say(`MAIL FROM:<${user.address}>`),
          yield* smtp.say("RCPT TO:<bob@example.test>"),
          yield* smtp.data("Subject: x\n\ny")
        )
      }
      expect(codes.map(({ code }) => code).filter((code) => code >= 400)).toEqual([])
    })
  )

/** A directory as in config/postfix/README.md. */
const postfixDirectory = Effect.map(scratchFolder("postfix-sockets"), (folder) => {
  chmodSync(folder, 0o755)
  mkdirSync(`${folder}/signalbox`)
  Postfix.ownFolder(`${folder}/signalbox`)
  return `${folder}/signalbox`
})

/** Whether a process of this user can connect to a socket, which needs the right to write. */
const mayConnect = (user: string, path: string): boolean => {
  const id = (flag: string) => execFileSync("id", [flag, user], { encoding: "utf8" }).trim()
  const words = ["--reuid", id("-u"), "--regid", id("-g"), "--clear-groups", "test", "-w", path]
  return spawnSync("setpriv", words).status === 0
}

/** A policy request that would count a mail of this address. */
const blame = (address: string) =>
  `request=smtpd_access_policy\nprotocol_state=END-OF-MESSAGE\nclient_address=${address}\nsasl_username=ann\n\n`

const components = (suite: TestSuite) =>
  Effect.map(suite.call("GET", "/health"), ({ json }) => (json.daemons?.["mail-admin"] ?? json).components)

describePeers(["postfix"], "the sockets for Postfix", () => {
  it.live(
    "let Postfix in and no other user of the machine; without them no port counts mails",
    () =>
      Effect.gen(function* () {
        const directory = yield* postfixDirectory
        for (const left of ["policy", "lookups"]) {
          // As after a kill: the files exist, and nobody listens.
          const node = `require("net").createServer().listen("${directory}/${left}", () => process.kill(process.pid, "SIGKILL"))`
          spawnSync(process.execPath, ["-e", node])
          expect(existsSync(`${directory}/${left}`)).toBe(true)
        }
        const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POSTFIX_DIR: directory } })
        yield* until(
          "both listen",
          Effect.map(
            components(suite),
            ({ mail_lookups, policy_service }) => mail_lookups.status === "ok" && policy_service.status === "ok"
          )
        )
        for (const name of ["policy", "lookups"]) {
          expect(["postfix", "nobody"].map((user) => mayConnect(user, `${directory}/${name}`))).toEqual([true, false])
        }
        expect((yield* components(yield* startAdmin())).policy_service.status).toBe("unconfigured")
      }),
    120_000
  )

  it.live(
    "are replaced by a port only for listed networks",
    () =>
      Effect.gen(function* () {
        const flooded = Effect.fnUntraced(function* (clients: string, address: string) {
          const port = yield* freePort
          const env = { SIGNALBOX_POLICY_PORT: String(port), SIGNALBOX_POLICY_CLIENTS: clients }
          const suite = yield* startAdmin({ env: { ...mailServer, ...env } })
          yield* until(
            "it listens",
            Effect.map(components(suite), ({ policy_service }) => policy_service.status === "ok")
          )
          const socket = connect(port, "127.0.0.1")
          let answers = 0
          let isClosed = false
          socket.on("data", (chunk: Buffer) => {
            answers += 1
            if (answers < 20) socket.write(blame(address))
            else if (chunk.length > 0) socket.end()
          })
          socket.on("error", () => undefined)
          socket.once("close", () => (isClosed = true))
          socket.write(blame(address))
          yield* until(
            "the connection is closed",
            Effect.sync(() => isClosed)
          )
          return { suite, answers }
        })
        expect((yield* flooded("192.0.2.0/24", "198.51.100.7")).answers).toBe(0)
        const listed = yield* flooded("127.0.0.0/8", "198.51.100.7")
        expect(listed.answers).toBe(20)
        yield* until(
          "the ban",
          Effect.map(events(listed.suite, "security.ban."), (all) => all.length === 1)
        )
      }),
    120_000
  )
})

describePeers(["postfix", "dovecot", "swaks"], "mails handed in at Postfix", () => {
  it.live(
    "twenty mails of an authenticated client cause one ban, nineteen none, and mails of other servers never count",
    () =>
      Effect.gen(function* () {
        const directory = yield* postfixDirectory
        const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POSTFIX_DIR: directory } })
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postfix = yield* Postfix.make({
          lmtpPort: yield* freePort,
          authSocket: dovecot.submissionAuthSocket,
          settings: settings(`unix:${directory}/policy`)
        })
        const heard = Effect.map(events(suite, "security.ban."), (all) =>
          all.map(({ address, rule }) => [address, rule])
        )
        yield* handIn(postfix.smtpPort, "192.0.2.1", 25, false)
        yield* handIn(postfix.smtpPort, "192.0.2.19", 19)
        yield* handIn(postfix.smtpPort, "192.0.2.20", 21)
        yield* until(
          "the ban",
          Effect.map(heard, (found) => found.length > 0)
        )
        expect(yield* heard).toEqual([["192.0.2.20", "mail-spam-sender"]])
        yield* handIn(postfix.smtpPort, "192.0.2.19", 1)
        yield* until(
          "the next ban",
          Effect.map(heard, (found) => found.length === 2)
        )
      }),
    120_000
  )

  it.live(
    "are delivered while we are away, and a socket in use is reported and retried",
    () =>
      Effect.gen(function* () {
        const directory = yield* postfixDirectory
        const first = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POSTFIX_DIR: directory } })
        const health = (suite: typeof first) =>
          Effect.map(
            suite.call("GET", "/health"),
            ({ json }) => (json.daemons?.["mail-admin"] ?? json).components.policy_service
          )
        yield* until(
          "it listens",
          Effect.map(health(first), ({ status }) => status === "ok")
        )
        const second = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_POSTFIX_DIR: directory } })
        yield* until(
          "the second waits",
          Effect.map(
            health(second),
            ({ detail, status }) => status === "degraded" && detail === `${directory}/policy is held by another process`
          )
        )
        const away = `unix:${directory}/away`
        const postfix = yield* Postfix.make({ lmtpPort: yield* freePort, settings: settings(away) })
        const sent = yield* Swaks.send({
          port: postfix.smtpPort,
          from: user.address,
          to: "bob@example.test",
          subject: "x",
          body: "y"
        })
        expect(sent.accepted, sent.transcript).toBe(true)
      }),
    120_000
  )
})
