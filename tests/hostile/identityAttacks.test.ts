/**
 * Attacks on identity of the real program. Each must be refused as documented, counted, and audited. The audit log must
 * stay small and still show the number of attempts. A flood of forged tokens must not delay holders of valid tokens.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import { maxTries } from "#daemons/identity/factors/OneTimeCode.ts"
import { testKey, type TestKey } from "#support/TestKey.ts"
import { appCode, wrongCode } from "../daemons/identity/factors/FactorSuite.ts"
import { answered } from "../daemons/identity/mail-login/Answered.ts"
import { tell } from "../daemons/identity/mail-login/MailSuite.ts"
import { type Answer, type Box, startBox } from "./Box.ts"

/**
 * Longest time of the test. Unit: milliseconds. Reason: far above the time needed on two loaded cores; detects a hang.
 */
const patience = 120_000

/**
 * Attempts that are checked: AUTH_RATE_LIMIT_MAX and one more. Unit: failed sign-ins. Reason: each costs a password
 * hash on shared cores.
 */
const limit = 5

/** Forged tokens in a flood. */
const flood = 2_000

/**
 * Largest 99th percentile of a valid introspection during the flood: `times` the value before the flood, or `atLeast`
 * milliseconds. Reason of the latter: other work on the machine delays single answers by a second.
 */
const heldUp = { times: 20, atLeast: 2_000 }

/**
 * Largest memory growth over a second flood, when all bounded structures are full. Unit: MB. Reason: covers the young
 * generation of the heap and slack, but is far below the size of 2,000 stored tokens.
 */
const growth = 48

const password = "correct horse battery"
const auth = (path: string) => `/api/v1/auth/${path}`
const times = <A, E, R>(count: number, one: (n: number) => Effect.Effect<A, E, R>, concurrency = 8) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    one,
    { concurrency }
  )
const address = (n: number) => `198.51.${100 + (n >> 8)}.${n & 255}`
const guessed = (prefix: string) => `${prefix}${randomBytes(32).toString("base64url")}`
const statuses = (answers: ReadonlyArray<Answer>) => [...new Set(answers.map(({ status }) => status))]

interface Row {
  readonly action: string
  readonly entity_id: string
  readonly address: string | null
  readonly detail: { readonly reason?: string; readonly repeated?: number }
}

/** Creates people, programs and a mail account as targets of the attacks. */
const setUp = (box: Box) =>
  Effect.gen(function* () {
    const { sql } = box
    const key = yield* testKey(sql)
    const post = (path: string, body: unknown, more: { readonly bearer?: string; readonly from?: string } = {}) =>
      box.call("POST", auth(path), { body, ...more })
    const admin = (yield* post("link", { token: box.firstLink })).json.access_token as string
    const person = Effect.fnUntraced(function* (name: string) {
      const email = `${name}@example.org`
      const { json } = yield* box.call("POST", "/api/v1/users", {
        bearer: admin,
        body: { email, name, role: "user", password }
      })
      return { id: json.id as number, email }
    })
    /** Signs in from the person's own address, which becomes a known address. */
    const signIn = (email: string, from: string, typed = password, code?: string) =>
      post("login", { email, password: typed, ...(code === undefined ? {} : { code }) }, { from })
    const introspector = (yield* box.call("POST", "/api/v1/service-tokens", {
      bearer: admin,
      body: { name: "dovecot", scopes: ["introspection"] }
    })).json.token as string
    const user = { userId: 4711, tenantId: 1, email: "mailbox@example.org" }
    yield* tell(sql, { address: user.email, user_id: user.userId, tenant_id: 1, account_id: 1 })
    // A token that is answered with 503 is not counted as refused.
    const introspect = (token: string, secret = introspector, from?: string) =>
      answered(
        box.call("POST", auth("token/introspect"), {
          body: new URLSearchParams({ token }).toString(),
          headers: {
            "content-type": "application/x-www-form-urlencoded",
            authorization: `Basic ${Buffer.from(`dovecot:${secret}`).toString("base64")}`
          },
          ...(from === undefined ? {} : { from })
        })
      )
    const me = (token: string, from = "192.0.2.9") => answered(box.call("GET", auth("me"), { bearer: token, from }))
    return { admin, introspect, key, me, person, post, signIn, user }
  })
type Ground = Effect.Success<ReturnType<typeof setUp>>

