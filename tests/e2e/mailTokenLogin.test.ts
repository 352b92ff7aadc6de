/**
 * Login to mail by token: real Dovecots with the files of config/dovecot, who ask about each token. What matters is which
 * "no" a mail program gets: one that makes it ask for another token, or one that makes it try again later.
 */
import { it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { ImapFlow } from "imapflow"
import { expect } from "vitest"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"
import { type LoginOutcome, type Mechanism, passwordLogin, tokenLogin } from "#support/ImapSasl.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import type { DovecotVersion, TokenCheck } from "#support/peers/DovecotSnippet.ts"
import { poll } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { type Outage, startIntrospection } from "./Introspection.ts"

const user = { address: "anna@example.test", password: "geheim-1" }
const other = { address: "ben@example.test", password: "geheim-2" }

const unavailable: LoginOutcome = { ok: false, code: "UNAVAILABLE", challenge: undefined }
const ok: LoginOutcome = { ok: true }

/** What each mechanism says to a token that is not good, before it says AUTHENTICATIONFAILED. */
const refused = (mechanism: Mechanism) => ({
  ok: false,
  code: "AUTHENTICATIONFAILED",
  challenge: expect.objectContaining({ status: mechanism === "XOAUTH2" ? "401" : "invalid_token" })
})

/** How soon token login has to work again. Unit: milliseconds. Source: what operators were promised. */
const returnLimit = 5_000

const mechanisms = ["XOAUTH2", "OAUTHBEARER"] as const

/** A Dovecot that asks `introspection`, or `check` when given. */
const start = Effect.fnUntraced(function*(version: DovecotVersion, check?: (real: TokenCheck) => TokenCheck) {
  const introspection = yield* startIntrospection
  const tokens = check === undefined ? introspection.check : check(introspection.check)
  const dovecot = yield* Dovecot.make({ version, tokens, users: [user, other] })
  const port = dovecot.imapPort
  return {
    introspection,
    dovecot,
    byToken: (token: string, mechanism: Mechanism = "XOAUTH2", name = user.address) => tokenLogin({ port, mechanism, user: name, token }),
    byTokenAfterPlus: (token: string, mechanism: Mechanism) => tokenLogin({ port, mechanism, user: user.address, token, style: "continuation" }),
    byPassword: passwordLogin({ port, user: user.address, password: user.password })
  }
})

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version)], `Dovecot ${version} with the files of config/dovecot`, () => {
    it.live("lets a fresh token in by both mechanisms, in one line and after the server's plus, and a password as before", () =>
      Effect.gen(function*() {
        const { introspection, byToken, byTokenAfterPlus, byPassword, dovecot } = yield* start(version)
        const token = yield* introspection.tokenFor(user.address)
        for (const mechanism of mechanisms) {
          expect(yield* byToken(token, mechanism)).toEqual(ok)
          expect(yield* byTokenAfterPlus(token, mechanism)).toEqual(ok)
        }
        expect(yield* byPassword).toEqual(ok)
        expect(dovecot.log()).not.toContain(token)
        expect(dovecot.log()).not.toContain(introspection.check.clientSecret)
      }))

    it.live("takes the name in any case, as people type it", () =>
      Effect.gen(function*() {
        const { introspection, byToken } = yield* start(version)
        const token = yield* introspection.tokenFor(user.address)
        for (const mechanism of mechanisms) expect(yield* byToken(token, mechanism, "Anna@Example.TEST")).toEqual(ok)
      }))

    it.live("refuses what has expired, was revoked, is nobody's, and the token of a suspended mailbox: no outage", () =>
      Effect.gen(function*() {
        const { introspection, byToken, byTokenAfterPlus } = yield* start(version)
        const expired = yield* introspection.expiredTokenFor(user.address)
        const revoked = yield* introspection.tokenFor(user.address)
        const suspended = yield* introspection.tokenFor(other.address)
        for (const mechanism of mechanisms) {
          expect(yield* byToken(revoked, mechanism)).toEqual(ok)
          expect(yield* byToken(suspended, mechanism, other.address)).toEqual(ok)
        }
        yield* introspection.revoke(revoked)
        yield* introspection.suspend(other.address)
        for (const mechanism of mechanisms) {
          expect(yield* byToken(expired, mechanism)).toEqual(refused(mechanism))
          expect(yield* byTokenAfterPlus(revoked, mechanism)).toEqual(refused(mechanism))
          expect(yield* byToken(suspended, mechanism, other.address)).toEqual(refused(mechanism))
          expect(yield* byToken("nobodys", mechanism)).toEqual(refused(mechanism))
        }
      }))

    it.live("lets nobody in with the token of another mailbox", () =>
      Effect.gen(function*() {
        const { introspection, byToken } = yield* start(version)
        const token = yield* introspection.tokenFor(other.address)
        for (const mechanism of mechanisms) expect(yield* byToken(token, mechanism)).toMatchObject({ ok: false, code: "AUTHENTICATIONFAILED" })
      }))

    it.live("calls a caller's wrong secret an outage, never a wrong token", () =>
      Effect.gen(function*() {
        const { introspection, byToken, byPassword, dovecot } = yield* start(version, (real) => ({ ...real, clientSecret: "svc-wrong" }))
        const token = yield* introspection.tokenFor(user.address)
        for (const mechanism of mechanisms) expect(yield* byToken(token, mechanism)).toEqual(unavailable)
        expect(yield* byPassword).toEqual(ok)
        expect(dovecot.log()).not.toContain("svc-wrong")
      }))

    it.live.each<{ readonly how: Outage; readonly words: string }>([
      { how: "database", words: "cannot look anything up" },
      { how: "silent", words: "answers nothing" },
      { how: "gone", words: "is not there for a moment" }
    ])("says that it cannot tell while the one who knows $words, lets passwords in, and lets tokens in again within 5 s", ({ how }) =>
      Effect.gen(function*() {
        const { introspection, byToken, byPassword } = yield* start(version)
        const good = yield* introspection.tokenFor(user.address)
        const bad = yield* introspection.expiredTokenFor(user.address)
        expect(yield* byToken(good)).toEqual(ok)
        yield* introspection.away(how)
        const order: Array<string> = []
        const note = <E>(what: string, login: Effect.Effect<LoginOutcome, E>) => Effect.tap(login, () => Effect.sync(() => order.push(what)))
        const outcomes = yield* Effect.all(
          [byToken(good), byToken(good, "OAUTHBEARER"), byToken(bad)].map((login) => note("token", login)).concat([note("password", byPassword)]),
          { concurrency: "unbounded" }
        )
        expect(outcomes).toEqual([unavailable, unavailable, unavailable, ok])
        // No password waits behind a token that hangs.
        if (how === "silent") expect(order[0]).toBe("password")

        yield* introspection.back
        yield* backWithin(returnLimit, byToken(good))
        expect(yield* byToken(good, "OAUTHBEARER")).toEqual(ok)
        expect(yield* byToken(bad)).toEqual(refused("XOAUTH2"))
      }), 40_000)

    it.live("leaves an open mailbox open when it is suspended, until it is kicked", () =>
      Effect.gen(function*() {
        const { introspection, dovecot, byToken } = yield* start(version)
        const token = yield* introspection.tokenFor(user.address)
        yield* Effect.scoped(Effect.gen(function*() {
          yield* heldSession(dovecot.imapPort, token)
          yield* introspection.suspend(user.address)
          expect(yield* byToken(token)).toEqual(refused("XOAUTH2"))
          expect(yield* dovecot.sessions(user.address)).toBe(1)
          yield* dovecot.kick(user.address)
          expect(yield* Effect.promise(() => poll(async () => Effect.runSync(dovecot.sessions(user.address)) === 0 ? 0 : undefined, 10_000))).toBe(0)
        }))
      }))

    describePeers(["postfix"], "and Postfix before it", () => {
      it.live("lets the same token send mail, and none while nothing can be looked up", () =>
        Effect.gen(function*() {
          const { introspection, dovecot } = yield* start(version)
          const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort, authSocket: dovecot.submissionAuthSocket })
          const token = yield* introspection.tokenFor(user.address)
          const submit = (what: string) => submission(postfix.smtpPort, user.address, what)
          expect(yield* submit(token)).toEqual([235])
          expect((yield* submit(yield* introspection.tokenFor(other.address))).at(-1)).toBe(535)
          yield* introspection.revoke(token)
          expect(yield* submit(token)).toEqual([334, 535])
          yield* introspection.away("database")
          // No challenge, as nothing is said against the token; but Postfix 3.7 has no other word for it.
          expect(yield* submit(token)).toEqual([535])
          yield* introspection.back
          yield* Effect.flatMap(introspection.tokenFor(user.address), (fresh) => Effect.map(submit(fresh), (codes) => expect(codes).toEqual([235])))
        }))
    })
  })
}

