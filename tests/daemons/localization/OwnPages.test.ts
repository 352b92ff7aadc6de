/**
 * Texts of our own pages and mails, overridden while the real daemons run: localization, status-checker and edge-auth
 * over one database.
 */
import { assert, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { localization } from "#daemons/localization/Daemon.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

const status = "server.status-checker.pages"
const edge = "server.edge-auth.pages"
const mails = "server.status-checker.mails.confirm"
const hostile = "<script>alert(1)</script>"

const start = Effect.gen(function* () {
  const folder = yield* temporaryDirectory("status")
  const files = { services: join(folder, "services.json"), incidents: join(folder, "incidents.json") }
  writeFileSync(files.services, JSON.stringify({ components: [{ id: "web", name: "Netz", name_en: "Web" }] }))
  writeFileSync(files.incidents, JSON.stringify({ incidents: [] }))
  const sink = yield* MailSink.make()
  const suite = yield* startSuite({
    daemons: [localization, statusChecker, edgeAuth],
    env: {
      SERVICES_FILE: files.services,
      INCIDENTS_FILE: files.incidents,
      BASE_URL: "https://status.example.test",
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(sink.port),
      MAIL_FROM: "status@example.test",
      SIGNALBOX_CONTAINER_SOCKET: join(folder, "none.sock"),
      AUTH_COOKIE_DOMAIN: "example.org"
    }
  })
  const token = yield* suite.token
  const admin = (method: string, path: string, body?: unknown) =>
    suite.call(method, `/api/v1/i18n/admin${path}`, {
      of: "localization",
      token,
      ...(body === undefined ? {} : { body })
    })
  return {
    sink,
    suite,
    admin,
    put: (locale: string, key: string, value: string) => admin("PUT", `/translations/${locale}/${key}`, { value }),
    /** A page as a browser with these preferences gets it. */
    page: (of: "status-checker" | "edge-auth", path: string, accepted = "de") =>
      suite.call("GET", path, { of, headers: { "accept-language": accepted } }),
    subscribe: (email: string, lang: string) =>
      suite.call("POST", "/api/v1/subscribe", { of: "status-checker", body: { email, lang } })
  }
})

it.live(
  "what people write shows on status page, edge pages and in mails without a restart, as text; a third language too",
  () =>
    Effect.gen(function* () {
      const { admin, page, put, sink, subscribe } = yield* start
      const shows = (of: "status-checker" | "edge-auth", path: string, text: string, accepted?: string) =>
        until(
          `${of} ${path} shows ${text}`,
          Effect.map(page(of, path, accepted), (answer) => answer.text.includes(text))
        )
      const mailTo = (address: string) =>
        Effect.andThen(
          until(
            `a mail to ${address}`,
            Effect.sync(() => sink.mails.some(({ to }) => to.includes(address)))
          ),
          Effect.sync(() => sink.mails.find(({ to }) => to.includes(address))!.mail)
        )
      yield* shows("status-checker", "/", "Systemstatus")
      yield* shows("edge-auth", "/login", "Anmelden")

      expect((yield* put("de", `${status}.site`, `Stand ${hostile}`)).status).toBe(200)
      expect((yield* put("de", `${edge}.login`, `Hinein ${hostile}`)).status).toBe(200)
      expect((yield* put("de", `${mails}.subject`, "Bitte klicken")).status).toBe(200)
      expect((yield* put("de", `${mails}.ask`, hostile)).status).toBe(200)
      yield* shows("status-checker", "/", "Stand &lt;script>alert(1)&lt;/script>")
      yield* shows("edge-auth", "/login", "Hinein &lt;script>alert(1)&lt;/script>")
      for (const of of ["status-checker", "edge-auth"] as const)
        assert.notInclude((yield* page(of, of === "edge-auth" ? "/login" : "/")).text, "<script>alert")
      yield* shows("status-checker", "/", "System status", "en")
      expect((yield* subscribe("anna@example.test", "de")).status).toBe(202)
      const german = yield* mailTo("anna@example.test")
      expect(german.subject).toBe("Bitte klicken")
      expect(german.html).toContain("&lt;script>alert(1)")
      expect(german.html).not.toContain("<script")

      // What an override must keep.
      for (const [locale, value, placeholders] of [
        ["de", "Bitte anmelden.", ["host"]],
        ["de", "Weiter zu {host} um {time}.", ["time"]],
        ["en", "Please sign in.", ["host"]],
        ["en", "Go on to {place}.", ["place"]]
      ] as const)
        expect(yield* put(locale, `${edge}.to`, value), value).toMatchObject({
          status: 422,
          json: { code: "invalid_message", placeholders }
        })

      // A third language.
      expect((yield* subscribe("luc@example.test", "fr")).status).toBe(422)
      expect((yield* admin("POST", "/languages", { code: "fr", label: "Français" })).status).toBe(201)
      yield* put("fr", `${status}.site`, "État des services")
      yield* put("fr", `${edge}.login`, "Se connecter")
      yield* put("fr", `${mails}.subject`, "Confirmez votre abonnement")
      yield* shows("status-checker", "/", "État des services", "fr-CH, de;q=0.5")
      yield* shows("edge-auth", "/login", "Se connecter", "fr-CH, de;q=0.5")
      for (const [of, path] of [
        ["status-checker", "/"],
        ["edge-auth", "/login"]
      ] as const) {
        const french = (yield* page(of, path, "fr")).text
        expect(french).toContain('<html lang="fr">')
        expect(french).toMatch(/<a href="[^"]*\blang=fr"[^>]* aria-current="true"[^>]*>Français<\/a>/)
        // Texts without translation are English.
        expect(french).toContain(of === "edge-auth" ? "Password" : "All times are in UTC.")
        yield* shows(of, path, ">Français</a>")
      }
      expect((yield* page("status-checker", "/subscribe", "de")).text).toMatch(/<option value="fr"[^>]*>Français</)
      expect((yield* subscribe("luc@example.test", "fr")).status).toBe(202)
      expect((yield* mailTo("luc@example.test")).subject).toBe("Confirmez votre abonnement")

      // What ships comes back.
      expect((yield* admin("DELETE", `/translations/de/${status}.site`)).status).toBe(204)
      expect((yield* admin("DELETE", "/languages/fr")).status).toBe(204)
      yield* shows("status-checker", "/", "Systemstatus")
      yield* shows("edge-auth", "/login", "Sign in", "fr")
      yield* until(
        "the status page does not offer the removed language",
        Effect.map(page("status-checker", "/"), ({ text }) => !text.includes("Français"))
      )
    }),
  120_000
)
