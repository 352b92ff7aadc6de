/**
 * A mail server with the shipped files: real Postfix and Dovecot that read the data created through mail-admin's API.
 * Only names, paths, ports and the password are filled in. The port of the spam filter has no listener, and the policy
 * service has one only where a test opens it.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { chmodSync, existsSync } from "node:fs"
import { createServer } from "node:net"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import * as PurgeHomes from "#daemons/mail-admin/mail-server/PurgeHomes.ts"
import { until } from "#support/Frame.ts"
import { HttpDouble } from "#support/HttpDouble.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import type { DovecotVersion } from "#support/peers/DovecotSnippet.ts"
import * as MailDatabase from "#support/peers/MailDatabase.ts"
import * as MailStack from "#support/peers/MailStack.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, mailServer, startAdmin } from "../daemons/mail-admin/Admin.ts"
import { auth, imap, port25, send, signIn, subjects, submission } from "./MailStackSteps.ts"

const stranger = "someone@elsewhere.test"

/** Body of which two do not fit into a mailbox of 1 MiB. Unit: bytes. */
const bigBody = `${"x".repeat(72)}\n`.repeat(9_000)

class World extends Context.Service<
  World,
  {
    readonly suite: TestSuite
    readonly stack: MailStack.MailStack
    readonly mail: MailDatabase.MailDatabase
    /** API calls of two tenants that share the mail server. */
    readonly calls: ReturnType<typeof callsOf>
    readonly others: ReturnType<typeof callsOf>
    /** Socket of the policy service, without a listener until a test opens one. */
    readonly policySocket: string
  }
>()("test/World") {
  static readonly layer = (version: DovecotVersion) =>
    Layer.effect(
      World,
      Effect.gen(function* () {
        const mail = yield* MailDatabase.make
        const suite = yield* startAdmin({
          database: mail.database,
          env: { ...mailServer, SIGNALBOX_POSTFIX_DIR: mail.postfixDir }
        })
        // Confirms every token as valid for the named user. This is the worst case for a suspended mailbox.
        const believer = new HttpDouble(({ body, response }) => {
          response.setHeader("content-type", "application/json")
          response.end(
            JSON.stringify({
              active: true,
              scope: "imap",
              username: Buffer.from(new URLSearchParams(body).get("token") ?? "", "base64url").toString()
            })
          )
        })
        const server = new URL(
          yield* Effect.acquireRelease(
            Effect.promise(() => believer.start()),
            () => Effect.promise(() => believer.stop())
          )
        ).host
        const policySocket = `${mail.postfixDir}/test`
        const stack = yield* MailStack.make({
          version,
          mail,
          policySocket,
          tokens: { server, clientId: "dovecot", clientSecret: "sbx_secret" }
        })
        return { suite, mail, stack, policySocket, calls: callsOf(suite, as(7)), others: callsOf(suite, as(8)) }
      })
    )
}

let domains = 0

