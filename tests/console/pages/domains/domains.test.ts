/**
 * Domains in a real browser, over a real PowerDNS: add and test an account, then add, plan, write and verify a domain.
 */
import { Effect, Exit, Scope } from "effect"
import type { Page } from "playwright-core"
import { afterAll, describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { makeCustomer, pickCustomer } from "#support/console/Customers.ts"
import { consoleTests } from "#support/console/Console.ts"
import * as PowerDns from "#support/dns/PowerDns.ts"

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const server = await Effect.runPromise(Effect.option(Scope.provide(PowerDns.make, scope)))
const dns = server._tag === "Some" ? server.value : undefined

const platform = "198.51.100.7"

const console = consoleTests({
  env: {
    SIGNALBOX_PLATFORM_IPV4: platform,
    SIGNALBOX_PLATFORM_IPV6: "2001:db8:1::7",
    SIGNALBOX_MAIL_HOST: "mail.platform.example",
    SIGNALBOX_RESOLVERS: `127.0.0.1:${dns?.dns.port ?? 1}`,
    SIGNALBOX_DNS_PORT: String(dns?.dns.port ?? 1),
    SIGNALBOX_DNS_ALLOW_CIDRS: "127.0.0.0/8"
  }
})

/** Checks the page in both languages and returns to English. */
const check = async (page: Page, name: string) => {
  await checkPage(page, name)
  await page.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>("select[name=language]")!
    select.value = "en"
    select.dispatchEvent(new Event("change", { bubbles: true }))
  })
}

/** Creates a zone at the PowerDNS with a record that belongs to others. */
const makeZone = async (name: string) => {
  await dns!.makeZone(name)
  const rrset = (at: string, type: string, content: string) => ({
    name: at,
    type,
    ttl: 60,
    changetype: "REPLACE",
    records: [{ content, disabled: false }]
  })
  const { status } = await dns!.call("PATCH", `/zones/${name}.`, {
    rrsets: [rrset(`ns1.${name}.`, "A", "127.0.0.1"), rrset(`shop.${name}.`, "A", "203.0.113.9")]
  })
  expect(status).toBe(204)
}

