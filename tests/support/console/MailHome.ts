/** The console over a real Dovecot and a submission server, one of each per test file. Replaces `consoleTests()`. */
import { Effect, Exit, Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect } from "vitest"
import { password as mailPassword } from "../../daemons/mail-watcher/Watcher.ts"
import * as SubmissionServer from "../../daemons/mail-watcher/webmail-sending/SubmissionServer.ts"
import * as Dovecot from "../peers/Dovecot.ts"
import { ensurePeers, requirePeer } from "../peers/install.ts"
import { temporaryDirectory } from "../Postgres.ts"
import { type Console, consoleTests, type ConsoleUser, password } from "./Console.ts"

export interface MailHome {
  readonly console: Console
  readonly dovecot: () => Dovecot.Dovecot
  readonly submission: () => SubmissionServer.SubmissionServer
  /** Creates a user with these mail accounts on that Dovecot; the first is the default. */
  readonly user: (...addresses: ReadonlyArray<string>) => Promise<ConsoleUser>
  /** Delivers a mail into the mailbox of this address. */
  readonly deliver: (address: string, raw: string) => Promise<void>
  /** JSON answer of an API call as this user. */
  readonly ask: (user: ConsoleUser, method: string, path: string, body?: unknown) => Promise<any>
}

/** Starts Dovecot with mailboxes for these addresses. */
export const mailHome = (addresses: ReadonlyArray<string>): MailHome => {
  const scope = Scope.makeUnsafe()
  const within = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  // The daemons read this object when they start. The `beforeAll` below fills it before that.
  const env: Record<string, string> = { SIGNALBOX_MAIL_ALLOW_CIDRS: "127.0.0.0/8" }
  let dovecot: Dovecot.Dovecot | undefined
  let submission: SubmissionServer.SubmissionServer
  beforeAll(async () => {
    await ensurePeers(["mail"])
    if (!requirePeer("dovecot").available) return
    dovecot = await within(
      Dovecot.make({ users: addresses.map((address) => ({ address, password: mailPassword })), tls: true })
    )
    await within(dovecot.start)
    submission = await within(SubmissionServer.make)
    env["SIGNALBOX_MAIL_CA"] = join(await within(temporaryDirectory()), "ca.pem")
    writeFileSync(env["SIGNALBOX_MAIL_CA"], dovecot.certificate! + submission.certificate)
  }, 120_000)
  beforeEach((context) => {
    if (dovecot === undefined) context.skip("tests need Dovecot: apt install dovecot-imapd dovecot-lmtpd")
  })
  // Registered before `consoleTests`, because afterAll hooks run in reverse order: Dovecot closes after the daemons.
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)), 60_000)
  const console = consoleTests({ env })

  const ask: MailHome["ask"] = async (user, method, path, body) => {
    const { json, status, text } = await console.run(
      console.suite.call("POST", "/api/v1/auth/login", { body: { email: user.email, password } })
    )
    expect(status, text).toBe(200)
    const answer = await console.run(
      console.suite.call(method, path, {
        headers: { authorization: `Bearer ${json.access_token}` },
        ...(body === undefined ? {} : { body })
      })
    )
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.json
  }
  return {
    console,
    dovecot: () => dovecot!,
    submission: () => submission,
    ask,
    deliver: (address, raw) => Effect.runPromise(dovecot!.deliver(address, raw)),
    user: async (...own) => {
      const user = await console.user()
      for (const address of own) {
        await ask(user, "POST", "/api/v1/mail/webmail/accounts", {
          address,
          password: mailPassword,
          imap_host: "127.0.0.1",
          imap_port: dovecot!.imapsPort,
          smtp_host: "127.0.0.1",
          smtp_port: submission.port,
          display_name: "Ann Example"
        })
      }
      return user
    }
  }
}

/** `expect.poll` with a timeout for a loaded machine. */
export const poll = <A>(read: () => A | Promise<A>) => expect.poll(read, { timeout: 20_000 })
