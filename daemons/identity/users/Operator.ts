/** Implementation of `signalbox user …`. */
import { Effect, Option, Schema } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { print } from "#core/cli/Output.ts"
import { Role, roles } from "#core/auth/Roles.ts"
import { localPartOf, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { OwnSessions } from "../sessions/Exports.ts"
import * as Tenants from "./tenants/Store.ts"
import * as Accounts from "./Accounts.ts"
import { operator } from "./AuditActor.ts"
import * as UserChanges from "./UserChanges.ts"
import { accountTimeZoneProblem, canonicalOrNull, localeProblem, nameProblem } from "./UserFields.ts"
import { linkAddress, makeLink, type UserLink } from "./UserLink.ts"
import { listUsers } from "./UserList.ts"
import { inTransaction } from "./OperatorStorage.ts"
import { linkBase } from "./LinkBase.ts"
import { hashed, type PasswordFlags, readPassword } from "./PasswordInput.ts"
import { sessionLines, userFacts, userLines } from "./UserReport.ts"

/** Maximum number of listed sessions of a user. Reason: more than anybody reads. */
const maxSessions = 1_000

interface CreateFlags extends PasswordFlags {
  readonly email: string
  readonly role: string
  readonly name: Option.Option<string>
  readonly locale: string
  readonly timeZone: Option.Option<string>
  readonly tenant: number
  readonly json: boolean
}

interface UserFlags {
  readonly target: string
  readonly json: boolean
}

/** Creates a user; without a password also prints a sign-in link. */
export const create = Effect.fnUntraced(function* (flags: CreateFlags) {
  const email = normaliseEmail(flags.email)
  if (email === undefined)
    return yield* fail(`--email: ${JSON.stringify(flags.email)} is not a valid e-mail address`, exitUsage)
  const role = yield* readRole("--role", flags.role)
  const name = Option.getOrElse(flags.name, () => localPartOf(email)).trim()
  yield* requireValid("--name", nameProblem(name))
  yield* requireValid("--locale", localeProblem(flags.locale))
  const timeZone = Option.getOrNull(flags.timeZone)
  yield* requireValid("--time-zone", timeZone === null ? undefined : accountTimeZoneProblem(timeZone))
  const base = yield* inTransaction(linkBase)
  const password = yield* readPassword(flags)
  const passwordHash = password === undefined ? {} : { passwordHash: yield* hashed(password, email) }
  const created = yield* inTransaction(
    Effect.gen(function* () {
      if ((yield* Tenants.get(flags.tenant)) === undefined) {
        return yield* fail(`there is no tenant ${flags.tenant}; \`signalbox tenant list\` lists all tenants`)
      }
      const account = yield* UserChanges.create(operator, {
        tenantId: flags.tenant,
        email,
        name,
        role,
        locale: flags.locale,
        timeZone: canonicalOrNull(timeZone),
        ...passwordHash
      })
      return password === undefined
        ? { ...account, link: linkOf(base, yield* makeLink(operator, account.id)) }
        : account
    })
  )
  yield* print(flags.json, created, () => [
    `User ${created.id}: ${created.email}, ${created.role} of tenant ${created.tenant_id}.`,
    ...("link" in created ? linkLines(created.link) : [])
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
  const requested = Option.getOrUndefined(flags.state)
  const state = requested === "active" || requested === "suspended" ? ({ state: requested } as const) : {}
  if (requested !== undefined && !("state" in state))
    return yield* fail(`--state: must be active or suspended, not ${requested}`, exitUsage)
  const users = yield* inTransaction(
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
export const show = Effect.fnUntraced(function* (flags: UserFlags) {
  const user = yield* inTransaction(find(flags.target))
  yield* print(flags.json, user, userFacts)
})

interface ChangeFlags extends UserFlags {
  readonly email: Option.Option<string>
  readonly name: Option.Option<string>
  readonly locale: Option.Option<string>
  readonly timeZone: Option.Option<string>
}

/** Changes address, name, language or time zone. */
export const change = Effect.fnUntraced(function* (flags: ChangeFlags) {
  const given = Option.getOrUndefined(flags.email)
  const email = given === undefined ? undefined : normaliseEmail(given)
  if (given !== undefined && email === undefined)
    return yield* fail(`--email: ${JSON.stringify(given)} is not a valid e-mail address`, exitUsage)
  const name = Option.getOrUndefined(flags.name)?.trim()
  yield* requireValid("--name", name === undefined ? undefined : nameProblem(name))
  const locale = Option.getOrUndefined(flags.locale)
  yield* requireValid("--locale", locale === undefined ? undefined : localeProblem(locale))
  const zone = Option.getOrUndefined(flags.timeZone)
  yield* requireValid("--time-zone", zone === undefined || zone === "" ? undefined : accountTimeZoneProblem(zone))
  const to: UserChanges.Update = {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(locale === undefined ? {} : { locale }),
    ...(zone === undefined ? {} : { time_zone: canonicalOrNull(zone === "" ? null : zone) })
  }
  if (Object.keys(to).length === 0) return yield* fail("set --email, --name, --locale or --time-zone", exitUsage)
  const user = yield* inTransaction(
    Effect.flatMap(find(flags.target), ({ id }) => UserChanges.update(operator, id, to))
  )
  yield* print(flags.json, user, userFacts)
})

const changed = (
  flags: UserFlags,
  change: (id: number) => ReturnType<typeof UserChanges.suspend>,
  message: (user: Accounts.Account) => string
) =>
  Effect.flatMap(inTransaction(Effect.flatMap(find(flags.target), ({ id }) => change(id))), (user) =>
    print(flags.json, user, () => [message(user)])
  )

export const suspend = (flags: UserFlags) =>
  changed(
    flags,
    (id) => UserChanges.suspend(operator, id),
    ({ email }) => `${email} is suspended. All sessions end within a second.`
  )

export const unsuspend = (flags: UserFlags) =>
  changed(
    flags,
    (id) => UserChanges.unsuspend(operator, id),
    ({ email }) => `${email} can sign in again.`
  )

export const role = Effect.fnUntraced(function* (flags: UserFlags & { readonly role: string }) {
  const role = yield* readRole("role", flags.role)
  const user = yield* inTransaction(
    Effect.flatMap(find(flags.target), ({ id }) => UserChanges.update(operator, id, { role }))
  )
  yield* print(flags.json, user, () => [`${user.email} now has the role ${user.role}.`])
})

/** Sets a password. Reads the password first, then finds the user and hashes it. */
export const password = Effect.fnUntraced(function* (flags: UserFlags & PasswordFlags) {
  const typed = yield* readPassword(flags)
  if (typed === undefined)
    return yield* fail(
      "set --password-file (- for standard input), or create a link with `signalbox user link`",
      exitUsage
    )
  const { email, id } = yield* inTransaction(find(flags.target))
  const hash = yield* hashed(typed, email)
  const user = yield* inTransaction(UserChanges.setPassword(operator, id, hash))
  yield* print(flags.json, user, () => [`${user.email} has a new password. All sessions end within a second.`])
})

/** Creates and prints a one-time sign-in link. */
export const link = Effect.fnUntraced(function* (flags: UserFlags) {
  const base = yield* inTransaction(linkBase)
  const created = yield* inTransaction(Effect.flatMap(find(flags.target), ({ id }) => makeLink(operator, id)))
  const link = linkOf(base, created)
  yield* print(flags.json, link, linkLines)
})

/** Lists the sessions of a user. */
export const sessions = Effect.fnUntraced(function* (flags: UserFlags) {
  const rows = yield* inTransaction(Effect.flatMap(find(flags.target), ({ id }) => OwnSessions.list(id, maxSessions)))
  yield* print(flags.json, rows, sessionLines)
})

export const signOut = Effect.fnUntraced(function* (flags: UserFlags) {
  const ended = yield* inTransaction(Effect.flatMap(find(flags.target), ({ id }) => UserChanges.signOut(operator, id)))
  yield* print(flags.json, { ended_sessions: ended }, () => [`${ended} session${ended === 1 ? "" : "s"} ended.`])
})

export const remove = Effect.fnUntraced(function* (flags: UserFlags) {
  const deleted = yield* inTransaction(Effect.flatMap(find(flags.target), ({ id }) => UserChanges.remove(operator, id)))
  yield* print(flags.json, { id: deleted.id, deleted: true }, () => [`${deleted.email} is deleted.`])
})

/** Finds a user by id or address. */
const find = Effect.fnUntraced(function* (target: string) {
  const email = normaliseEmail(target)
  const number = Number(target)
  const isNumber = Number.isSafeInteger(number) && number > 0 && number < 2 ** 31
  // `byEmail` also returns credentials, which must not be printed, so the account is read again by id.
  const id = isNumber ? number : email === undefined ? undefined : (yield* Accounts.byEmail(email))?.id
  const found = id === undefined ? undefined : yield* Accounts.get(id)
  return found ?? (yield* fail(`there is no user ${target}; \`signalbox user list\` lists all users`))
})

const linkOf = (base: string, { expiresAt, purpose, token }: UserLink) => ({
  url: linkAddress(base, token),
  purpose,
  expires_at: expiresAt
})

const linkLines = (link: ReturnType<typeof linkOf>): ReadonlyArray<string> => [
  link.url,
  "Send the link to the user: it opens one session and lets the user set a password. " +
    `Valid until ${minute(link.expires_at)}.`
]

const readRole = Effect.fnUntraced(function* (flag: string, text: string) {
  return Schema.is(Role)(text)
    ? text
    : yield* fail(`${flag}: there is no role ${text}; roles are ${roles.join(", ")}`, exitUsage)
})

const requireValid = (flag: string, problem: string | undefined) =>
  problem === undefined ? Effect.void : fail(`${flag} ${problem}`, exitUsage)

const optional = <const K extends string, A>(key: K, value: Option.Option<A>) =>
  Option.match(value, { onNone: () => ({}), onSome: (some) => ({ [key]: some }) as { readonly [_ in K]: A } })
