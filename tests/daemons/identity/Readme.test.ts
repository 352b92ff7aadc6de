import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { all } from "#core/auth/Permissions.ts"
import { permissionsOf, roles } from "#core/auth/Roles.ts"

it("the README's table lists the permissions of each role", () => {
  const text = readFileSync(new URL("../../../daemons/identity/README.md", import.meta.url), "utf8")
  const [head, , ...rows] = text
    .slice(text.indexOf("| permission | "))
    .split("\n\n", 1)[0]!
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
  expect(head).toEqual(["permission", ...roles])
  expect(rows).toEqual(
    all.map((permission) => [
      `\`${permission}\``,
      ...roles.map((role) => (permissionsOf[role].has(permission) ? "x" : ""))
    ])
  )
})
