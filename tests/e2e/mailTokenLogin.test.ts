/**
 * Token login to mail: real Dovecots with the files of config/dovecot introspect each token at identity. The refusal
 * must be the right one: either the mail client requests a new token, or it retries later.
 */
import { layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { ImapFlow } from "imapflow"
import { expect } from "vitest"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"
import { holdsAfter, until } from "#support/Frame.ts"
import { type LoginOutcome, type Mechanism, passwordLogin, tokenLogin } from "#support/ImapSasl.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import type { DovecotVersion, TokenCheck } from "#support/peers/DovecotSnippet.ts"
import { poll } from "#support/peers/Loopback.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { Introspection, type Outage } from "./Introspection.ts"

const mailPassword = "geheim-1"

const unavailable: LoginOutcome = { ok: false, code: "UNAVAILABLE", challenge: undefined }
const ok: LoginOutcome = { ok: true }

/** Refusal of an invalid token by each mechanism: the challenge, then AUTHENTICATIONFAILED. */
const refused = (mechanism: Mechanism) => ({
  ok: false,
  code: "AUTHENTICATIONFAILED",
  challenge: expect.objectContaining({ status: mechanism === "XOAUTH2" ? "401" : "invalid_token" })
})

/** Longest time until token login works again. Unit: milliseconds. Source: the promise to operators. */
const returnLimit = 5_000

/**
 * Longest time until a suspension takes effect when its notification is lost. Unit: milliseconds. Reason: one second,
 * plus time for a loaded machine.
 */
const unheardLimit = 3_000

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/**
 * Length of the outage in the long run. Unit: milliseconds. Reason: by then Dovecot pauses for longer than a login may
 * take.
 */
const longOutage = 30_000

const mechanisms = ["XOAUTH2", "OAUTHBEARER"] as const

const isRefused = (login: LoginOutcome) => !login.ok && login.code === "AUTHENTICATIONFAILED"
const isUnavailable = (login: LoginOutcome) => !login.ok && login.code === "UNAVAILABLE"

/**
 * Tries the login again while the server is unavailable, several times. Reason: on busy cores identity cannot always
 * compare within 800 ms, and then says so.
 */
const answered = <E>(login: Effect.Effect<LoginOutcome, E>) => Effect.repeat(login, { while: isUnavailable, times: 5 })

/** Two users and a Dovecot with their mailboxes. `check` can change its introspection settings. */
const start = Effect.fnUntraced(function* (
  version: DovecotVersion,
  check: (real: TokenCheck) => TokenCheck = (real) => real
) {
  const introspection = yield* Introspection
  const [user, other] = [yield* introspection.user, yield* introspection.user]
  const users = [user, other].map(({ address }) => ({ address, password: mailPassword }))
  const dovecot = yield* Dovecot.make({ version, tokens: check(introspection.check), users })
  const port = dovecot.imapPort
  const once = (token: string, mechanism: Mechanism = "XOAUTH2", name = user.address) =>
    tokenLogin({ port, mechanism, user: name, token })
  return {
    introspection,
    dovecot,
    user,
    other,
    /** One try. */
    once,
    byToken: (...login: Parameters<typeof once>) => answered(once(...login)),
    byTokenAfterPlus: (token: string, mechanism: Mechanism) =>
      answered(tokenLogin({ port, mechanism, user: user.address, token, style: "continuation" })),
    byPassword: passwordLogin({ port, user: user.address, password: mailPassword }),
    byWrongPassword: passwordLogin({ port, user: user.address, password: "falsch" })
  }
})

const outages: ReadonlyArray<{ readonly how: Outage; readonly words: string }> = [
  { how: "database", words: "has no database" },
  { how: "silent", words: "answers nothing" },
  { how: "gone", words: "is not there for a moment" }
]

layer(Introspection.layer, { excludeTestServices: true, timeout: "120 seconds" })("login to mail by token", (it) => {
  const suite = (version: DovecotVersion) => {
    it.effect(
      "lets a fresh token in by both mechanisms, in one line and after the server's plus, and a password as before",
      () =>
        Effect.gen(function* () {
          const { byPassword, byToken, byTokenAfterPlus, dovecot, introspection, user } = yield* start(version)
          const token = yield* user.token
          for (const mechanism of mechanisms) {
            expect(yield* byToken(token, mechanism)).toEqual(ok)
            expect(yield* byTokenAfterPlus(token, mechanism)).toEqual(ok)
          }
          expect(yield* byPassword).toEqual(ok)
          expect(dovecot.log()).toContain(user.address)
          expect(dovecot.log()).not.toContain(token)
          expect(dovecot.log()).not.toContain(introspection.check.clientSecret)
        })
    )

    it.effect("takes the name in any case, as people type it", () =>
      Effect.gen(function* () {
        const { byToken, user } = yield* start(version)
        const token = yield* user.token
        for (const mechanism of mechanisms)
          expect(
            yield* byToken(
              token,
              mechanism,
              user.address.replace(/^p.*@e/, (part) => part.toUpperCase())
            )
          ).toEqual(ok)
      })
    )

    it.effect(
      "refuses what has expired, was revoked, is nobody's, and the token of a suspended mailbox: no outage",
      () =>
        Effect.gen(function* () {
          const { byToken, byTokenAfterPlus, other, user } = yield* start(version)
          const [expired, revoked, suspended] = [yield* user.expiredToken, yield* user.token, yield* other.token]
          for (const mechanism of mechanisms) {
            expect(yield* byToken(revoked, mechanism)).toEqual(ok)
            expect(yield* byToken(suspended, mechanism, other.address)).toEqual(ok)
          }
          yield* user.signOut
          yield* other.suspend()
          yield* until(
            "both are over",
            Effect.map(Effect.all([byToken(revoked), byToken(suspended, "XOAUTH2", other.address)]), (ended) =>
              ended.every(isRefused)
            )
          )
          for (const mechanism of mechanisms) {
            expect(yield* byToken(expired, mechanism)).toEqual(refused(mechanism))
            expect(yield* byTokenAfterPlus(revoked, mechanism)).toEqual(refused(mechanism))
            expect(yield* byToken(suspended, mechanism, other.address)).toEqual(refused(mechanism))
            expect(yield* byToken("nobodys", mechanism)).toEqual(refused(mechanism))
          }
          yield* other.unsuspend
          yield* until(
            "the mailbox is back",
            Effect.map(byToken(suspended, "XOAUTH2", other.address), (login) => login.ok)
          )
        }),
      120_000
    )

    it.effect("lets nobody in with the token of another mailbox", () =>
      Effect.gen(function* () {
        const { byToken, other } = yield* start(version)
        const token = yield* other.token
        for (const mechanism of mechanisms)
          expect(yield* byToken(token, mechanism)).toMatchObject({ ok: false, code: "AUTHENTICATIONFAILED" })
      })
    )

    it.effect("calls a caller's wrong secret an outage, never a wrong token", () =>
      Effect.gen(function* () {
        const { byPassword, byWrongPassword, dovecot, once, user } = yield* start(version, (real) => ({
          ...real,
          clientSecret: "sbx_wrong"
        }))
        const token = yield* user.token
        for (const mechanism of mechanisms) expect(yield* once(token, mechanism)).toEqual(unavailable)
        // A wrong password is not introspected as a token.
        expect(yield* byWrongPassword).toEqual({ ok: false, code: "AUTHENTICATIONFAILED", challenge: undefined })
        expect(yield* byPassword).toEqual(ok)
        expect(dovecot.log()).not.toContain("sbx_wrong")
      })
    )

    for (const { how, words } of outages) {
      it.effect(
        `says that it cannot tell while identity ${words}, lets passwords in, and lets tokens in again within 5 s`,
        () =>
          Effect.gen(function* () {
            const { byPassword, byToken, introspection, once, user } = yield* start(version)
            const [good, bad] = [yield* user.token, yield* user.expiredToken]
            expect(yield* byToken(good)).toEqual(ok)
            yield* introspection.away(how)
            if (how === "database") {
              // identity may answer from its projection for up to a second.
              yield* until(
                "identity says so",
                Effect.map(once(good), (login) => {
                  expect([ok, unavailable]).toContainEqual(login)
                  return !login.ok
                })
              )
            }
            const order: Array<string> = []
            const note = <E>(what: string, login: Effect.Effect<LoginOutcome, E>) =>
              Effect.tap(login, () => Effect.sync(() => order.push(what)))
            const outcomes = yield* Effect.all(
              [once(good), once(good, "OAUTHBEARER"), once(bad)]
                .map((login) => note("token", login))
                .concat([note("password", byPassword)]),
              { concurrency: "unbounded" }
            )
            expect(outcomes).toEqual([unavailable, unavailable, unavailable, ok])
            // Password logins do not wait behind a token login that hangs.
            if (how === "silent") expect(order[0]).toBe("password")

            yield* introspection.back
            yield* isBack(once(good))
            expect(yield* byToken(good, "OAUTHBEARER")).toEqual(ok)
            expect(yield* byToken(bad)).toEqual(refused("XOAUTH2"))
          }),
        120_000
      )
    }

    it.effect.skipIf(!long)(
      "keeps no login waiting, however long identity was not there",
      () =>
        Effect.gen(function* () {
          const { introspection, once, user } = yield* start(version)
          const token = yield* user.token
          yield* introspection.away("gone")
          const waits: Array<number> = []
          const ended = performance.now() + longOutage
          while (performance.now() < ended) {
            const begun = performance.now()
            expect(yield* once(token)).toEqual(unavailable)
            waits.push(performance.now() - begun)
          }
          expect(Math.max(...waits)).toBeLessThan(8_000)
        }),
      120_000
    )

    it.effect("hears of a suspension that nobody announced, and refuses none beside it", () =>
      Effect.gen(function* () {
        const { byToken, introspection, other, user } = yield* start(version)
        const [good, suspended] = [yield* user.token, yield* other.token]
        expect(yield* byToken(suspended, "XOAUTH2", other.address)).toEqual(ok)
        yield* introspection.loseFeed
        expect(yield* byToken(good)).toEqual(ok)
        yield* other.suspend("unheard")
        yield* holdsAfter(
          unheardLimit,
          "suspended",
          Effect.map(byToken(suspended, "XOAUTH2", other.address), isRefused)
        )
        expect(yield* byToken(suspended, "XOAUTH2", other.address)).toEqual(refused("XOAUTH2"))
        expect(yield* byToken(good)).toEqual(ok)
      })
    )

    it.effect("leaves an open mailbox open when it is suspended, until it is kicked", () =>
      Effect.gen(function* () {
        const { byToken, dovecot, user } = yield* start(version)
        const token = yield* user.token
        yield* heldSession(dovecot.imapPort, user.address, token)
        yield* user.suspend()
        yield* until("suspended", Effect.map(byToken(token), isRefused))
        expect(yield* dovecot.sessions(user.address)).toBe(1)
        yield* dovecot.kick(user.address)
        yield* until(
          "cut",
          Effect.map(dovecot.sessions(user.address), (open) => open === 0)
        )
      })
    )

    describePeers(["postfix"], "and Postfix before it", () => {
      it.effect(
        "lets the same token send mail, and none while nothing can be looked up",
        () =>
          Effect.gen(function* () {
            const { dovecot, introspection, once, other, user } = yield* start(version)
            const postfix = yield* Postfix.make({
              lmtpPort: dovecot.lmtpPort,
              authSocket: dovecot.submissionAuthSocket
            })
            const [token, foreign] = [yield* user.token, yield* other.token]
            const submit = (what: string) => submission(postfix.smtpPort, user.address, what)
            // The server sends no challenge while it cannot tell, because the token may be valid. Postfix 3.7 has no
            // other reply code for this.
            const cannotTell = [535]
            const told = (what: string) =>
              Effect.repeat(submit(what), { while: (codes) => codes.join() === cannotTell.join(), times: 5 })
            expect(yield* told(token)).toEqual([235])
            expect((yield* submit(foreign)).at(-1)).toBe(535)
            expect(yield* told("nobodys")).toEqual([334, 535])
            yield* introspection.away("gone")
            expect(yield* submit(token)).toEqual(cannotTell)
            yield* introspection.back
            yield* isBack(once(token))
            expect(yield* told(token)).toEqual([235])
          }),
        120_000
      )
    })
  }

  for (const version of ["2.3", "2.4"] as const) {
    describePeers([peerOf(version)], `Dovecot ${version} with the files of config/dovecot`, () => suite(version))
  }
})

/** Waits for a login. One that begins later than `returnLimit` must succeed. */
const isBack = <E>(login: Effect.Effect<LoginOutcome, E>) =>
  holdsAfter(
    returnLimit,
    "tokens are let in again",
    Effect.map(login, ({ ok }) => ok)
  )

/** Reply codes of an AUTH with a token, and of the answer to a challenge. */
const submission = (port: number, address: string, token: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const smtp = yield* RawSmtp.connect({ port })
      yield* smtp.reply
      yield* smtp.say("EHLO client.example")
      const first = yield* smtp.say(`AUTH XOAUTH2 ${Result.getOrThrow(XOAuth2.encode({ user: address, token }))}`)
      return first.code === 334 ? [334, (yield* smtp.say(XOAuth2.errorAnswer)).code] : [first.code]
    })
  )

/** A mail client with an open mailbox; closes with the scope. */
const heldSession = (port: number, address: string, token: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      // The server may be unavailable for a moment.
      const signedIn = await poll(async () => {
        const client = new ImapFlow({
          host: "127.0.0.1",
          port,
          secure: false,
          auth: { user: address, accessToken: token },
          logger: false
        })
        client.on("error", () => {})
        try {
          await client.connect()
          return client
        } catch {
          client.close()
          return undefined
        }
      }, 10_000)
      if (signedIn === undefined) throw new Error(`nobody is let in as ${address}`)
      await signedIn.mailboxOpen("INBOX")
      return signedIn
    }),
    (client) => Effect.sync(() => client.close())
  )
