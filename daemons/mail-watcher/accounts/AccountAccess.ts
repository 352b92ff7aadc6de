/**
 * The account that a request is about. Bearer callers have their own (the default one, or the one they name); platform callers name
 * one of any tenant. Whose it is is decided by the query, and again by row-level security.
 *
 * An address is anybody's to claim for an account elsewhere. To the platform it means our own mailbox where there is one; else that of the
 * one user who has it, and where several have, they are told apart by number.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { AccountNeeded } from "../Errors.ts"
import { type Account, accountFields } from "./Account.ts"

/** The query field by which an endpoint's caller names the account. */
export const accountQuery = { account: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2 * maxAddress))) }

/** A number in place of an address. */
const numbered = /^[1-9]\d{0,8}$/

/**
 * The account meant by `?account=`, an address or a number. 404 when it is not one of the caller's, 422 when none is named and none is meant,
 * or an address that several users have.
 */
export const accountOf = (named: string | undefined): Effect.Effect<Account, NotFound | AccountNeeded | SqlError.SqlError, Caller | SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const caller = yield* Caller
    if (caller.kind === "service" && named === undefined) return yield* needed("Required of service tokens.")
    const sql = yield* SqlClient.SqlClient
    const mine = caller.kind === "service" ? sql`true` : sql`tenant_id = ${caller.tenantId} and user_id = ${caller.userId}`
    const meant = named === undefined ? sql`true` : numbered.test(named) ? sql`id = ${Number(named)}` : sql`address = ${normaliseEmail(named) ?? ""}`
    // Nobody's choice of a default counts beyond themselves.
    const order = caller.kind === "service" ? sql`kind desc, id` : sql`is_default desc, kind desc, id`
    const [found, other] = yield* inScope(sql<Account>`select ${accountFields(sql)} from mail_watcher.account
      where not gone and ${mine} and ${meant} order by ${order} limit 2`)
    if (caller.kind === "service" && found?.kind === "foreign" && other !== undefined) {
      return yield* needed("Several users have an account of this address: name one by its number.")
    }
    if (found !== undefined) return found
    return yield* (named === undefined ? needed("You have no mail account.") : new NotFound({ detail: "You have no such mail account." }))
  })

const needed = (message: string) => new AccountNeeded({ detail: message, errors: [{ field: "query.account", message }] })
