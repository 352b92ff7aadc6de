import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { Forbidden, InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { type Account, accountFields } from "./Account.ts"
import { AccountView, AccountsApi } from "./Api.ts"
import { normaliseHost } from "./HostName.ts"
import { MailLogins, sealedPasswords } from "./MailLogins.ts"
import { SignInCheck } from "./SignInCheck.ts"
import * as AccountStore from "./Store.ts"

/** Default ports, TLS from the first byte. Source: RFC 8314 §3.2, §3.3. */
const imaps = 993
const submissions = 465

const invalid = (...fields: ReadonlyArray<readonly [string, string]>) =>
  new InvalidRequest({ errors: fields.map(([field, message]) => ({ field: `payload.${field}`, message })) })

/** Owner of a new account. */
const ownerOf = Effect.fnUntraced(function* (named: { readonly tenant_id?: number; readonly user_id?: number }) {
  const caller = yield* Caller
  const { tenant_id, user_id } = named
  if (caller.kind === "user") {
    if ((tenant_id ?? caller.tenantId) !== caller.tenantId || (user_id ?? caller.userId) !== caller.userId) {
      return yield* new Forbidden({ detail: "Only service tokens may add accounts for other users." })
    }
    return { tenant_id: caller.tenantId, user_id: caller.userId }
  }
  if (tenant_id !== undefined && user_id !== undefined) return { tenant_id, user_id }
  return yield* invalid(
    ...Object.entries({ tenant_id, user_id }).flatMap(([field, value]) =>
      value === undefined ? [[field, "Required for service tokens."] as const] : []
    )
  )
})

export const accounts = Handlers.group(
  AccountsApi,
  "webmailAccounts",
  Effect.fn(function* (handlers) {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const signIn = yield* SignInCheck
    const logins = yield* MailLogins
    const sealed = (password: Redacted.Redacted, id: number) =>
      Effect.orDie(secrets.seal(password, contextOf(sealedPasswords, String(id))))

    /** Stored password of an account. A password that no key opens must be sent again. */
    const kept = (account: Account) =>
      logins.login(account).pipe(
        Effect.map(({ secret }) => secret.value),
        Effect.catchTag(["NoLogin", "NoSigningKey", "SecretError"], () =>
          Effect.fail(invalid(["password", "must be sent again"]))
        )
      )

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, tenant_id } }) {
        const caller = yield* Caller
        const found = yield* orUnavailable(
          inScope(sql<Account>`select ${accountFields(sql)} from mail_watcher.account
        where not gone and ${AccountStore.ownedBy(sql, caller)}
          and ${tenant_id === undefined || caller.kind === "user" ? sql`true` : sql`tenant_id = ${tenant_id}`}
          and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit + 1}`)
        )
        return paged(found, limit)
      }),
      show: ({ params }) => orUnavailable(inScope(AccountStore.get(params.id))),
      create: Effect.fnUntraced(function* ({ headers, payload, query }) {
        const owner = yield* ownerOf(payload)
        const {
          display_name = "",
          imap_port = imaps,
          login = null,
          smtp_port = submissions,
          watch = "always"
        } = payload
        const [address, imap_host] = [normaliseEmail(payload.address)!, normaliseHost(payload.imap_host)!]
        const smtp_host = typeof payload.smtp_host === "string" ? normaliseHost(payload.smtp_host)! : null
        const password = Redacted.make(payload.password)
        if (query.verify !== "false")
          yield* signIn.check({ host: imap_host, port: imap_port, user: login ?? address, password })
        const id = yield* orUnavailable(AccountStore.nextId)
        const envelope = yield* sealed(password, id)
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "webmail.accounts.create",
            body: payload,
            secrets: ["password"],
            response: AccountView,
            create: AccountStore.create({
              id,
              ...owner,
              address,
              display_name,
              watch,
              imap_host,
              imap_port,
              smtp_host,
              smtp_port: smtp_host === null ? null : smtp_port,
              login,
              password: envelope
            })
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload, query }) {
        if (Object.keys(payload).length === 0)
          return yield* new InvalidRequest({ errors: [{ field: "payload", message: "must have at least one field" }] })
        const before = yield* orUnavailable(inScope(AccountStore.get(params.id)))
        const { address, imap_host, password, smtp_host, ...plain } = payload
        const typed = password === undefined ? undefined : Redacted.make(password)
        const changes: AccountStore.Changes = {
          ...plain,
          ...(address === undefined ? {} : { address: normaliseEmail(address)! }),
          ...(imap_host === undefined ? {} : { imap_host: normaliseHost(imap_host)! }),
          ...(smtp_host === undefined
            ? {}
            : smtp_host === null
              ? { smtp_host, smtp_port: null }
              : {
                  smtp_host: normaliseHost(smtp_host)!,
                  smtp_port: plain.smtp_port ?? before.smtp_port ?? submissions
                }),
          ...(typed === undefined ? {} : { password: yield* sealed(typed, before.id) })
        }
        if (before.kind === "foreign") {
          const after = { ...before, ...changes }
          if (after.smtp_host === null && typeof changes.smtp_port === "number")
            return yield* invalid(["smtp_port", "requires smtp_host, which is not set"])
          const known = [before.imap_host, before.smtp_host]
          if (
            typed === undefined &&
            [after.imap_host, after.smtp_host].some((host) => host !== null && !known.includes(host))
          ) {
            return yield* invalid(["password", "is required when a host changes"])
          }
          const signsIn = (account: Account) =>
            [account.imap_host, account.imap_port, account.login ?? account.address].join(" ")
          if (query.verify !== "false" && (typed !== undefined || signsIn(before) !== signsIn(after))) {
            const secret = typed ?? (yield* orUnavailable(kept(before)))
            yield* signIn.check({
              host: after.imap_host!,
              port: after.imap_port!,
              user: after.login ?? after.address,
              password: secret
            })
          }
        }
        return yield* orUnavailable(inScope(AccountStore.update(params.id, changes)))
      }),
      remove: ({ params }) => orUnavailable(inScope(AccountStore.remove(params.id))),
      makeDefault: ({ params }) => orUnavailable(inScope(AccountStore.makeDefault(params.id)))
    })
  })
)
