/** The bodies of `signalbox user …`. */
import { Effect, Option, Schema } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { Role, roles } from "#core/auth/Roles.ts"
import { localPartOf, normaliseEmail } from "../EmailAddress.ts"
import { operator } from "../users/Actor.ts"
import { localeProblem, nameProblem } from "../users/UserFields.ts"
import * as Tenants from "../tenants/Tenants.ts"
import * as UserChanges from "../users/UserChanges.ts"
import { changing } from "./IdentityStorage.ts"
import { hashed, type PasswordFlags, readPassword } from "./PasswordInput.ts"

interface CreateFlags extends PasswordFlags {
  readonly email: string
  readonly role: string
  readonly name: Option.Option<string>
  readonly locale: string
  readonly tenant: number
  readonly json: boolean
}

/** Makes a user. */
export const create = Effect.fnUntraced(function*(flags: CreateFlags) {
  const email = yield* readEmail(flags.email)
  const role = yield* readRole(flags.role)
  const name = Option.getOrElse(flags.name, () => localPartOf(email)).trim()
  yield* right("--name", nameProblem(name))
  yield* right("--locale", localeProblem(flags.locale))
  const password = yield* readPassword(flags)
  const passwordHash = password === undefined ? {} : { passwordHash: yield* hashed(password, email) }
  const made = yield* changing(Effect.gen(function*() {
    if ((yield* Tenants.get(flags.tenant)) === undefined) {
      return yield* fail(`there is no tenant ${flags.tenant}; \`signalbox tenant list\` shows them`)
    }
    return yield* UserChanges.create(operator, { tenantId: flags.tenant, email, name, role, locale: flags.locale, ...passwordHash })
  }))
  yield* print(flags.json, made, () => [`User ${made.id}: ${made.email}, ${made.role} of tenant ${made.tenant_id}.`])
})

const readEmail = Effect.fnUntraced(function*(text: string) {
  const email = normaliseEmail(text)
  return email ?? (yield* fail(`--email: ${JSON.stringify(text)} is no address one can sign in with`, exitUsage))
})

const readRole = Effect.fnUntraced(function*(text: string) {
  return Schema.is(Role)(text) ? text : yield* fail(`--role: there is no role ${text}; there are ${roles.join(", ")}`, exitUsage)
})

const right = (flag: string, problem: string | undefined) => problem === undefined ? Effect.void : fail(`${flag} ${problem}`, exitUsage)