const backWithin = (limit: number, login: Effect.Effect<LoginOutcome, unknown>) =>
  Effect.gen(function*() {
    const started = performance.now()
    const back = yield* Effect.promise(() => poll(async () => (await Effect.runPromise(login)).ok ? performance.now() : undefined, limit, 100))
    expect(back === undefined ? undefined : back - started).toBeLessThan(limit)
  })

/** The codes of an AUTH by token and what follows it. */
const submission = (port: number, address: string, token: string) =>
  Effect.scoped(Effect.gen(function*() {
    const smtp = yield* RawSmtp.connect({ port })
    yield* smtp.reply
    yield* smtp.say("EHLO client.example")
    const first = yield* smtp.say(`AUTH XOAUTH2 ${Result.getOrThrow(XOAuth2.encode({ user: address, token }))}`)
    return first.code === 334 ? [334, (yield* smtp.say(XOAuth2.errorAnswer)).code] : [first.code]
  }))

/** A mail program with a mailbox open; gone with the scope. */
const heldSession = (port: number, token: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new ImapFlow({ host: "127.0.0.1", port, secure: false, auth: { user: user.address, accessToken: token }, logger: false })
      client.on("error", () => {})
      await client.connect()
      await client.mailboxOpen("INBOX")
      return client
    }),
    (client) => Effect.sync(() => client.close())
  )