describe.skipIf(dns === undefined)("domains", () => {
  it("are added, planned, written and seen to lead here", async () => {
    await makeZone("managed.example.com")
    const user = await console.user({ role: "admin" })
    const page = await console.open(user, "/dns-accounts")
    await page.getByText("No account yet.").waitFor()
    await page.getByRole("button", { name: "Add an account" }).click()
    const account = page.getByRole("form", { name: "Add an account" })
    await account.getByLabel("Name", { exact: true }).fill("Our PowerDNS")
    await makeCustomer(console, "K-4711", "Muster GmbH")
    await pickCustomer(account, "muster", "Muster GmbH")
    await account.getByLabel("DNS provider").selectOption({ label: "PowerDNS" })
    await account.getByLabel("url").fill(dns!.url)
    await account.getByLabel("api_key").fill(dns!.apiKey)
    await account.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Try: Our PowerDNS" }).click()
    await page.getByText("It works, with access to 1 zone.").waitFor()
    await page.getByRole("button", { name: "Zones: Our PowerDNS" }).click()
    await page.getByText("managed.example.com").waitFor()
    expect(await page.content()).not.toContain(dns!.apiKey)
    await check(page, "dns-accounts")

    await page.goto(`${console.base}/console/domains`)
    await page.getByText("No domain yet.").waitFor()
    await page.getByRole("button", { name: "Add a domain" }).click()
    const form = page.getByRole("form", { name: "Add a domain" })
    await form.getByLabel("Domain").fill("no domain")
    await pickCustomer(form, "4711", "Muster GmbH")
    console.expecting(/status of 422 .*\/api\/v1\/domains/)
    await form.getByRole("button", { name: "Add" }).click()
    await form.getByRole("alert").filter({ hasText: "see the marked fields" }).waitFor()
    await form.getByLabel("Domain").fill("managed.example.com")
    await form.getByLabel("DNS account").selectOption({ label: "Our PowerDNS" })
    await form.getByRole("button", { name: "Add" }).click()
    await page.getByRole("heading", { level: 1, name: "managed.example.com" }).waitFor()

    // The required records are written automatically, because no foreign records are in the way.
    const plans = page.getByRole("list", { name: "Plans" })
    await plans.getByText("applied").first().waitFor()
    await plans.getByRole("button", { name: "Open" }).first().click()
    await page.getByRole("region", { name: "Changes" }).getByText("A @", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Check now" }).click()
    await page.getByText("The domain points here.").waitFor()
    await page.getByText("Details by server").click()
    await page.getByRole("region", { name: "Answers of the servers" }).getByText(platform).first().waitFor()
    await page
      .getByRole("region", { name: "Records of the domain" })
      .getByText("in the zone, not ours")
      .first()
      .waitFor()
    await check(page, "domain-managed")

    // A user's record is written by itself, and the page tells so in both languages.
    await page.goto(page.url())
    await plans.getByRole("button", { name: "Open" }).first().waitFor()
    const plansBefore = await plans.getByRole("listitem").count()
    await page.getByRole("button", { name: "Add a record" }).click()
    const record = page.getByRole("form", { name: "Add a record" })
    await record.getByLabel("Type").selectOption("TXT")
    await record.getByRole("textbox", { name: /^Name/ }).fill("note")
    await record.getByRole("textbox", { name: /^Content/ }).fill("hello world")
    await record.getByRole("button", { name: "Save" }).click()
    await page.getByRole("region", { name: "Records of the domain" }).getByText("hello world").waitFor()
    await page.getByText("The last change is written at the provider.").waitFor()
    // The page loads the records and the plans one by one.
    await expect.poll(() => plans.getByRole("listitem").count()).toBeGreaterThan(plansBefore)
    await plans.getByRole("button", { name: "Open" }).first().click()
    const changes = page.getByRole("region", { name: "Changes" })
    await changes.getByText("TXT note").waitFor()
    await changes.getByText("done").waitFor()
    await check(page, "domain-plan")
    expect(
      (await dns!.call("GET", "/zones/managed.example.com.")).json.rrsets.some(
        ({ name }: { readonly name: string }) => name === "note.managed.example.com."
      )
    ).toBe(true)
    // Foreign records are unchanged.
    expect(
      (await dns!.call("GET", "/zones/managed.example.com.")).json.rrsets.find(
        ({ name }: { readonly name: string }) => name === "shop.managed.example.com."
      ).records
    ).toEqual([{ content: "203.0.113.9", disabled: false }])

    // A change that replaces a foreign record waits, and the page names the record.
    await page.goto(page.url())
    await page.getByRole("button", { name: "Add a record" }).click()
    await record.getByLabel("Type").selectOption("A")
    await record.getByRole("textbox", { name: /^Name/ }).fill("shop")
    await record.getByRole("textbox", { name: /^Content/ }).fill("198.51.100.8")
    await record.getByRole("button", { name: "Save" }).click()
    await page.getByText("It would change records of third parties").waitFor()
    await page
      .getByRole("list", { name: "Records of third parties" })
      .getByText("A at shop belongs to a third party and is replaced: 203.0.113.9.")
      .waitFor()
    const waiting = plans.getByRole("listitem").filter({ hasText: "planned" })
    await waiting.getByRole("button", { name: "Open" }).click()
    await page.getByRole("heading", { name: "Read this first" }).waitFor()
    await page.getByText("A at shop belongs to a third party").nth(1).waitFor()
    await page.evaluate(() => {
      const select = document.querySelector<HTMLSelectElement>("select[name=language]")!
      select.value = "de"
      select.dispatchEvent(new Event("change", { bubbles: true }))
    })
    await page.getByText("Die letzte Änderung ist nicht geschrieben.").waitFor()
  }, 120_000)

  it("without an account are told what to write, in both languages", async () => {
    await makeZone("byhand.example.com")
    const user = await console.user({ role: "admin" })
    const page = await console.open(user, "/domains", { permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByRole("button", { name: "Add a domain" }).click()
    const form = page.getByRole("form", { name: "Add a domain" })
    await form.getByLabel("Domain").fill("ByHand.example.com")
    await makeCustomer(console, "K-4712", "Zweite AG")
    await pickCustomer(form, "4712", "Zweite AG")
    await form.getByRole("button", { name: "Add" }).click()
    await page.getByRole("heading", { level: 1, name: "byhand.example.com" }).waitFor()
    const required = page.getByRole("region", { name: "Records", exact: true })
    await required.getByText("missing").first().waitFor()
    await page.getByText("As lines of a zone file").click()
    await page.getByRole("button", { name: "Copy", exact: true }).click()
    await page.getByText("Copied.").waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(platform)
    await page.getByRole("button", { name: "Check now" }).click()
    await page.getByText("The domain does not point here yet.").waitFor()
    await check(page, "domain-by-hand")
    await page.goto(`${console.base}/console/domains`)
    await page.getByRole("link", { name: "byhand.example.com" }).waitFor()
    await check(page, "domains")
  }, 120_000)
})
