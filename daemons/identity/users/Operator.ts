/** Implementation of `signalbox user …`. */
import { Effect, Option, Schema } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { Role, roles } from "#core/auth/Roles.ts"
import { localPartOf, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { OwnSessions } from "../sessions/Exports.ts"
import * as Tenants from "./tenants/Store.ts"
import * as Accounts from "./Accounts.ts"
import { operator } from "./AuditActor.ts"
import * as UserChanges from "./UserChanges.ts"
import { localeProblem, nameProblem } from "./UserFields.ts"
import { linkAddress, makeLink, type UserLink } from "./UserLink.ts"
import { listUsers } from "./UserList.ts"
import { changing } from "./OperatorStorage.ts"
import { linkBase } from "./LinkBase.ts"
import { hashed, type PasswordFlags, readPassword } from "./PasswordInput.ts"
import { sessionLines, userLines } from "./UserReport.ts"

/** Maximum number of listed sessions of a user. Reason: more than anybody reads. */
const maxSessions = 1_000

interface CreateFlags extends PasswordFlags {
  readonly email: string
  readonly role: string
  readonly name: Option.Option<string>
  readonly locale: string
  readonly tenant: number
  readonly json: boolean
}

interface Named {
  readonly who: string
  readonly json: boolean
}

/** Creates a user; without a password also prints a sign-in link. */
export const create = Effect.fnUntraced(function* (flags: CreateFlags) {
  const email = normaliseEmail(flags.email)
  if (email === undefined)
    return yield* fail(`--email: ${JSON.stringify(flags.email)} is no address one can sign in with`, exitUsage)
  const role = yield* readRole("--role", flags.role)
  const name = Option.getOrElse(flags.name, () => localPartOf(email)).trim()
  yield* right("--name", nameProblem(name))
  yield* right("--locale", localeProblem(flags.locale))
  const base = yield* linkBase
  const password = yield* readPassword(flags)
  const passwordHash = password === undefined ? {} : { passwordHash: yield* hashed(password, email) }
  const made = yield* changing(
    Effect.gen(function* () {
      if ((yield* Tenants.get(flags.tenant)) === undefined) {
        return yield* fail(`there is no tenant ${flags.tenant}; \`signalbox tenant list\` shows them`)
      }
      const account = yield* UserChanges.create(operator, {
        tenantId: flags.tenant,
        email,
        name,
        role,
        locale: flags.locale,
        ...passwordHash
      })
      return password === undefined
        ? { ...account, link: linkOf(base, yield* makeLink(operator, account.id)) }
        : account
    })
  )
  yield* print(flags.json, made, () => [
    `User ${made.id}: ${made.email}, ${made.role} of tenant ${made.tenant_id}.`,
    ...("link" in made ? linkLines(made.link) : [])
  ])
})

interface ListFlags {
  readonly tenant: Option.Option<number>
  readonly role: Option.Option<string>
  readonly state: Option.Option<string>
  readonly search: Option.Option<string>
  readonly before: Option.Option<number>
  readonly limit: number
  readonly json: boolean
}

/** Lists users. */
export const list = Effect.fnUntraced(function* (flags: ListFlags) {
  const role = Option.isNone(flags.role) ? {} : { role: yield* readRole("--role", flags.role.value) }
  const asked = Option.getOrUndefined(flags.state)
  const state = asked === "active" || asked === "suspended" ? ({ state: asked } as const) : {}
  if (asked !== undefined && !("state" in state))
    return yield* fail(`--state: there is no state ${asked}; there are active, suspended`, exitUsage)
  const users = yield* changing(
    listUsers(
      {
        ...role,
        ...state,
        ...optional("tenant", flags.tenant),
        ...optional("q", flags.search),
        ...optional("before", flags.before)
      },
      flags.limit
    )
  )
  yield* print(flags.json, users, userLines)
})

/** Shows one user. */
export const show = Effect.fnUntraced(function* (flags: Named) {
  const user = yield* changing(find(flags.who))
  yield* print(flags.json, user, () => userLines([user]))
})

const changed = (
  flags: Named,
  change: (id: number) => ReturnType<typeof UserChanges.suspend>,
  said: (user: Accounts.Account) => string
) =>
  Effect.flatMap(changing(Effect.flatMap(find(flags.who), ({ id }) => change(id))), (user) =>
    print(flags.json, user, () => [said(user)])
  )

export const suspend = (flags: Named) =>
  changed(
    flags,
    (id) => UserChanges.suspend(operator, id),
    ({ email }) => `${email} is suspended, and signed out everywhere within a second.`
  )

export const unsuspend = (flags: Named) =>
  changed(
    flags,
    (id) => UserChanges.unsuspend(operator, id),
    ({ email }) => `${email} can sign in again.`
  )

export const role = Effect.fnUntraced(function* (flags: Named & { readonly role: string }) {
  const role = yield* readRole("role", flags.role)
  const user = yield* changing(Effect.flatMap(find(flags.who), ({ id }) => UserChanges.update(operator, id, { role })))
  yield* print(flags.json, user, () => [`${user.email} is ${user.role} now.`])
})

/** Sets a password. Reads the password first, then finds the user and hashes it. */
export const password = Effect.fnUntraced(function* (flags: Named & PasswordFlags) {
  const given = yield* readPassword(flags)
  if (given === undefined)
    return yield* fail("give --password-file (- for standard input), or print a link: signalbox user link", exitUsage)
  const { email, id } = yield* changing(find(flags.who))
  const hash = yield* hashed(given, email)
  const user = yield* changing(UserChanges.setPassword(operator, id, hash))
  yield* print(flags.json, user, () => [
    `${user.email} has a new password, and is signed out everywhere within a second.`
  ])
})

/** Creates and prints a one-time sign-in link. */
export const link = Effect.fnUntraced(function* (flags: Named) {
  const base = yield* linkBase
  const made = yield* changing(Effect.flatMap(find(flags.who), ({ id }) => makeLink(operator, id)))
  const shown = linkOf(base, made)
  yield* print(flags.json, shown, linkLines)
})

/** Lists the sessions of a user. */
export const sessions = Effect.fnUntraced(function* (flags: Named) {
  const rows = yield* changing(Effect.flatMap(find(flags.who), ({ id }) => OwnSessions.list(id, maxSessions)))
  yield* print(flags.json, rows, sessionLines)
})

export const signOut = Effect.fnUntraced(function* (flags: Named) {
  const ended = yield* changing(Effect.flatMap(find(flags.who), ({ id }) => UserChanges.signOut(operator, id)))
  yield* print(flags.json, { ended_sessions: ended }, () => [`${ended} session${ended === 1 ? "" : "s"} ended.`])
})

export const remove = Effect.fnUntraced(function* (flags: Named) {
  const gone = yield* changing(Effect.flatMap(find(flags.who), ({ id }) => UserChanges.remove(operator, id)))
  yield* print(flags.json, { id: gone.id, deleted: true }, () => [`${gone.email} is deleted.`])
})

/** Finds a user by id or address. */
const find = Effect.fnUntraced(function* (who: string) {
  const email = normaliseEmail(who)
  const number = Number(who)
  const isNumber = Number.isSafeInteger(number) && number > 0 && number < 2 ** 31
  // `byEmail` also returns credentials, which must not be printed, so the account is read again by id.
  const id = isNumber ? number : email === undefined ? undefined : (yield* Accounts.byEmail(email))?.id
  const found = id === undefined ? undefined : yield* Accounts.get(id)
  return found ?? (yield* fail(`there is no user ${who}; \`signalbox user list\` shows them`))
})

const linkOf = (base: string, { expiresAt, purpose, token }: UserLink) => ({
  url: linkAddress(base, token),
  purpose,
  expires_at: expiresAt
})

const linkLines = (link: ReturnType<typeof linkOf>): ReadonlyArray<string> => [
  link.url,
  `Pass it on: it signs them in once, until ${link.expires_at.toISOString().slice(0, 16)}Z, and lets them choose a password.`
]

const readRole = Effect.fnUntraced(function* (flag: string, text: string) {
  return Schema.is(Role)(text)
    ? text
    : yield* fail(`${flag}: there is no role ${text}; there are ${roles.join(", ")}`, exitUsage)
})

const right = (flag: string, problem: string | undefined) =>
  problem === undefined ? Effect.void : fail(`${flag} ${problem}`, exitUsage)

const optional = <const K extends string, A>(key: K, value: Option.Option<A>) =>
  Option.match(value, { onNone: () => ({}), onSome: (some) => ({ [key]: some }) as { readonly [_ in K]: A } })
