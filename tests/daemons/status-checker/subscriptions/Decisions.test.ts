/** What is decided without a database: limits, retries, hashes, what there is to tell, how a mail reads. */
import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { MailRelayError } from "#core/mail-relay/MailRelay.ts"
import { colours, line, page, paragraphsOf, subjectOf } from "#daemons/status-checker/subscriptions/MailFrame.ts"
import { overdue, verdict } from "#daemons/status-checker/subscriptions/MailQueue.ts"
import { mailTransport } from "#daemons/status-checker/subscriptions/MailTransport.ts"
import { maintenanceHash, noticeHash } from "#daemons/status-checker/subscriptions/NoticeHash.ts"
import { noticeMail } from "#daemons/status-checker/subscriptions/NoticeMail.ts"
import { afterFailure, isOfRelay, mailLife } from "#daemons/status-checker/subscriptions/Retry.ts"
import { judge, mostWaiting } from "#daemons/status-checker/subscriptions/SignUpLimits.ts"
import { noticesOf } from "#daemons/status-checker/subscriptions/NoticeList.ts"

const relay = "relay.example.test:25"
const error = (reason: MailRelayError["reason"], detail = "") => new MailRelayError({ reason, relay, detail })
const fresh = { kind: "notice", attempts: 1, age: 1_000 } as const

describe("a failed attempt", () => {
  it("is final when refused or too old, otherwise retried later", () => {
    expect(afterFailure(fresh, error("Refused", "550 no"), 0.5)).toEqual({
      _tag: "Failed",
      refused: true,
      error: `relay ${relay} refuses the mail (550)`
    })
    expect(afterFailure({ ...fresh, age: mailLife.notice }, error("PutOff", "450 later"), 0.5)).toMatchObject({
      _tag: "Failed",
      refused: false
    })
    expect(afterFailure({ ...fresh, kind: "confirm", age: mailLife.confirm }, error("Unreachable"), 0.5)).toMatchObject(
      { _tag: "Failed", refused: false }
    )
    expect(afterFailure({ ...fresh, age: mailLife.confirm }, error("Unreachable"), 0.5)).toMatchObject({
      _tag: "Again",
      wait: 0
    })
  })

  it("waits longer each time, at most an hour", () => {
    const waits = [1, 2, 3, 4, 5, 6, 60]
      .map((attempts) => afterFailure({ ...fresh, attempts }, error("PutOff", "450 later"), 0.5))
      .map((next) => (next._tag === "Again" ? next.wait / 60_000 : undefined))
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60])
    expect(afterFailure(fresh, error("NoAnswer"), 0.5)).toMatchObject({ _tag: "Again", wait: 120_000 })
  })

  it("tells whether the next mail may succeed", () => {
    expect(
      [
        error("Unreachable"),
        error("PutOff", "421 closing"),
        error("PutOff", "450 greylisted"),
        error("Refused", "550 4210"),
        error("NoAnswer")
      ].map(isOfRelay)
    ).toEqual([true, true, false, false, false])
  })
})

describe("a subscription request", () => {
  const none = { address: 0, client: 0, waiting: 0 }
  it("gets a mail up to each limit, and a different answer beyond", () => {
    expect(judge({ ...none, waiting: mostWaiting - 1 })._tag).toBe("Mail")
    expect(judge({ ...none, address: 1 })._tag).toBe("Quiet")
    expect(judge({ ...none, waiting: mostWaiting })._tag).toBe("Full")
    expect(judge({ ...none, client: 11 })).toEqual({ _tag: "TooMany", retryAfter: 11 })
    // Nobody learns from being too many that an address had its mails, or that a flood is on.
    expect(judge({ address: 1, client: 1, waiting: mostWaiting })._tag).toBe("TooMany")
  })
})

describe("the hash of a notice", () => {
  it("depends on id and time, for any spelling of the time", () => {
    expect(noticeHash("a", "2026-02-01T10:00:00+01:00")).toBe(noticeHash("a", "2026-02-01T09:00:00.000Z"))
    expect(noticeHash("a", "2026-02-01T09:00:00.001Z")).not.toBe(noticeHash("a", "2026-02-01T09:00:00Z"))
    // printf 'a\n2026-02-01T09:00:00.000Z' | sha256sum
    expect(noticeHash("a", "2026-02-01T09:00:00Z")).toBe(
      "88316e7824c6ef6af37c3461e45e1d0cf2098d71f7ceaacc63606ef323a2f52c"
    )
    expect(maintenanceHash("a", "2026-02-01T09:00:00Z")).not.toBe(noticeHash("a", "2026-02-01T09:00:00Z"))
  })

  it("differs for another id or time", () => {
    const moments = fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString())
    fc.assert(
      fc.property(
        fc.tuple(fc.string(), moments),
        fc.tuple(fc.string(), moments),
        ([a, at], [b, bt]) => (a === b && at === bt) === (noticeHash(a, at) === noticeHash(b, bt))
      )
    )
  })
})

