import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { all, type Permission } from "#core/auth/Permissions.ts"
import { permissionsOf, roles } from "#core/auth/Roles.ts"
import { eventAudiences, mayReceive } from "#core/contracts/EventAccess.ts"

const root = join(import.meta.dirname, "../../..")

/** Source files of a folder. */
const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

/** Types of the events that a file defines; its jobs are no events. */
const definedIn = (path: string): ReadonlyArray<string> => {
  const text = readFileSync(path, "utf8")
  const name = /import \* as Events from "[^"]*events\/Events\.ts"/.test(text)
    ? "Events\\.define"
    : /import \{[^}]*\bdefine\b[^}]*\} from "[^"]*events\/Events\.ts"/.test(text)
      ? "(?<![.\\w])define"
      : undefined
  return name === undefined
    ? []
    : [...text.matchAll(new RegExp(String.raw`${name}\(\s*"([^"]+)"`, "g"))].map(([, type]) => type!)
}

it("lists every event that the daemons define, and no other", () => {
  const defined = [...sources("core"), ...sources("daemons")].flatMap(definedIn)
  assert.isAbove(defined.length, 40)
  assert.deepStrictEqual(Object.keys(eventAudiences).toSorted(), defined.toSorted())
})

it("gives an event of a tenant to the holders of its permission, and to nobody where one user or no user is meant", () => {
  for (const [type, audience] of Object.entries(eventAudiences)) {
    const receivers = all.filter((permission) => mayReceive(type, new Set<Permission>([permission])))
    assert.deepStrictEqual(receivers, audience === "user" || audience === "daemons" ? [] : [audience], type)
  }
})

it("withholds calls from roles that may not read customers", () => {
  const hears = (type: string) => roles.filter((role) => mayReceive(type, permissionsOf[role]))
  for (const type of ["call.incoming", "call.answered", "call.ended", "customer.changed"])
    assert.deepStrictEqual(hears(type), ["admin", "reseller", "customer", "support"], type)
  const needs = (type: string) => all.filter((permission) => mayReceive(type, new Set<Permission>([permission])))
  for (const type of ["call.incoming", "call.answered", "call.ended"])
    assert.deepStrictEqual(needs(type), ["customers.read"], type)
})

it("withholds an unlisted event of a listed family, and nothing of other families", () => {
  assert.isFalse(mayReceive("call.recorded", new Set(all)))
  assert.isFalse(mayReceive("toString", new Set()) && mayReceive("alarm.toString", new Set()))
  assert.isTrue(mayReceive("order.paid", new Set()))
})
