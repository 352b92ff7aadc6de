/** Every page of the console: opened, looked at by axe-core and kept as pictures, in both languages and themes. */
import { describe, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser } from "#support/console/Console.ts"

const console = consoleTests()

interface Case {
  /** Of its pictures. */
  readonly name: string
  readonly path: string
  /** Who looks. Default: an admin of the provider. */
  readonly role?: string
  /** What is to be seen there. */
  readonly given?: (user: ConsoleUser) => Promise<unknown>
}

/** A page adds its line. */
const cases: ReadonlyArray<Case> = [
  { name: "overview", path: "/" },
  { name: "not-found", path: "/nothing/here" }
]

describe("the pages of the console", () => {
  it.each(cases)("$name", async ({ given, name, path, role = "admin" }) => {
    const user = await console.user({ role })
    await given?.(user)
    await checkPage(await console.open(user, path), name)
  }, 60_000)

  it("sign-in", async () => {
    await checkPage(await console.open(undefined), "sign-in")
  }, 60_000)
})
