/**
 * A subscription as people do it, in German and English, with a real Chromium: the form, the mail, its link and the
 * button; then a notice and the unsubscription. Screenshots of pages and mails: #support/Screenshots.ts.
 */
import { it } from "@effect/vitest"
import { Effect, References } from "effect"
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { screenshot } from "#support/Screenshots.ts"
import { sharedBrowser } from "#support/TestBrowser.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

const people = [
  {
    lang: "de",
    email: "anna@example.test",
    submit: "Abonnieren",
    mailbox: "Bitte sehen Sie in Ihr Postfach",
    confirm: "Abonnement bestätigen",
    confirmed: "Das Abonnement steht",
    notice: "Wird untersucht: Mail kommt verspätet an",
    leave: "Abbestellen",
    left: "Abbestellt"
  },
  {
    lang: "en",
    email: "ben@example.test",
    submit: "Subscribe",
    mailbox: "Please check your mailbox",
    confirm: "Confirm subscription",
    confirmed: "You are subscribed",
    notice: "Investigating: Mail arrives late",
    leave: "Unsubscribe",
    left: "You are unsubscribed"
  }
] as const

const incidents = JSON.stringify({
  incidents: [
    {
      id: "2026-02-mail",
      title: "Mail kommt verspätet an",
      title_en: "Mail arrives late",
      status: "investigating",
      severity: "major",
      components: ["mail", "web"],
      created_at: "2026-02-01T09:00:00Z",
      resolved_at: null,
      updates: [
        {
          timestamp: "2026-02-01T09:05:00Z",
          status: "investigating",
          message:
            "Ein Speicher antwortet langsam. Mails gehen nicht verloren, kommen aber bis zu 30 Minuten später an.\n\nWir melden uns wieder bis 10 Uhr.",
          message_en:
            "A storage system answers slowly. No mail is lost, but it may arrive up to 30 minutes late.\n\nWe will write again by 10:00."
        }
      ]
    }
  ]
})

describePeers(["chromium"], "mails of the status page", () => {
  it.live(
    "are asked for, confirmed, got and ended by clicks, in both languages",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const sink = yield* MailSink.make()
          const folder = yield* temporaryDirectory("status")
          const [servicesFile, incidentsFile] = [join(folder, "services.json"), join(folder, "incidents.json")]
          writeFileSync(
            servicesFile,
            JSON.stringify({
              components: [
                { id: "mail", name: "E-Mail", name_en: "Mail", container: "mail" },
                { id: "web", name: "Webseiten", name_en: "Websites", container: "web" }
              ]
            })
          )
          writeFileSync(incidentsFile, `{"incidents":[]}`)
          const port = yield* freePort
          const base = `http://127.0.0.1:${port}`
          const suite = yield* startSuite({
            daemons: [statusChecker],
            env: {
              SIGNALBOX_STATUS_CHECKER_PORT: String(port),
              BASE_URL: base,
              SERVICES_FILE: servicesFile,
              INCIDENTS_FILE: incidentsFile,
              SMTP_HOST: "127.0.0.1",
              SMTP_PORT: String(sink.port),
              MAIL_FROM: "status@example.test",
              SIGNALBOX_CONTAINER_SOCKET: join(folder, "none.sock")
            }
          }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal"))
          yield* until(
            "what was there at first is passed over",
            Effect.map(
              suite.sql`select 1 from status_checker.imports where source = 'first start'`,
              (rows) => rows.length > 0
            )
          )
          const browser = (yield* Effect.promise(() => sharedBrowser()))!
          const mailsTo = (email: string) => sink.mails.filter(({ to }) => to.includes(email))
          const received = (email: string, count: number) =>
            Effect.andThen(
              until(
                `mail ${count} to ${email}`,
                Effect.sync(() => mailsTo(email).length >= count),
                30
              ),
              Effect.sync(() => mailsTo(email)[count - 1]!.mail)
            )

          /** Renders the mail like a mail client: no script, no network. */
          const pictureOf = async (html: string, name: string) => {
            for (const [kind, width] of [
              ["desktop", 800],
              ["phone", 360]
            ] as const) {
              const context = await browser.newContext({
                viewport: { width, height: 700 },
                javaScriptEnabled: false,
                offline: true
              })
              const page = await context.newPage()
              const asked: Array<string> = []
              page.on("request", (request) => void asked.push(request.url()))
              await page.setContent(html)
              expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width)
              await screenshot(page, `${name}-${kind}`, { fullPage: true })
              await context.close()
              expect(asked).toEqual([])
            }
          }

          for (const { confirm, confirmed, email, lang, mailbox, submit } of people) {
            const context = yield* Effect.promise(() => browser.newContext({ locale: lang, javaScriptEnabled: false }))
            const page = yield* Effect.promise(() => context.newPage())
            yield* Effect.promise(async () => {
              await page.goto(`${base}/subscribe`)
              await page.fill("input[name=email]", email)
              await page.getByRole("button", { name: submit, exact: true }).click()
              await page.getByRole("heading", { name: mailbox }).waitFor()
            })
            const mail = yield* received(email, 1)
            yield* Effect.promise(async () => {
              await pictureOf(mail.html!, `status-mail-confirm-${lang}`)
              // Follows the link in the mail.
              await page.setContent(mail.html!)
              await page.getByRole("link", { name: confirm }).click()
              await page.getByRole("button", { name: confirm }).click()
              await page.getByRole("heading", { name: confirmed }).waitFor()
              await screenshot(page, `status-mail-confirmed-${lang}`)
              await context.close()
            })
          }
          expect(yield* suite.sql`select email, lang, status from status_checker.subscribers order by email`).toEqual(
            people.map(({ email, lang }) => ({ email, lang, status: "confirmed" }))
          )

          writeFileSync(`${incidentsFile}.new`, incidents)
          renameSync(`${incidentsFile}.new`, incidentsFile)
          for (const { email, lang, leave, left, notice } of people) {
            const mail = yield* received(email, 2)
            expect(mail.subject).toBe(notice)
            yield* Effect.promise(async () => {
              await pictureOf(mail.html!, `status-mail-notice-${lang}`)
              const context = await browser.newContext({ locale: lang, javaScriptEnabled: false })
              const page = await context.newPage()
              await page.setContent(mail.html!)
              const incident = await page.locator("a").first().getAttribute("href")
              expect((await page.request.get(incident!)).status()).toBe(200)
              await page.getByRole("link", { name: leave }).click()
              await page.getByRole("button", { name: leave }).click()
              await page.getByRole("heading", { name: left }).waitFor()
              await context.close()
            })
          }
          expect(yield* suite.sql`select 1 from status_checker.subscribers`).toEqual([])
        })
      ),
    120_000
  )
})
