/** Linked sign-ins on the page of the own account, with a real provider. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { issuerKey } from "#daemons/identity/federation/Settings.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { startOidcProvider } from "#support/OidcProvider.ts"
import { variables } from "../../../daemons/identity/federation/FederationSuite.ts"

const scope = Scope.makeUnsafe()
const env: Record<string, string> = {}
beforeAll(async () => {
  const provider = await Effect.runPromise(
    Scope.provide(startOidcProvider({ people: [], redirectUris: ["https://signalbox.test/callback"] }), scope)
  )
  Object.assign(env, variables(1, provider))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const console = consoleTests({ daemons: [identity, commDispatcher], env })

describe("linked sign-ins", () => {
  it("are listed, linked and unlinked", async () => {
    const user = await console.user()
    const page = await console.open(user, "/settings")
    const card = page.getByRole("region", { name: "Linked sign-ins" })
    await card.getByText("None is linked yet.").waitFor()
    // The provider would send the browser to the public address, which this installation does not have.
    await page.route("**/api/v1/auth/linked/1", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ json: { url: `${console.base}/console/settings?back` } })
        : route.continue()
    )
    await console.run(
      console.suite
        .sql`insert into identity.federated_account (issuer, subject, tenant_id, account_id, email, linked_by)
        values (${issuerKey(env["SIGNALBOX_OIDC_1_ISSUER"]!)}, 'ada', ${user.tenant}, ${user.id}, 'ada@elsewhere.test', 'owner')`
    )
    await card.getByRole("button", { name: "Link Provider 1" }).click()
    await page.waitForURL("**/console/settings?back")
    await card.getByText("ada@elsewhere.test").waitFor()
    await card.getByRole("button", { name: "Unlink Provider 1" }).click()
    const asked = page.getByRole("dialog", { name: "Unlink Provider 1" })
    await asked.getByText("can no longer sign in with it").waitFor()
    await checkPage(page, "settings-linked")
    // The check leaves the page in German.
    const gefragt = page.getByRole("dialog", { name: "Provider 1 trennen" })
    await gefragt.getByRole("button", { name: "Trennen", exact: true }).click()
    await page.getByText("Noch keine verknüpft.").waitFor()
  }, 120_000)
})