const update = (timestamp: string) => ({ status: "investigating", message: "de", message_en: "en", timestamp }) as const
const incident = {
  id: "i",
  title: "T",
  title_en: "E",
  status: "investigating",
  severity: "minor",
  components: ["mail", "gone"],
  created_at: "2026-02-01T09:00:00.000Z",
  resolved_at: null
} as const

it("notices come oldest first, with the names of their components", () => {
  const all = noticesOf({
    components: [{ id: "mail", name: "Post", name_en: "Mail" }],
    incidents: [
      { ...incident, updates: [update("2026-02-01T09:00:00.000Z"), update("2026-02-03T09:00:00.000Z")] },
      { ...incident, id: "empty", updates: [] }
    ],
    maintenance: [
      {
        id: "m",
        title: "W",
        title_en: "M",
        message: "",
        message_en: "",
        components: [],
        starts_at: "2026-02-02T09:00:00.000Z",
        ends_at: "2026-02-02T10:00:00.000Z"
      }
    ]
  })
  expect(all.map(({ content, id }) => [id, content.kind])).toEqual([
    ["i", "incident"],
    ["m", "maintenance"],
    ["i", "incident"]
  ])
  expect(all[0]!.content.components).toEqual([
    { name: "Post", name_en: "Mail" },
    { name: "gone", name_en: "gone" }
  ])
  expect(new Set(all.map(({ hash }) => hash)).size).toBe(3)
})

describe("a mail", () => {
  const transport = {
    base: "https://status.example.test",
    domain: "example.test",
    from: "status@example.test",
    relay: { host: "h", port: 25, implicitTls: false, credentials: undefined }
  }
  it("has a one-line subject and escaped text for any input", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.constantFrom("de", "en"),
        (title, message, language) => {
          const content = {
            kind: "incident",
            id: title,
            title,
            title_en: title,
            message,
            message_en: message,
            components: [{ name: message, name_en: message }],
            status: "resolved",
            severity: "minor",
            timestamp: "2026-02-01T09:00:00.000Z"
          } as const
          const { headers, html, subject } = noticeMail(content, {
            language,
            unsubscribeToken: "t".repeat(43),
            transport
          })
          expect(subject).not.toMatch(/[\r\n\u0000-\u001f\u007f\u2028\u2029]/)
          expect(Array.from(subject).length).toBeLessThanOrEqual(150)
          for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/)
          // The elements are ours, and only ours.
          expect(
            [...html.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].every(([, name]) =>
              ["!DOCTYPE", "html", "head", "meta", "title", "body", "div", "p", "h1", "strong", "br", "a"].includes(
                name!
              )
            )
          ).toBe(true)
        }
      ),
      { numRuns: 150 }
    ))

  it("keeps paragraphs, and drops invisible characters", () => {
    expect(paragraphsOf("a\r\nb\u0000\r\n\r\n \n\nc\u202e d")).toEqual([["a", "b"], ["c d"]])
    expect(line("a\r\n b\u0007")).toBe("a b")
    expect(Array.from(subjectOf("😀".repeat(200))).length).toBe(150)
  })

  it("has sufficient contrast", () => {
    const luminance = (hex: string) => {
      const [r, g, b] = [1, 3, 5]
        .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
    }
    for (const colour of Object.values(colours)) expect(1.05 / (luminance(colour) + 0.05), colour).toBeGreaterThan(4.5)
    expect(
      page({
        language: "de",
        subject: "s",
        title: "t",
        body: [],
        button: { text: "b", href: "https://example.test" },
        foot: []
      })
    ).toMatch(/^<!DOCTYPE html><html lang="de">/)
  })

  it("is sent only when relay and sender are set", () => {
    const config = {
      smtpHost: "h",
      smtpPort: 25,
      mailFrom: "status@Bücher.example",
      baseUrl: "https://status.example.test/"
    }
    expect(mailTransport(config)).toEqual({
      ...transport,
      from: "status@Bücher.example",
      domain: "xn--bcher-kva.example"
    })
    expect(mailTransport({ ...config, smtpPort: 465 })!.relay.implicitTls).toBe(true)
    expect([
      mailTransport({ ...config, smtpHost: undefined }),
      mailTransport({ ...config, mailFrom: undefined })
    ]).toEqual([undefined, undefined])
  })
})

it("health reports overdue mails", () => {
  const transport = mailTransport({ smtpHost: "h", smtpPort: 25, mailFrom: "a@example.test", baseUrl: undefined })
  const facts = {
    queued: 3,
    oldest_s: 9_000,
    overdue_s: overdue,
    failed_last_day: 1,
    last_error: "relay h:25 cannot be reached",
    subscribers: 2,
    unreachable: 0
  }
  expect(verdict(undefined, facts).status).toBe("unconfigured")
  expect(verdict(transport, undefined)).toEqual({ status: "ok" })
  expect(verdict(transport, facts)).toMatchObject({
    status: "ok",
    queued: 3,
    last_error: "relay h:25 cannot be reached"
  })
  expect(verdict(transport, { ...facts, overdue_s: overdue + 1 })).toMatchObject({
    status: "degraded",
    detail: `mails have waited for ${overdue + 1} s; relay h:25 cannot be reached`
  })
})
