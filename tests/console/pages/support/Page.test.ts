/** Support in the console: a user gets a code, staff sees the request, finds it by the code and closes it. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests()

describe("support", () => {
  it("gives a user a code; staff finds the request by it and closes it", async () => {
    console.expecting(/status of 404 .*\/api\/v1\/support\/sessions\//)
    const user = await console.user({ role: "user", name: "Eva Muster" })
    const staff = await console.user({ role: "support" })
    const theirs = await console.open(staff, "/support")
    await theirs.getByText("No requests.").waitFor()

    const page = await console.open(user, "/support")
    await page.getByLabel("How do you reach support?").selectOption("phone")
    await page.getByLabel("What is it about?").fill("Mail does not arrive")
    await page.getByRole("button", { name: "Request support" }).click()
    const code = (await page.locator("code.secret").textContent())!
    expect(code).toMatch(/^\d{4}-\d{4}$/)
    expect(await page.getByText("Also ended requests").count()).toBe(0)
    await checkPage(page, "support-user")

    // The event reloads the list of staff.
    const row = theirs.getByRole("row", { name: code })
    await row.waitFor()
    for (const text of ["Eva Muster", "Phone", "Mail does not arrive", "open"])
      expect(await row.textContent()).toContain(text)
    await theirs.getByLabel("Code that a customer reads out").fill("0000 0000")
    await theirs.getByRole("button", { name: "Look up" }).click()
    await theirs.getByText("No request has this code.").waitFor()
    await theirs.getByLabel("Code that a customer reads out").fill(code.replace("-", " "))
    await theirs.getByRole("button", { name: "Look up" }).click()
    await expect.poll(() => theirs.getByRole("row", { name: code }).count()).toBe(2)
    await theirs
      .getByRole("button", { name: `Close request ${code}` })
      .first()
      .click()
    await theirs.getByText("No requests.").waitFor()
    await theirs.getByLabel("Also ended requests").check()
    await theirs.getByRole("table").last().getByText("closed").waitFor()
    await checkPage(theirs, "support-staff")

    await page.reload()
    // The check leaves the page in German.
    await page.getByRole("button", { name: "Hilfe anfordern" }).click()
    await page.getByRole("button", { name: "Anfrage zurückziehen" }).click()
    await page.getByRole("button", { name: "Hilfe anfordern" }).waitFor()
  }, 120_000)
})