/** Guesses passwords of one account from many addresses, and of many accounts from one address. */
const bruteForce = ({ person, signIn }: Ground) =>
  Effect.gen(function* () {
    const { email } = yield* person("victim")
    expect((yield* signIn(email, "203.0.113.1")).status).toBe(200)
    const atAccount = yield* times(4 * limit, (n) => signIn(email, address(n), `guess number ${n}`), 1)
    expect(atAccount.map(({ status }) => status)).toEqual([...Array(limit).fill(401), ...Array(3 * limit).fill(429)])
    expect(Number(atAccount.at(-1)!.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((yield* signIn(email, address(9_999), password)).status).toBe(429)
    // The owner signs in from a known address.
    expect((yield* signIn(email, "203.0.113.1")).status).toBe(200)
    const fromOne = yield* times(
      4 * limit,
      (n) => signIn(`nobody${n}@example.org`, "192.0.2.66", `guess number ${n}`),
      1
    )
    expect(fromOne.map(({ status }) => status)).toEqual([...Array(limit).fill(401), ...Array(3 * limit).fill(429)])
    return { password: 2 * limit, throttled: 6 * limit + 1 }
  })

/** A copied refresh token, and forged ones. */
const refreshing = ({ me, person, post, signIn }: Ground) =>
  Effect.gen(function* () {
    const { email } = yield* person("copied")
    const { json } = yield* signIn(email, "203.0.113.2")
    const next = yield* post("refresh", { refresh_token: json.refresh_token })
    expect(next.status).toBe(200)
    const reused = yield* post("refresh", { refresh_token: json.refresh_token }, { from: "192.0.2.67" })
    expect([reused.status, reused.json.code]).toEqual([401, "invalid_refresh_token"])
    // The thief cannot be distinguished from the owner, so both lose the session.
    expect((yield* post("refresh", { refresh_token: next.json.refresh_token })).status).toBe(401)
    expect((yield* me(next.json.access_token)).status).toBe(401)
    expect(
      statuses(yield* times(30, () => post("refresh", { refresh_token: guessed("sbr_") }, { from: "192.0.2.67" })))
    ).toEqual([401])
    // The second refused refresh adds to neither count: its token was unused, but its session had ended.
    return { refresh_reuse: 1, refresh_unknown: 30 }
  })

/** Tokens whose headers try to influence their verification. */
const forgeries = async (good: string, key: TestKey, publicText: string): Promise<Record<string, string>> => {
  const payload = JSON.parse(Buffer.from(good.split(".")[1]!, "base64url").toString())
  const stranger = await generateKeyPair("EdDSA")
  const rsa = await generateKeyPair("RS256")
  const signed = (header: Record<string, unknown>, by: any = stranger.privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", kid: key.kid, ...header } as never).sign(by)
  const bytes = (text: string) => new TextEncoder().encode(text.padEnd(32))
  const ids: Record<string, unknown> = {
    SQL: "' or 1=1; drop table core.verification_key; --",
    "a path": "../../../../etc/passwd",
    "a device": "/dev/zero",
    "a prototype": "__proto__",
    "a constructor": "constructor",
    "an address": "http://127.0.0.1:9/keys.json",
    NUL: `${key.kid}\0`,
    long: "k".repeat(1_000),
    "too long": "k".repeat(8_000),
    "no text": { $ne: null },
    "a list": [key.kid],
    unknown: randomUUID()
  }
  const encoded = (header: unknown) => Buffer.from(JSON.stringify(header)).toString("base64url")
  const [, body, signature] = good.split(".")
  return {
    none: new UnsecuredJWT(payload).encode(),
    "none with a key": `${encoded({ alg: "none", kid: key.kid })}.${body}.`,
    "none in other letters": `${encoded({ alg: "nOnE", kid: key.kid })}.${body}.${signature}`,
    "HS256 by the public key": await signed({ alg: "HS256" }, bytes(publicText)),
    "HS256 by its bytes": await signed({ alg: "HS256" }, Buffer.from(publicText, "base64url")),
    RS256: await signed({ alg: "RS256" }, rsa.privateKey),
    "our key by another": await signed({}),
    "a key that is brought along": await signed({ jwk: await exportJWK(stranger.publicKey) }),
    ...Object.fromEntries(
      await Promise.all(
        Object.entries(ids).map(async ([name, kid]) => [
          `key id: ${name}`,
          typeof kid === "string" ? await signed({ kid }) : `${encoded({ alg: "EdDSA", kid })}.${body}.${signature}`
        ])
      )
    )
  }
}

/** The forged tokens must be refused by the API and by introspection. */
const stuffing = ({ introspect, key, me, post, user }: Ground, box: Box, publicText: string) =>
  Effect.gen(function* () {
    const access = yield* Effect.promise(() => key.access(user))
    const mail = yield* Effect.promise(() => key.mail(user))
    const atDoor = Object.entries(yield* Effect.promise(() => forgeries(access, key, publicText)))
    const atMail = Object.entries(yield* Effect.promise(() => forgeries(mail, key, publicText)))
    for (const [name, token] of atDoor) expect([name, (yield* me(token)).status]).toEqual([name, 401])
    for (const [name, token] of atMail) {
      const { status, text } = yield* introspect(token, undefined, "10.9.8.7")
      expect([name, status, text]).toEqual([name, 200, '{"active":false}'])
    }
    // Access tokens and mail tokens are not interchangeable. Expired tokens are refused without counting as an attack.
    expect([(yield* me(mail)).status, (yield* introspect(access, undefined, "10.9.8.7")).text]).toEqual([
      401,
      '{"active":false}'
    ])
    const over = { ...user, expires: Math.floor(Date.now() / 1000) - 60 }
    expect((yield* me(yield* Effect.promise(() => key.access(over)))).status).toBe(401)
    expect((yield* introspect(yield* Effect.promise(() => key.mail(over)))).text).toBe('{"active":false}')
    expect((yield* introspect(mail)).json.active).toBe(true)
    const guesses = yield* times(40, () =>
      answered(
        box.call("GET", "/api/v1/users", { headers: { "x-service-token": guessed("sbx_") }, from: "192.0.2.68" })
      )
    )
    expect(statuses(guesses)).toEqual([401])
    const callers = yield* times(40, () => introspect(mail, guessed("sbx_"), "10.9.8.8"))
    expect([statuses(callers), callers[0]!.json.error]).toEqual([[401], "invalid_client"])
    const links = yield* times(40, () => post("link", { token: guessed("sbl_") }, { from: "192.0.2.69" }))
    expect([statuses(links), links[0]!.json.code]).toEqual([[401], "invalid_link"])
    return {
      bearer_token: atDoor.length + 1,
      mail_token: atMail.length + 1,
      service_token: 40,
      introspection_caller: 40,
      link: 40
    }
  })

/** Second factors guessed by an attacker who knows the password. */
const codes = ({ person, post, signIn }: Ground, box: Box) =>
  Effect.gen(function* () {
    const [withApp, withCodes, withChat] = [yield* person("app"), yield* person("paper"), yield* person("chat")]
    const bearer = Effect.fnUntraced(function* (email: string, from: string) {
      return (yield* signIn(email, from)).json.access_token as string
    })
    const secretOf = Effect.fnUntraced(function* (email: string, from: string) {
      const by = { bearer: yield* bearer(email, from) }
      const { json } = yield* post("totp", { password }, by)
      expect((yield* post("totp/confirm", { code: wrongCode(json.secret) }, by)).status).toBe(422)
      const confirmed = yield* post("totp/confirm", { code: appCode(json.secret) }, by)
      return { secret: json.secret as string, codes: confirmed.json.recovery_codes as ReadonlyArray<string> }
    })
    const app = yield* secretOf(withApp.email, "203.0.113.3")
    yield* secretOf(withCodes.email, "203.0.113.4")
    const chat = "77"
    const by = { bearer: yield* bearer(withChat.email, "203.0.113.5") }
    yield* post("messenger", { chat_id: chat, password }, by)
    yield* post("messenger/confirm", { code: yield* box.codeAt(chat, 1) }, by)

    const guesses = (email: string, from: string, code: (n: number) => string) =>
      times(2 * limit, (n) => signIn(email, from, password, code(n)), 1)
    const bounded = [...Array(limit).fill(401), ...Array(limit).fill(429)]
    expect(
      (yield* guesses(withApp.email, "192.0.2.70", () => wrongCode(app.secret))).map(({ status }) => status)
    ).toEqual(bounded)
    expect(
      (yield* guesses(withCodes.email, "192.0.2.71", (n) => `${String(n).padStart(5, "0")}-zzzzz`)).map(
        ({ status }) => status
      )
    ).toEqual(bounded)
    // Wrong guesses invalidate the messenger code, regardless of their addresses.
    yield* signIn(withChat.email, "203.0.113.5")
    const sent = yield* box.codeAt(chat, 2)
    const wrong = sent === "000000" ? "111111" : "000000"
    expect(statuses(yield* times(maxTries, () => signIn(withChat.email, "203.0.113.5", password, wrong), 1))).toEqual([
      401
    ])
    yield* box.sql`delete from identity.throttle`
    const right = yield* signIn(withChat.email, "203.0.113.5", password, sent)
    expect([right.status, right.json.code]).toEqual([401, "invalid_credentials"])
    return { second_factor: 2 * limit + maxTries + 1, confirmation_code: 2, throttled: 2 * limit }
  })

const megabytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024
const p99 = (taken: ReadonlyArray<number>) => taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)]!

/** Thousands of forged tokens of every kind, while the mail server introspects valid ones. */
const mass = ({ introspect, key, me, user }: Ground, box: Box) =>
  Effect.gen(function* () {
    const good = yield* Effect.promise(() => Promise.all(Array.from({ length: 50 }, () => key.mail(user))))
    const template = good[0]!
    const header = (kid: string, more = {}) =>
      Buffer.from(JSON.stringify({ alg: "EdDSA", kid, ...more })).toString("base64url")
    const forged = (n: number): string => {
      const [, body, signature] = template.split(".")
      const id = randomUUID()
      const sorts = [
        `${header(id)}.${body}.${signature}`,
        `${header(key.kid)}.${body}.${randomBytes(64).toString("base64url")}`,
        `${header(key.kid, { id })}.${body}.${signature}`,
        `${header(key.kid)}.${id}.${signature}`,
        randomBytes(200).toString("base64url")
      ]
      return sorts[n % sorts.length]!
    }
    const asked = Effect.fnUntraced(function* (n: number) {
      const begun = performance.now()
      // The time of a repetition counts.
      const { json, status } = yield* introspect(good[n % good.length]!)
      expect([status, json.active]).toEqual([200, true])
      return performance.now() - begun
    })
    const wave = times(
      flood,
      (n) => (n % 2 === 0 ? introspect(forged(n >> 1), undefined, "10.6.6.6") : me(forged(n >> 1), "192.0.2.80")),
      16
    )
    const before = p99(yield* times(200, asked, 1))
    let over = false
    const during: Array<number> = []
    const [answers] = yield* Effect.all(
      [
        Effect.ensuring(
          wave,
          Effect.sync(() => {
            over = true
          })
        ),
        Effect.whileLoop({
          while: () => !over,
          body: () => asked(during.length),
          step: (taken) => void during.push(taken)
        })
      ],
      { concurrency: 2 }
    )
    expect(statuses(answers).toSorted()).toEqual([200, 401])
    expect(answers.every(({ json, status }) => status === 401 || json.active === false)).toBe(true)
    expect(during.length).toBeGreaterThan(20)
    expect(p99(during)).toBeLessThan(Math.max(heldUp.times * before, heldUp.atLeast))
    const full = megabytes(box.pid)
    yield* wave
    expect(megabytes(box.pid) - full).toBeLessThan(growth)
    return { bearer_token: flood, mail_token: flood }
  })

it.live(
  "each attack is refused, counted and written down, in few rows that say how many there were",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const box = yield* startBox({
          AUTH_RATE_LIMIT_MAX: String(limit - 1),
          SIGNALBOX_LOG_LEVEL: "info",
          // Raises the gateway's own rate limit, because this test examines the daemon behind it.
          SIGNALBOX_GATEWAY_RATE: "100000",
          SIGNALBOX_GATEWAY_BURST: "100000"
        })
        const ground = yield* setUp(box)
        const [{ x } = { x: "" }] = yield* box.sql<{
          x: string
        }>`select jwk->>'x' as x from core.verification_key where kid = ${ground.key.kid}`
        const expected: Record<string, number> = {}
        for (const attack of [
          bruteForce(ground),
          refreshing(ground),
          stuffing(ground, box, x),
          codes(ground, box),
          mass(ground, box)
        ]) {
          for (const [kind, count] of Object.entries(yield* attack)) expected[kind] = (expected[kind] ?? 0) + count
        }
        const counted = { ...(yield* box.counters("signalbox_refusals_total", "kind")) }
        expect(counted).toMatchObject(expected)
        expect(counted).toMatchObject({ mail_token_expired: 1, bearer_token_expired: 1 })

        const rows = box.sql<Row>`select action, entity_id, address, detail from core.audit where actor = 'nobody' order by id`
        const first = yield* rows
        expect(first.length, "rows").toBeLessThan(100)
        expect((yield* box.stop).code).toBe(0)
        const all = yield* rows
        expect(all.length - first.length, "sums").toBeLessThan(40)
        const written: Record<string, number> = {}
        for (const { action, detail } of all) {
          const kind = action.slice("refused.".length)
          written[kind] = (written[kind] ?? 0) + (detail.repeated ?? 1)
        }
        expect(written).toEqual(expected)
        expect(all.filter(({ action }) => action === "refused.bearer_token").map(({ address }) => address)).toEqual(
          expect.arrayContaining(["192.0.2.9", "192.0.2.80"])
        )
        expect(
          new Set(all.filter(({ action }) => action === "refused.password").map(({ detail }) => detail.reason))
        ).toEqual(new Set(["wrong_password", "unknown_user"]))
      })
    ),
  patience
)