/** A new domain with two users. */
const place = Effect.gen(function* () {
  const world = yield* World
  const { domain, id: domainId } = yield* world.calls.domain(`stack${++domains}.test`)
  const [anna, bert] = [yield* world.calls.account(domainId, "anna"), yield* world.calls.account(domainId, "bert")]
  return { ...world, domain: domain as string, domainId: domainId as number, anna, bert }
})

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version), "postfix", "swaks"], `a mail server by the shipped files, Dovecot ${version}`, () => {
    layer(World.layer(version), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
      it.effect(
        "mail arrives at a mailbox, however its name is written, and at whatever its aliases lead to, over tenants too",
        () =>
          Effect.gen(function* () {
            const { anna, bert, calls, domain, domainId, others, stack } = yield* place
            const next = yield* others.domain(`other-${domain}`)
            const carl = yield* others.account(next.id, "carl")
            yield* calls.alias(domainId, "sales", anna.address)
            yield* calls.alias(domainId, "sales", `office@other-${domain}`)
            yield* others.alias(next.id, "office", carl.address)
            const to = [anna.address, anna.address.toUpperCase(), `anna+list@${domain}`, `sales@${domain}`]
            for (const [index, address] of to.entries()) {
              const sent = yield* Swaks.send({
                port: stack.smtpPort,
                from: stranger,
                to: address,
                subject: `mail ${index}`,
                body: "x"
              })
              expect(sent.accepted, sent.transcript).toBe(true)
            }
            expect((yield* subjects(stack, { user: anna.address }, 4)).toSorted()).toEqual([
              "mail 0",
              "mail 1",
              "mail 2",
              "mail 3"
            ])
            expect(yield* subjects(stack, { user: carl.address }, 1)).toEqual(["mail 3"])
            expect(yield* subjects(stack, { user: bert.address }, 0)).toEqual([])
          }),
        120_000
      )

      it.effect("refuses who does not exist, and mail for elsewhere, before it takes the message", () =>
        Effect.gen(function* () {
          const { anna, calls, domain, stack } = yield* place
          const smtp = yield* port25(stack)
          expect(yield* send(smtp, stranger, `nobody@${domain}`, "x")).toEqual([250, 550])
          expect(yield* send(smtp, stranger, "someone@third.test", "x")).toEqual([250, 554])
          expect(yield* send(smtp, anna.address, "someone@third.test", "x")).toEqual([250, 554])
          // An address with quotes is not looked up.
          expect(yield* send(smtp, stranger, `"x' or '1'='1"@${domain}`, "x")).toEqual([250, 550])
          expect((yield* calls.remove(`accounts/${anna.id}`)).status).toBe(204)
          expect(yield* send(smtp, stranger, anna.address, "x")).toEqual([250, 550])
        })
      )

      it.effect(
        "lets people in by password over TLS, by PLAIN and LOGIN, to read and to send, and asks for it nowhere else",
        () =>
          Effect.gen(function* () {
            const { anna, bert, domain, stack } = yield* place
            for (const method of ["PLAIN", "LOGIN"] as const) {
              expect(yield* signIn(stack, { user: anna.address, method })).toBe("ok")
              expect(yield* signIn(stack, { user: anna.address.toUpperCase(), method })).toBe("ok")
              expect(yield* signIn(stack, { user: anna.address, method, pass: "wrong" })).toBe("AUTHENTICATIONFAILED")
              for (const port of [465, 587] as const) {
                const smtp = yield* submission(stack, port)
                expect(
                  smtp.hello.lines
                    .find((line) => line.startsWith("AUTH"))
                    ?.split(" ")
                    .toSorted()
                ).toEqual(["AUTH", "LOGIN", "OAUTHBEARER", "PLAIN", "XOAUTH2"])
                // Before sign-in, even mail to own addresses is refused.
                expect((yield* send(smtp, anna.address, bert.address, "x")).at(-1)).toBe(554)
                expect(yield* auth(smtp, { user: anna.address, method, pass: "wrong" })).toBe(535)
                expect(yield* auth(smtp, { user: anna.address, method })).toBe(235)
                expect(yield* send(smtp, anna.address, bert.address, `${method} ${port}`)).toEqual([250, 250, 250])
              }
            }
            expect(yield* signIn(stack, { user: `nobody@${domain}` })).toBe("AUTHENTICATIONFAILED")
            expect((yield* subjects(stack, { user: bert.address }, 4)).toSorted()).toEqual([
              "LOGIN 465",
              "LOGIN 587",
              "PLAIN 465",
              "PLAIN 587"
            ])
            expect((yield* port25(stack)).hello.lines.join(" ")).not.toContain("AUTH")
            const plain = yield* port25({ ...stack, smtpPort: stack.submissionPort })
            expect(plain.hello.lines.join(" ")).not.toContain("AUTH")
            expect((yield* plain.say(`MAIL FROM:<${anna.address}>`)).code).toBe(530)
          }),
        120_000
      )

      it.effect(
        "lets people send as their own address and as aliases that lead to them, and as nobody else",
        () =>
          Effect.gen(function* () {
            const { anna, bert, calls, domain, domainId, stack } = yield* place
            yield* calls.alias(domainId, "info", `press@${domain}`)
            yield* calls.alias(domainId, "press", anna.address)
            yield* calls.alias(domainId, "press", stranger)
            yield* calls.alias(domainId, "accounts", bert.address)
            for (const port of [465, 587] as const) {
              const smtp = yield* submission(stack, port)
              expect(yield* auth(smtp, { user: anna.address })).toBe(235)
              for (const own of [anna.address, `anna+shop@${domain}`, `info@${domain}`, `press@${domain}`]) {
                expect(yield* send(smtp, own, bert.address, own), own).toEqual([250, 250, 250])
              }
              for (const foreign of [bert.address, `accounts@${domain}`, stranger, `nobody@${domain}`]) {
                expect((yield* send(smtp, foreign, bert.address, "no")).at(-1), foreign).toBe(553)
              }
            }
          }),
        120_000
      )

      it.effect(
        "holds the bound of a mailbox on mail from outside, on what people put there, and once it is raised lets mail in",
        () =>
          Effect.gen(function* () {
            const { bert, calls, domainId, stack } = yield* place
            const { address: user, id } = yield* calls.account(domainId, "small", { quota_mb: 1 })
            const smtp = yield* port25(stack)
            expect(yield* send(smtp, stranger, user, "one", bigBody)).toEqual([250, 250, 250])
            expect(yield* subjects(stack, { user }, 1)).toEqual(["one"])
            expect(yield* send(smtp, stranger, user, "two", bigBody)).toEqual([250, 552])
            const client = yield* imap(stack, { user })
            if (typeof client === "string") return yield* Effect.die(new Error(client))
            const refused = yield* Effect.promise(() =>
              client.append("Sent", bigBody).then(
                () => "taken",
                (error) => error.serverResponseCode
              )
            )
            expect(refused).toBe("OVERQUOTA")
            expect((yield* calls.put(`accounts/${id}`, { quota_mb: 2 })).status).toBe(200)
            expect(yield* send(smtp, stranger, user, "three", bigBody)).toEqual([250, 250, 250])
            expect((yield* calls.put(`accounts/${id}`, { quota_mb: null })).status).toBe(200)
            for (const subject of ["four", "five"]) {
              expect(yield* send(smtp, stranger, user, subject, bigBody)).toEqual([250, 250, 250])
              expect(yield* send(smtp, stranger, bert.address, subject, bigBody)).toEqual([250, 250, 250])
            }
            // Postfix delivers mails of its queue at the same time, so the last three come in any order.
            const [first, ...others] = yield* subjects(stack, { user }, 4)
            expect([first, others.toSorted()]).toEqual(["one", ["five", "four", "three"]])
          }),
        120_000
      )

      it.effect(
        "a suspended mailbox lets nobody in or send, by password or token, from the next login on; its mail waits for it",
        () =>
          Effect.gen(function* () {
            const { anna, bert, calls, domain, domainId, stack } = yield* place
            yield* calls.alias(domainId, "info", anna.address)
            const [user, token] = [anna.address, Buffer.from(anna.address).toString("base64url")]
            expect([yield* signIn(stack, { user }), yield* signIn(stack, { user, token })]).toEqual(["ok", "ok"])
            const open = yield* submission(stack, 465)
            expect(yield* auth(open, { user })).toBe(235)
            expect((yield* calls.post(`accounts/${anna.id}/suspend`)).status).toBe(200)

            for (const method of ["PLAIN", "LOGIN"] as const)
              expect(yield* signIn(stack, { user, method })).toBe("AUTHENTICATIONFAILED")
            expect(yield* signIn(stack, { user, token })).not.toBe("ok")
            expect((yield* send(open, user, bert.address, "x")).at(-1)).toBe(553)
            for (const port of [465, 587] as const) {
              const smtp = yield* submission(stack, port)
              expect(yield* auth(smtp, { user })).toBe(535)
              // Even when a token is still accepted, the suspended mailbox may not send.
              expect(yield* auth(smtp, { user, token })).toBe(235)
              for (const from of [user, `info@${domain}`])
                expect((yield* send(smtp, from, bert.address, "x")).at(-1)).toBe(553)
            }
            expect(yield* send(yield* port25(stack), stranger, user, "meanwhile")).toEqual([250, 250, 250])
            expect(yield* signIn(stack, { user: bert.address })).toBe("ok")

            expect((yield* calls.post(`accounts/${anna.id}/unsuspend`)).status).toBe(200)
            expect(yield* subjects(stack, { user }, 1)).toEqual(["meanwhile"])
            expect(yield* send(open, user, bert.address, "x")).toEqual([250, 250, 250])
          }),
        120_000
      )

      it.effect(
        "a mailbox that is created again has none of its predecessor's mail, which stays until it is purged",
        () =>
          Effect.gen(function* () {
            const { anna, calls, domain, domainId, stack, suite } = yield* place
            const smtp = yield* port25(stack)
            const user = anna.address
            const home = (name: string) => existsSync(`${stack.mailFolder}/${name}`)
            expect(yield* send(smtp, stranger, user, "old")).toEqual([250, 250, 250])
            expect(yield* subjects(stack, { user }, 1)).toEqual(["old"])
            expect((yield* calls.remove(`accounts/${anna.id}`)).status).toBe(204)
            const again = yield* calls.account(domainId, "anna")
            expect(yield* send(smtp, stranger, user, "new")).toEqual([250, 250, 250])
            expect(yield* subjects(stack, { user }, 1)).toEqual(["new"])
            expect([home(`mailbox/${anna.id}`), home(`mailbox/${again.id}`)]).toEqual([true, true])

            const due = (days: number) =>
              Effect.map(Effect.provideService(PurgeHomes.due(days), SqlClient.SqlClient, suite.sql), (rows) =>
                rows.filter(({ address }) => address === user).map((row) => row.home)
              )
            expect(yield* due(PurgeHomes.defaultGrace)).toEqual([])
            expect(yield* due(0)).toEqual([`mailbox/${anna.id}`])
            expect(PurgeHomes.remove(PurgeHomes.pathOf(stack.mailFolder, `mailbox/${anna.id}`)!)).toBe(true)
            expect(yield* subjects(stack, { user }, 1)).toEqual(["new"])

            // A mailbox from before the folders had ids keeps its folder, and its successor gets another one.
            const former = yield* calls.account(domainId, "former")
            yield* suite.sql`update mail_admin.mailbox set former_home = ${`${domain}/former`} where id = ${former.id}`
            expect(yield* send(smtp, stranger, former.address, "kept")).toEqual([250, 250, 250])
            expect(yield* subjects(stack, { user: former.address }, 1)).toEqual(["kept"])
            expect(home(`${domain}/former`)).toBe(true)
            expect((yield* calls.remove(`accounts/${former.id}`)).status).toBe(204)
            yield* calls.account(domainId, "former")
            expect(yield* subjects(stack, { user: former.address }, 0)).toEqual([])
          }),
        120_000
      )

      it.effect("makes the usual folders for everybody, subscribed and marked", () =>
        Effect.gen(function* () {
          const { anna, stack } = yield* place
          const client = yield* imap(stack, { user: anna.address })
          if (typeof client === "string") return yield* Effect.die(new Error(client))
          const folders = yield* Effect.promise(() => client.list())
          expect(
            folders
              .filter(({ subscribed }) => subscribed)
              .map(({ path, specialUse }) => `${path} ${specialUse}`)
              .toSorted()
          ).toEqual([
            "Archive \\Archive",
            "Drafts \\Drafts",
            "INBOX \\Inbox",
            "Junk \\Junk",
            "Sent \\Sent",
            "Trash \\Trash"
          ])
        })
      )

      it.effect("asks the policy service of every message that somebody signed in sends, and of no other", () =>
        Effect.gen(function* () {
          const { anna, bert, policySocket, stack } = yield* place
          const asked: Array<string> = []
          yield* policyService(policySocket, asked)
          const smtp = yield* submission(stack, 465)
          yield* auth(smtp, { user: anna.address })
          expect(yield* send(smtp, anna.address, bert.address, "many")).toEqual([250, 250, 450])
          expect(yield* send(yield* port25(stack), stranger, bert.address, "one")).toEqual([250, 250, 250])
          expect(asked.map((text) => /^sasl_username=(.*)$/m.exec(text)?.[1])).toEqual([anna.address])
        })
      )

      it.effect(
        "keeps mail and logins waiting while nothing can be looked up, and refuses neither for good",
        () =>
          Effect.gen(function* () {
            const { anna, mail, stack } = yield* place
            const smtp = yield* port25(stack)
            yield* mail.away
            expect((yield* send(smtp, stranger, anna.address, "x")).at(-1)).toBe(451)
            expect(yield* signIn(stack, { user: anna.address })).toBe("UNAVAILABLE")
            yield* mail.back
            const sent = Effect.scoped(
              Effect.flatMap(port25(stack), (again) => send(again, stranger, anna.address, "back"))
            )
            yield* until(
              "mail is taken",
              Effect.map(sent, (codes) => codes.at(-1) === 250),
              30
            )
            yield* until(
              "people come in",
              Effect.map(signIn(stack, { user: anna.address }), (word) => word === "ok"),
              30
            )
            expect(yield* subjects(stack, { user: anna.address }, 1)).toEqual(["back"])
          }),
        120_000
      )
    })
  })
}

/** A policy service that defers every message and records the requests; ends with the scope. */
const policyService = (path: string, asked: Array<string>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer((socket) => {
            socket.on("error", () => {})
            socket.on("data", (data) => {
              asked.push(data.toString())
              socket.write("action=DEFER_IF_PERMIT too many\n\n")
            })
          })
          server.listen({ path }, () => {
            chmodSync(path, 0o660)
            resolve(server)
          })
        })
    ),
    (server) => Effect.sync(() => server.close())
  )
