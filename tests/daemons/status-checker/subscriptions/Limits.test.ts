/** How often a mail may be asked for, and what strangers send. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { until } from "#support/Frame.ts"
import { mailsPerAddress, mostWaiting, requestsPerClient } from "#daemons/status-checker/subscriptions/SignUpLimits.ts"
import { linkIn, mailRig } from "./MailRig.ts"

/** Loopback is a trusted proxy. */
const from = (address: string) => ({ "x-forwarded-for": address })

describe("limits of signing up", () => {
  it.live(
    "apply per client and /64 with a retry time; other clients continue",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const ask = (n: number, address: string) => rig.subscribe({ email: `p${n}@example.test` }, from(address))
        // At once, too, no more get through.
        const answers = yield* Effect.forEach(
          Array.from({ length: requestsPerClient + 5 }, (_, n) => n),
          (n) => ask(n, `2001:db8:1:2::${(n + 1).toString(16)}`),
          { concurrency: 8 }
        )
        expect(answers.filter(({ status }) => status === 202).length).toBe(requestsPerClient)
        const refused = answers.find(({ status }) => status === 429)!
        expect(refused.json.code).toBe("too_many_requests")
        expect(refused.headers.get("content-type")).toBe("application/problem+json")
        const wait = Number(refused.headers.get("retry-after"))
        expect(wait).toBeGreaterThan(3_000)
        expect(wait).toBeLessThanOrEqual(3_600)
        const page = yield* rig.post("/subscribe?lang=de", { email: "x@example.test" }, from("2001:db8:1:2:ffff::1"))
        expect([page.status, page.headers.has("retry-after"), page.text.includes("Zu viele Anfragen")]).toEqual([
          429,
          true,
          true
        ])
        expect((yield* ask(100, "2001:db8:1:3::1")).status).toBe(202)
        expect((yield* ask(101, "192.0.2.1")).status).toBe(202)
        // An hour later.
        yield* rig.sql`update status_checker.sign_ups set at = at - interval '1 hour'`
        expect((yield* ask(102, "2001:db8:1:2::9")).status).toBe(202)
      }),
    120_000
  )

  it.live(
    "allow a few mails per address and day, without telling the client",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const answers = yield* Effect.forEach(
          Array.from({ length: mailsPerAddress + 3 }, (_, n) => n),
          (n) => rig.subscribe({ email: "Anna@example.test", lang: "en" }, from(`192.0.2.${n + 1}`))
        )
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        yield* rig.received("anna@example.test", mailsPerAddress)
        yield* until(
          "nothing waits",
          Effect.map(
            rig.sql`select 1 from status_checker.mails where state <> 'delivered'`,
            (rows) => rows.length === 0
          )
        )
        expect(rig.mailsTo("anna@example.test").length).toBe(mailsPerAddress)
        yield* rig.sql`update status_checker.sign_ups set at = at - interval '1 day'`
        yield* rig.subscribe({ email: "anna@example.test" })
        yield* rig.received("anna@example.test", mailsPerAddress + 1)
      }),
    120_000
  )

  it.live(
    "refuse requests while too many confirmations wait",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        yield* rig.sink.close
        yield* rig.sql`with people as (insert into status_checker.subscribers (email, lang, status, unsubscribe, unsubscribe_envelope)
          select 'w' || n || '@example.test', 'en', 'pending', lpad(n::text, 64, '0'), 'none' from generate_series(1, ${mostWaiting}::int) n returning id)
        insert into status_checker.mails (subscriber_id, kind, ref, message_id, next_at) select id, 'confirm', id::text, id::text, now() + interval '1 hour' from people`
        const answer = yield* rig.subscribe({ email: "anna@example.test" })
        expect([answer.status, answer.json.code, answer.headers.get("retry-after")]).toEqual([
          503,
          "unavailable",
          "300"
        ])
        expect((yield* rig.post("/subscribe", { email: "anna@example.test" })).status).toBe(503)
        expect(yield* rig.sql`select 1 from status_checker.subscribers where email = 'anna@example.test'`).toEqual([])
      }),
    120_000
  )
})

const long = "a".repeat(10_000)

