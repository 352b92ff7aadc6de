import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { AccountsApi } from "./Api.ts"
import { accounts as handlers } from "./Handlers.ts"
import { mailLogins, signInCheck } from "./Layers.ts"
import { sealedPasswords } from "./MailLogins.ts"
import { accounts as accountTables } from "./migrations/0001_accounts.ts"
import { accountBook } from "./migrations/0005_account_book.ts"
import { ownAccounts } from "./OwnAccounts.ts"
import { accountSettings } from "./Settings.ts"

/** Mail accounts of users: mailboxes of our mail server and mailboxes elsewhere, with their sign-in. */
export const accounts = Feature.make({
  settings: accountSettings,
  migrations: [accountTables, accountBook],
  sealed: [sealedPasswords],
  routes: [{ prefix: "/api/v1/mail/webmail", authenticated: true }],
  api: AccountsApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(AccountsApi).pipe(Layer.provide(handlers), Layer.provide([mailLogins, signInCheck])),
    Layer.effectDiscard(Effect.flatMap(ownAccounts, Supervisor.actor))
  )
})
