/**
 * The first hour of a newcomer: what `signalbox up` prints, its sign-in link, the set-up list, allowed senders, the
 * first alarm. A picture of each step.
 */
import type { Camera } from "./Camera.ts"
import type { Language } from "./Shots.ts"
import { terminalPage } from "./Terminal.ts"

const words = {
  en: {
    senders: "Set up: Who may raise alarms",
    domains: "Allowed sender domains",
    networks: "Private networks for webhooks",
    saved: "Saved.",
    pages: "Pages",
    overview: "Overview",
    send: /^(Send a test alarm|Send again)$/,
    target: "Further target 1",
    arrived: "The alarm has arrived in this browser.",
    show: "Show the alarm"
  },
  de: {
    senders: "Einrichten: Wer Alarme auslösen darf",
    domains: "Erlaubte Absender-Domains",
    networks: "Private Netze für Webhooks",
    saved: "Gespeichert.",
    pages: "Seiten",
    overview: "Überblick",
    send: /^(Testalarm senden|Noch einmal senden)$/,
    target: "Weiteres Ziel 1",
    arrived: "Der Alarm ist in diesem Browser angekommen.",
    show: "Alarm zeigen"
  }
} as const

/** Number of pictures in each look. */
export const firstHourSteps = 7

interface Newcomer {
  readonly language: Language
  /** What `signalbox up` printed. */
  readonly printed: string
  /** The sign-in link in it. */
  readonly link: string
  /** Address of a webhook receiver. */
  readonly webhook: string
  readonly taken: (file: string) => void
}

/** Acts as a newcomer in an installation that nobody has signed in to. */
export const firstHour = async (
  { open, page, take }: Camera,
  { language, link, printed, taken, webhook }: Newcomer
): Promise<void> => {
  const t = words[language]
  let step = 0
  const picture = async (name: string) => take(`first-hour-${++step}-${name}.data`, taken)
  await page.setContent(terminalPage("bin/signalbox up", printed))
  await picture("terminal")
  await open({ name: "first-hour", state: "data", address: link, signedIn: true })
  await page.getByRole("region", { name: language === "de" ? "Einrichtung" : "Set-up" }).waitFor()
  await picture("signed-in")
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${new URL(page.url()).origin}/console/operations/settings#group-alarms`)
  for (const [label, value, group] of [
    [t.domains, "example.org", "alarms"],
    [t.networks, "127.0.0.0/8", "webhooks"]
  ] as const) {
    await page.getByLabel(label).fill(value)
    await page.keyboard.press("Enter")
    await page.locator(`#group-${group}`).getByText(t.saved).waitFor()
  }
  await picture("settings")
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole("navigation", { name: t.pages }).getByRole("link", { name: t.overview }).click()
  const button = page.getByRole("button", { name: t.send })
  await button
    .or(page.getByRole("button", { name: /Alle Schritte zeigen|Show all steps/ }))
    .first()
    .waitFor()
  if ((await button.count()) === 0) await page.getByRole("button", { name: /Alle Schritte|Show all/ }).click()
  await button.first().click()
  await page.getByLabel(t.target).fill(`${webhook}/pager`)
  await picture("test-alarm")
  await page.keyboard.press("Enter")
  await page.getByText(t.arrived).waitFor()
  await picture("arrived")
  await page.getByRole("link", { name: t.show }).click()
  await page.getByRole("heading", { level: 1 }).waitFor()
  await picture("alarm")
  await page.goto(`${new URL(page.url()).origin}/console/`)
  await page.getByRole("heading", { level: 1 }).waitFor()
  await picture("overview")
}
