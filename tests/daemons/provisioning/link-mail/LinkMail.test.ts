import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { linkMail } from "#daemons/provisioning/link-mail/LinkMail.ts"
import * as MailSink from "#support/MailSink.ts"
import { hostileNames } from "../../../protocols/device-profiles/Accounts.ts"
import { startProvisioning } from "../ProvisioningSuite.ts"

it.live(
  "a link goes to its user's own address, by those who may revoke it, with the host of the tenant",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const { admin, as, link, person, stateOf, suite } = yield* startProvisioning({
          env: {
            SIGNALBOX_PROVISIONING_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
            SIGNALBOX_PROVISIONING_FROM: "devices@provider.test",
            SIGNALBOX_PROVISIONING_ORGANIZATION: "Löwe & Söhne"
          }
        })
        const [anna, bert] = [yield* person({ locale: "de" }), yield* person({ locale: "en" })]
        const made = yield* link(anna)
        const path = `/api/v1/provisioning/client-tokens/${made.id}/mail`
        const other = yield* link(bert)
        for (const [call, body, status] of [
          [as({}), { link: made.link }, 401],
          [as(bert.headers), { link: made.link }, 404],
          [as(anna.headers), { link: other.link }, 404],
          [as(anna.headers), { link: "https://box.example.org/provision/x" }, 404],
          [as(anna.headers), { link: "" }, 422],
          [as(anna.headers), {}, 422]
        ] as const)
          expect((yield* call("POST", path, body)).status).toBe(status)
        expect(sink.mails).toEqual([])

        // The host of the request's link does not count.
        const forged = made.link.replace("https://box.example.org", "https://evil.test")
        expect((yield* as(anna.headers)("POST", path, { link: forged })).status).toBe(204)
        const [mail] = sink.mails
        expect([mail!.from, mail!.to]).toEqual(["devices@provider.test", [anna.email]])
        expect(mail!.mail.subject).toBe("Ihr Gerät einrichten: Löwe & Söhne")
        expect(mail!.mail.text).toContain(`\n${made.link}\n`)
        expect(mail!.mail.text).not.toContain("evil.test")
        expect(yield* stateOf(made.id)).toBe("unused")
        expect(
          (yield* admin("POST", `/api/v1/provisioning/client-tokens/${other.id}/mail`, { link: other.link })).status
        ).toBe(204)
        expect(sink.mails[1]!.mail.subject).toBe("Set up your device: Löwe & Söhne")

        sink.behave(550)
        const refused = yield* as(anna.headers)("POST", path, { link: made.link })
        expect([refused.status, refused.json.code]).toEqual([503, "link_mail_failed"])
        sink.behave(250)
        expect((yield* as(anna.headers)("POST", path, { link: made.link })).status).toBe(204)
        expect((yield* as(anna.headers)("POST", path, { link: made.link })).status).toBe(429)
        yield* as(anna.headers)("DELETE", `/api/v1/provisioning/client-tokens/${made.id}`)
        expect((yield* as(anna.headers)("POST", path, { link: made.link })).status).toBe(404)
        const rows = yield* suite.sql`select a::text from core.audit a`
        expect(JSON.stringify(rows)).not.toContain(made.path.split("_").slice(2).join("_"))
      })
    ),
  120_000
)

it("keeps names on one line", () => {
  for (const name of hostileNames) {
    const { text } = linkMail({
      language: "en",
      name,
      link: "https://example.org/provision/x",
      organization: "Example",
      expiresAt: new Date(0),
      timeZone: null
    })
    expect(text.split("\n")).toHaveLength(11)
    expect(text).toContain("1 January 1970 at 00:00 UTC")
  }
})

it("names the end of the link in the time zone of the account", () => {
  const mail = { language: "de", name: "Anna", link: "https://example.org/", organization: "Example" } as const
  const { text } = linkMail({ ...mail, expiresAt: new Date("2030-07-01T22:30:00Z"), timeZone: "Europe/Berlin" })
  expect(text).toContain("bis 2. Juli 2030 um 00:30 MESZ.")
})