describe("input of visitors", () => {
  it.live(
    "is refused with the field's name, or accepted as it is",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const fields = Effect.fnUntraced(function* (body: unknown, query = "") {
          const { json, status } = yield* rig.subscribe(body, {}, query)
          return [status, ...(json?.errors ?? []).map(({ field }: { readonly field: string }) => field)]
        })
        for (const email of [
          "",
          " ",
          "anna",
          "@example.test",
          "anna@",
          "anna@example.test\r\nBcc: victim@example.test",
          "anna@example.test\nSubject: x",
          "anna@exa\u0000mple.test",
          `${long}@example.test`,
          `anna@${long}.test`,
          "anna@example.test, ben@example.test",
          "Anna <anna@example.test>",
          "anna@[127.0.0.1]",
          "anna@127.0.0.1",
          '"a b"@example.test',
          "anna@@example.test",
          "anna\u202e@example.test",
          "<script>@example.test"
        ]) {
          expect(yield* fields({ email }), JSON.stringify(email).slice(0, 80)).toEqual([422, "payload.email"])
          const page = yield* rig.post("/subscribe", { email })
          expect(page.status, JSON.stringify(email).slice(0, 80)).toBe(422)
          expect(page.text).not.toContain("<script>@")
        }
        expect(yield* fields({})).toEqual([422, "payload.email"])
        expect(yield* fields({ email: 7 })).toEqual([422, "payload.email"])
        expect(yield* fields({ email: "anna@example.test", lang: "fr" })).toEqual([422, "payload.lang"])
        expect(yield* fields({ email: "anna", components: ["mail", "nope", "web", "' or 1=1"] })).toEqual([
          422,
          "payload.email",
          "payload.components[1]",
          "payload.components[3]"
        ])
        expect(
          yield* fields({ email: "anna@example.test", components: Array.from({ length: 501 }, () => "mail") })
        ).toEqual([422, "payload.components"])
        expect((yield* fields({ email: "anna@example.test", components: "mail" }))[0]).toBe(422)
        expect((yield* rig.subscribe("{ not json")).status).toBe(400)
        expect((yield* rig.subscribe("[]")).status).toBe(422)
        for (const garbage of [
          "",
          "%%%",
          "email=a&email=b",
          "=&=&=",
          "email",
          `email=${long}`,
          "\u0000",
          "lang=de",
          "email=anna%40example.test&lang=xx",
          "email=anna%40example.test&components=nope"
        ]) {
          expect((yield* rig.post("/subscribe", garbage)).status, garbage.slice(0, 60)).toBe(422)
        }
        expect(
          (yield* rig.suite.call("POST", "/subscribe", { body: "x", headers: { "content-type": "text/plain" } })).status
        ).toBe(415)
        expect(yield* rig.sql`select 1 from status_checker.subscribers`).toEqual([])
        expect(rig.sink.mails).toEqual([])
      }),
    120_000
  )

  it.live(
    "can be an internationalised address, and a form with several components",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const page = yield* rig.post(
          "/subscribe?lang=de",
          "email=Anna%40B%C3%BCcher.Example&lang=en&components=web&components=mail"
        )
        expect(page.status).toBe(200)
        expect(page.text).toContain("anna@xn--bcher-kva.example")
        // The relay of the test shows domains in Unicode.
        const [mail] = yield* rig.received("anna@bücher.example")
        expect(mail!.mail.subject).toBe("Please confirm your subscription")
        expect(linkIn(mail!.mail.text!, "/subscribe/confirm")).toContain("lang=en")
        expect(yield* rig.sql`select components from status_checker.confirmations`).toEqual([
          { components: ["mail", "web"] }
        ])
        // The query's language, then Accept-Language, then English.
        for (const [n, { headers, query, want }] of [
          { query: "?lang=de", headers: { "accept-language": "en" }, want: "Bitte bestätigen Sie Ihr Abonnement" },
          {
            query: "?lang=fr",
            headers: { "accept-language": "fr, de;q=0.8, en;q=0.5" },
            want: "Bitte bestätigen Sie Ihr Abonnement"
          },
          { query: "", headers: { "accept-language": "fr" }, want: "Please confirm your subscription" }
        ].entries()) {
          yield* rig.subscribe({ email: `l${n}@example.test` }, headers, query)
          expect((yield* rig.received(`l${n}@example.test`))[0]!.mail.subject).toBe(want)
        }
      }),
    120_000
  )

  it.live(
    "cannot inject a mail header through an incident",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        yield* rig.confirmed("anna@example.test", "de")
        yield* rig.sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, published_at) values
        ('evil', ${"Ärger\r\nBcc: victim@example.test\r\n\r\nBody"}, 'x', 'investigating', 'minor', '{}', now())`
        yield* rig.sql`insert into status_checker.incident_updates (incident_id, "timestamp", status, message, message_en)
        values ('evil', now(), 'investigating', ${"Text\r\n.\r\nMAIL FROM:<x@example.test>\r\n<script>alert(1)</script>"}, 'x')`
        yield* rig.sql`select pg_notify('signalbox', 'status-checker')`
        const [, mail] = yield* rig.received("anna@example.test", 2)
        expect(mail!.mail.subject).toBe("Wird untersucht: Ärger Bcc: victim@example.test Body")
        expect(mail!.mail.headers.map(({ key }) => key)).not.toContain("bcc")
        expect(mail!.to).toEqual(["anna@example.test"])
        expect(mail!.mail.text).toContain("Text\n.\nMAIL FROM:<x@example.test>")
        expect(mail!.mail.html).not.toContain("<script>")
      }),
    120_000
  )
})
