/** Care of an account's keys in a real browser: passphrase, reset, suspend and resume, against a bank double. */
import { Effect, Exit, Option, Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as KeyOperator from "#daemons/bank-fetcher/accounts/KeyOperator.ts"
import type { BankDouble } from "#support/bank/BankDouble.ts"
import { startBank } from "#support/bank/BankTls.ts"
import { ownIban } from "#support/bank/StatementFiles.ts"
import { consoleTests } from "#support/console/Console.ts"
import { callsAs } from "../telephony/Telephony.ts"
import { bankConsole, check } from "./Bank.ts"

const console = consoleTests(bankConsole)

const passphrase = "correct horse battery 7"
const scope = Scope.makeUnsafe()
const folder = mkdtempSync(join(tmpdir(), "bank-care-"))
const file = join(folder, "passphrase")
let bank: BankDouble
let url: string
beforeAll(async () => {
  writeFileSync(file, `${passphrase}\n`)
  ;({ bank, url } = await Effect.runPromise(Scope.provide(startBank(), scope)))
}, 120_000)
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true })
})

/** Generates the keys in a process of its own, so that the daemon does not have their passphrase. */
const initElsewhere = (which: string) =>
  console.run(
    KeyOperator.init({ which, json: true, passphraseFile: Option.some(file) }).pipe(
      Effect.provideService(Environment, console.suite.env)
    )
  )

describe("the care of keys", () => {
  it("resets keys, unlocks them with their passphrase, and suspends and resumes fetching", async () => {
    const user = await console.user({ role: "admin", tenant: await console.tenant() })
    const ask = await callsAs(console, user)
    const agreed = bank.agree("PARTNER", "CARE")
    const account = await ask("POST", "/api/v1/crm/ebics/accounts", {
      name: "Business account",
      iban: ownIban,
      host_id: bank.hostId,
      partner_id: "PARTNER",
      user_id: "CARE",
      server_url: url,
      key_bits: 2048
    })
    const step = (name: string, body?: object) =>
      ask("POST", `/api/v1/crm/ebics/accounts/${account.id}/keys/${name}`, body)
    const accept = async () => {
      const { bank_keys } = await ask("GET", `/api/v1/crm/ebics/accounts/${account.id}/keys/status`)
      const { authentication, encryption } = bank_keys.offered
      return step("bank/accept", { authentication: authentication.hash.join(""), encryption: encryption.hash.join("") })
    }

    // Keys with a passphrase; a short one does not leave the page.
    const page = await console.open(user, `/bank/accounts/${account.id}`)
    const setUp = page.getByRole("region", { name: "Set-up" })
    const field = setUp.getByLabel("Passphrase (optional)")
    // Constraints of minlength count for typed text only.
    await field.pressSequentially("too short")
    await setUp.getByRole("button", { name: "Generate keys" }).click()
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.tooShort)).toBe(true)
    await field.fill(passphrase)
    await setUp.getByRole("button", { name: "Generate keys" }).click()
    await setUp.getByRole("button", { name: "Send the first key" }).waitFor()

    // A reset needs the IBAN of this account, and a second click.
    await page.getByText("Manage the keys").click()
    const destroy = page.getByRole("button", { name: "Destroy the keys and begin again" })
    await page.getByLabel("IBAN of this account").fill("DE02120300000000202051")
    expect(await destroy.isDisabled()).toBe(true)
    await page.getByLabel("IBAN of this account").fill("de89 3704 0044 0532 0130 00")
    await check(page, "bank-account-reset")
    await destroy.click()
    await page.getByRole("button", { name: "Really? The keys cannot be restored." }).click()
    await setUp.getByRole("button", { name: "Generate keys" }).waitFor()

    // The daemon has no passphrase of keys that another process made.
    await initElsewhere(ownIban)
    await step("ini")
    await step("hia")
    bank.release(agreed)
    await page.reload()
    const phrase = setUp.getByLabel("Passphrase of the keys")
    await phrase.fill(`${passphrase}!`)
    console.expecting(/status of 422 .*\/keys\/unlock/)
    await setUp.getByRole("button", { name: "Unlock" }).click()
    await setUp.getByText("This is not the passphrase of these keys.").waitFor()
    await check(page, "bank-account-locked")
    await phrase.fill(passphrase)
    await setUp.getByRole("button", { name: "Unlock" }).click()
    await phrase.waitFor({ state: "detached" })
    await setUp.getByRole("button", { name: "Ask the bank" }).click()
    await setUp.getByRole("button", { name: "Accept the bank's keys" }).waitFor()
    await accept()
    await page.reload()
    await setUp.getByText("The set-up is complete.").waitFor()

    // While fetching is suspended, nothing can be fetched.
    const fetchNow = page.getByRole("button", { name: "Fetch now" })
    await fetchNow.waitFor()
    await page.getByText("Manage the keys").click()
    await page.getByRole("button", { name: "Suspend fetching" }).click()
    const resume = page.getByRole("button", { name: "Resume fetching" })
    await resume.waitFor()
    await fetchNow.waitFor({ state: "detached" })
    await page.getByRole("region", { name: "Account" }).getByText("suspended").waitFor()
    expect(await setUp.getByText("Statements are fetched.").count()).toBe(0)
    await check(page, "bank-account-suspended")
    await resume.click()
    await fetchNow.waitFor()
    await page.getByRole("button", { name: "Suspend fetching" }).waitFor()
  }, 180_000)
})
