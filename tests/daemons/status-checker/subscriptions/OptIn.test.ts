/** Subscribing, confirming and leaving, over real mail. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { base, linkIn, mailRig, pathOf } from "./MailRig.ts"

const rows = (rig: Effect.Success<ReturnType<typeof mailRig>>) =>
  rig.sql<{
    email: string
    lang: string
    components: ReadonlyArray<string> | null
    status: string
  }>`select email, lang, components, status from status_checker.subscribers order by email`

describe("opt-in", () => {
  it.live(
    "sends a mail in the chosen language, and needs the button to confirm",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        for (const [lang, email, subject, button] of [
          ["de", "Anna@Example.TEST", "Bitte bestätigen Sie Ihr Abonnement", "Abonnement bestätigen"],
          ["en", "ben@example.test", "Please confirm your subscription", "Confirm subscription"]
        ] as const) {
          const answer = yield* rig.subscribe({ email, lang })
          expect(answer.status).toBe(202)
          expect(answer.json.status).toBe("confirmation_sent")
          const address = email.toLowerCase()
          const [got] = yield* rig.received(address)
          expect(got!.mail.subject).toBe(subject)
          expect(got!.from).toBe("status@example.test")
          const header = (name: string) => got!.mail.headers.find(({ key }) => key === name)?.value
          expect(header("content-language")).toBe(lang)
          expect(header("auto-submitted")).toBe("auto-generated")
          expect(header("list-id")).toBe("<status.example.test>")
          const link = linkIn(got!.mail.text!, "/subscribe/confirm")
          expect(link.startsWith(`${base}/subscribe/confirm?token=`)).toBe(true)
          expect(got!.mail.html).toContain(link.replaceAll("&", "&amp;"))
          const page = yield* rig.suite.call("GET", pathOf(link))
          expect(page.status).toBe(200)
          expect(page.text).toContain(`<html lang="${lang}">`)
          expect(page.text).toContain(button)
          expect((yield* rows(rig)).find((row) => row.email === address)).toEqual({
            email: address,
            lang,
            components: null,
            status: "pending"
          })
          for (const time of [1, 2]) {
            const done = yield* rig.suite.call("POST", pathOf(link))
            expect(done.status, `time ${time}`).toBe(200)
          }
          expect((yield* rows(rig)).find((row) => row.email === address)!.status).toBe("confirmed")
        }
        expect(yield* rig.sql`select action from core.audit where entity_type = 'subscriber' order by id`).toEqual(
          ["asked", "confirmed", "asked", "confirmed"].map((what) => ({ action: `subscriber.${what}` }))
        )
      }),
    120_000
  )

  it.live(
    "answers known and unknown addresses alike, and applies a new choice after confirmation",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const first = yield* rig.subscribe({
          email: "anna@example.test",
          lang: "en",
          components: ["web", "mail", "web"]
        })
        const [mail] = yield* rig.received("anna@example.test")
        const link = linkIn(mail!.mail.text!, "/subscribe/confirm")
        yield* rig.suite.call("POST", pathOf(link))
        expect(yield* rows(rig)).toEqual([
          { email: "anna@example.test", lang: "en", components: ["mail", "web"], status: "confirmed" }
        ])
        const second = yield* rig.subscribe({ email: "anna@example.test", lang: "de", components: ["web"] })
        expect([second.status, Object.keys(second.json)]).toEqual([first.status, Object.keys(first.json)])
        const [, change] = yield* rig.received("anna@example.test", 2)
        expect(yield* rows(rig)).toEqual([
          { email: "anna@example.test", lang: "en", components: ["mail", "web"], status: "confirmed" }
        ])
        yield* rig.suite.call("POST", pathOf(linkIn(change!.mail.text!, "/subscribe/confirm")))
        expect(yield* rows(rig)).toEqual([
          { email: "anna@example.test", lang: "de", components: ["web"], status: "confirmed" }
        ])
        // The old link again: harmless.
        expect((yield* rig.suite.call("POST", pathOf(link))).status).toBe(200)
        expect(yield* rows(rig)).toEqual([
          { email: "anna@example.test", lang: "de", components: ["web"], status: "confirmed" }
        ])
        // Byte for byte the same for the unknown.
        const known = yield* rig.subscribe({ email: "anna@example.test", lang: "de" })
        const unknown = yield* rig.subscribe({ email: "nobody@example.test", lang: "de" })
        expect(unknown.text).toBe(known.text)
        expect(unknown.status).toBe(known.status)
      }),
    120_000
  )

  it.live("refuses expired, changed and invented links", () =>
    Effect.gen(function* () {
      const rig = yield* mailRig()
      yield* rig.subscribe({ email: "anna@example.test" })
      const [mail] = yield* rig.received("anna@example.test")
      const link = pathOf(linkIn(mail!.mail.text!, "/subscribe/confirm"))
      const token = new URL(link, base).searchParams.get("token")!
      expect(yield* rig.sql`select 1 from status_checker.confirmations where token = ${token}`).toEqual([])
      yield* rig.sql`update status_checker.confirmations set expires_at = now()`
      for (const bad of [
        link,
        link.replace(token, "A".repeat(43)),
        link.replace(token, token.slice(1)),
        link.replace(token, ""),
        link.replace(token, "%00"),
        "/subscribe/confirm"
      ]) {
        const answer = yield* rig.suite.call("POST", bad)
        expect(answer.status, bad).toBe(410)
        expect(answer.text).toContain("<html")
      }
      expect((yield* rows(rig))[0]!.status).toBe("pending")
    })
  )
})

describe("leaving", () => {
  it.live(
    "works by one click of a mail program, in either body format, without a cookie",
    () =>
      Effect.gen(function* () {
        const rig = yield* mailRig()
        const boundary = "----mail-program"
        const bodies = [
          { type: "application/x-www-form-urlencoded", body: "List-Unsubscribe=One-Click" },
          {
            type: `multipart/form-data; boundary=${boundary}`,
            body: `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
          }
        ]
        for (const [index, { body, type }] of bodies.entries()) {
          const email = yield* rig.confirmed(`anna${index}@example.test`, "de")
          const { headers } = rig.mailsTo(email)[0]!.mail
          const header = (name: string) => headers.find(({ key }) => key === name)!.value
          expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
          const link = /^<(https:[^>]*)>$/.exec(header("list-unsubscribe"))![1]!
          // Looking changes nothing.
          const page = yield* rig.suite.call("GET", pathOf(link))
          expect([page.status, page.text.includes("Abbestellen")]).toEqual([200, true])
          expect((yield* rows(rig)).length).toBe(1)
          const answer = yield* rig.suite.call("POST", pathOf(link), { body, headers: { "content-type": type } })
          expect(answer.status).toBe(200)
          expect(yield* rows(rig)).toEqual([])
          expect(yield* rig.sql`select 1 from status_checker.mails`).toEqual([])
          expect(yield* rig.sql`select 1 from status_checker.confirmations`).toEqual([])
          // Once more, as programs do.
          expect(
            (yield* rig.suite.call("POST", pathOf(link), { body, headers: { "content-type": type } })).status
          ).toBe(200)
          // What confirmed before confirms nobody now.
          expect(
            (yield* rig.suite.call("POST", pathOf(linkIn(rig.mailsTo(email)[0]!.mail.text!, "/subscribe/confirm"))))
              .status
          ).toBe(410)
        }
      }),
    120_000
  )

  it.live("is possible before confirmation, from the first mail", () =>
    Effect.gen(function* () {
      const rig = yield* mailRig()
      yield* rig.subscribe({ email: "anna@example.test", lang: "en" })
      const [mail] = yield* rig.received("anna@example.test")
      expect((yield* rig.suite.call("POST", pathOf(linkIn(mail!.mail.text!, "/unsubscribe")))).status).toBe(200)
      expect(yield* rows(rig)).toEqual([])
    })
  )
})
