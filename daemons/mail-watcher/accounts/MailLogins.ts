/**
 * Servers and credentials of an account. Our own mailboxes use a mail token that is signed for one sign-in, so no
 * password is stored. Foreign accounts use the password in the account's envelope.
 */
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { make as makeSigner, type NoSigningKey } from "#core/auth/Signer.ts"
import { daemonSession, daemonTokenLifetime } from "#core/auth/TokenClaims.ts"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "#core/config/Secrets.ts"
import type { Account } from "./Account.ts"
import type { AccountSettings } from "./Settings.ts"

export const sealedPasswords: SealedColumn = { table: "mail_watcher.account", id: "id", column: "password" }

/** The account has no usable login. Only an operator or the owner can fix this. */
export class NoLogin extends Schema.TaggedError<NoLogin>()("NoLogin", {
  account: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `no login for ${this.account}: ${this.detail}`
  }
}

/** A mail server, TLS from the first byte. */
export interface Server {
  readonly host: string
  readonly port: number
  /** Named by a user. Private addresses are refused unless allowed. */
  readonly foreign: boolean
}

export interface MailLogin {
  readonly user: string
  /** A mail token for XOAUTH2 and OAUTHBEARER, or a password. */
  readonly secret: { readonly _tag: "Token" | "Password"; readonly value: Redacted.Redacted }
}

export class MailLogins extends Context.Service<
  MailLogins,
  {
    readonly imap: (account: Account) => Effect.Effect<Server, NoLogin>
    readonly submission: (account: Account) => Effect.Effect<Server, NoLogin>
    /** Credentials for one sign-in. A token expires after minutes. */
    readonly login: (
      account: Account
    ) => Effect.Effect<MailLogin, NoLogin | NoSigningKey | SecretError | SqlError.SqlError>
  }
>()("signalbox/mail-watcher/MailLogins") {}

export const layer = (config: Pick<AccountSettings, "mailHost" | "connectHost" | "imapPort" | "submissionPort">) =>
  Layer.effect(
    MailLogins,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const sign = yield* makeSigner

      const server = (
        account: Account,
        ownPort: number,
        host: string | null,
        port: number | null
      ): Effect.Effect<Server, NoLogin> => {
        const ours = config.connectHost ?? config.mailHost
        if (account.kind === "own") {
          return ours === undefined
            ? Effect.fail(new NoLogin({ account: account.address, detail: "SIGNALBOX_MAIL_HOST is not set" }))
            : Effect.succeed({ host: ours, port: ownPort, foreign: false })
        }
        return host === null || port === null
          ? Effect.fail(new NoLogin({ account: account.address, detail: "the account has no server of this kind" }))
          : Effect.succeed({ host, port, foreign: true })
      }

      const token = Effect.fnUntraced(function* ({ address, tenant_id }: Account) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        return Redacted.make(
          yield* sign({
            type: "mail_access",
            userId: null,
            tenantId: tenant_id,
            session: daemonSession,
            id: randomUUID(),
            expires: now + daemonTokenLifetime,
            email: address
          }),
          { label: "mail token" }
        )
      })

      const password = Effect.fnUntraced(function* ({ address, id }: Account) {
        const [row] = yield* sql<{
          password: string | null
        }>`select password from mail_watcher.account where id = ${id} and not gone`
        if (row === undefined || row.password === null)
          return yield* new NoLogin({ account: address, detail: "the account was deleted" })
        return yield* secrets.open(row.password, contextOf(sealedPasswords, String(id)))
      })

      return MailLogins.of({
        imap: (account) => server(account, config.imapPort, account.imap_host, account.imap_port),
        submission: (account) => server(account, config.submissionPort, account.smtp_host, account.smtp_port),
        login: (account) =>
          account.kind === "own"
            ? Effect.map(token(account), (value) => ({ user: account.address, secret: { _tag: "Token", value } }))
            : Effect.map(password(account), (value) => ({
                user: account.login ?? account.address,
                secret: { _tag: "Password", value }
              }))
      })
    })
  )
