import { Effect, Redacted } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import { problemOf } from "#core/password/PasswordRules.ts"
import { Passwords } from "#core/password/Passwords.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { MailboxesApi } from "./Api.ts"
import { AccountView } from "./Api.ts"
import { addressOf } from "../Names.ts"
import * as Domains from "../Domains.ts"
import { localPart } from "../Names.ts"
import * as MailboxChanges from "./MailboxChanges.ts"
import * as Mailboxes from "./Mailboxes.ts"

/** API representation of a mailbox. */
const view = ({
  address,
  created_at,
  domain_id,
  id,
  is_default,
  local_part,
  quota_mb,
  state,
  tenant_id,
  updated_at,
  user_id
}: Mailboxes.Mailbox): typeof AccountView.Type => ({
  id,
  tenant_id,
  domain_id,
  local_part,
  address,
  user_id,
  quota_mb,
  state,
  is_default,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

/** Problem of a single field, for checks that the schema cannot express. */
const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** Checks a new password against the rules and hashes it. Call it outside transactions. */
const hashed = Effect.fnUntraced(function* (typed: string, address: string) {
  const passwords = yield* Passwords
  const password = Redacted.make(typed)
  const problem = problemOf(password, address)
  if (problem !== undefined) return yield* invalid("payload.password", problem)
  return yield* Effect.catchTag(passwords.hash(password), "Busy", () =>
    Effect.fail(new Unavailable({ detail: "Too many passwords are being checked right now. Try again." }))
  )
})

export const domainAccounts = Handlers.group(
  MailboxesApi,
  "domainAccounts",
  Effect.fn(function* (handlers) {
    const passwords = yield* Passwords
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query: { before, limit = defaultPage } }) {
        const found = yield* orUnavailable(
          inScope(Effect.andThen(Domains.get(params.id), Mailboxes.list(params.id, before, limit + 1)))
        )
        return paged(found.map(view), limit)
      }),
      create: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { domain } = yield* orUnavailable(inScope(Domains.get(params.id)))
        const local = localPart(payload.local_part)!
        const address = addressOf(local, domain)
        if (address === undefined) return yield* invalid("payload.local_part", "is too long for this domain")
        const passwordHash = yield* Effect.provideService(hashed(payload.password, address), Passwords, passwords)
        const { quota_mb: quota = null, user_id: userId = null } = payload
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "mail.accounts.create",
            body: { ...payload, domain: params.id },
            secrets: ["password"],
            response: AccountView,
            create: Effect.map(
              MailboxChanges.create({ domainId: params.id, localPart: local, address, passwordHash, quota, userId }),
              view
            )
          })
        )
      })
    })
  })
)

export const accounts = Handlers.group(
  MailboxesApi,
  "accounts",
  Effect.fn(function* (handlers) {
    const passwords = yield* Passwords
    return handlers.handleAll({
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Mailboxes.get(params.id))))
      }),
      update: Effect.fnUntraced(function* ({ params, payload: { password, quota_mb: quota, user_id: userId } }) {
        if (password === undefined && quota === undefined && userId === undefined)
          return yield* invalid("payload", "must have password, quota_mb or user_id")
        // Read first, because the password rules need the address, and a refused request should not cost a hash.
        const { address } = yield* orUnavailable(inScope(Mailboxes.get(params.id)))
        const to = {
          ...(password === undefined
            ? {}
            : { passwordHash: yield* Effect.provideService(hashed(password, address), Passwords, passwords) }),
          ...(quota === undefined ? {} : { quota }),
          ...(userId === undefined ? {} : { userId })
        }
        return view(yield* orUnavailable(inScope(MailboxChanges.update(params.id, to))))
      }),
      suspend: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(MailboxChanges.setState(params.id, "suspended"))))
      }),
      unsuspend: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(MailboxChanges.setState(params.id, "active"))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(MailboxChanges.remove(params.id)))
      })
    })
  })
)
