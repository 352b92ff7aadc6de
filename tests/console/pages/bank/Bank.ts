/** What the tests of the bank's pages share: the daemons, days, and the language of a page. */
import type { Page } from "playwright-core"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { bankEnv } from "#support/bank/BankTls.ts"
import { checkPage } from "#support/console/CheckPage.ts"
import type { ConsoleOptions } from "#support/console/Console.ts"

/** Secret that signs the events of the card provider. The wallet provider has none. */
export const cardSecret = "s3cret of the card provider"

/** Daemons behind the bank's pages: sip-config has the customers. */
export const bankConsole: ConsoleOptions = {
  daemons: [identity, commDispatcher, sipConfig, bankFetcher],
  env: { ...bankEnv, PAYMENTS_CARD_WEBHOOK_SECRET: cardSecret }
}

/** The day `ago` days before today in UTC, ISO 8601. */
export const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Selects a language, even when the menu with it is closed. */
export const speak = (page: Page, language: "de" | "en") =>
  page.evaluate((language) => {
    const select = document.querySelector<HTMLSelectElement>("select[name=language]")!
    select.value = language
    select.dispatchEvent(new Event("change", { bubbles: true }))
  }, language)

/** Checks a page in both languages and returns to English. */
export const check = async (page: Page, name: string) => {
  await checkPage(page, name)
  await speak(page, "en")
}
