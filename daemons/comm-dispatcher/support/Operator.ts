/** Implementation of `signalbox support …`. */
import { Effect } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { second } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Audit from "#core/log/Audit.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { commDispatcher } from "../Daemon.ts"
import { codeOf } from "./SessionCode.ts"
import * as Store from "./Store.ts"
import { viewOf } from "./View.ts"

type View = ReturnType<typeof viewOf>

const withSessions = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(commDispatcher.migrations), transaction(use)))

/** Free text of users, on one line. */
const plain = (text: string) => text.replace(/\p{C}/gu, " ")

const userOf = ({ user }: View) => plain(user.email === null ? `user ${user.id}` : `${user.name} <${user.email}>`)

export const list = Effect.fnUntraced(function* (flags: {
  readonly all: boolean
  readonly limit: number
  readonly json: boolean
}) {
  const sessions = (yield* withSessions(Store.list({ limit: flags.limit, open: !flags.all }))).map(viewOf)
  yield* print(flags.json, sessions, (sessions) =>
    sessions.length === 0
      ? [flags.all ? "No support sessions." : "No open support sessions."]
      : columns([
          ["CREATED", "CODE", "STATE", "TENANT", "CHANNEL", "USER", "MESSAGE"],
          ...sessions.map((session) => [
            second(session.created_at),
            session.session_code,
            session.state,
            String(session.tenant_id),
            session.channel,
            userOf(session),
            plain(session.message ?? "-")
          ])
        ])
  )
})

const lines = (session: View) =>
  columns([
    ["code", session.session_code],
    ["state", session.closed_by === null ? session.state : `${session.state} by ${session.closed_by}`],
    ["user", `${userOf(session)} (id ${session.user.id}, tenant ${session.tenant_id})`],
    ["channel", session.channel],
    ["message", plain(session.message ?? "-")],
    ["created", session.created_at],
    ["valid until", session.expires_at]
  ])

const read = (typed: string) => {
  const code = codeOf(typed)
  return code === undefined ? fail("a code has eight digits, such as 1234-5678", exitUsage) : Effect.succeed(code)
}

const missing = fail("no support session has this code")

export const show = Effect.fnUntraced(function* (flags: { readonly code: string; readonly json: boolean }) {
  const session = yield* withSessions(Store.byCode(yield* read(flags.code)))
  if (session === undefined) return yield* missing
  yield* print(flags.json, viewOf(session), lines)
})

export const close = Effect.fnUntraced(function* (flags: { readonly code: string; readonly json: boolean }) {
  const code = yield* read(flags.code)
  const found = yield* withSessions(
    Effect.tap(Store.close(code, Audit.operator), (found) =>
      found?.closed === true
        ? Audit.write({
            tenantId: found.session.tenant_id,
            actor: Audit.operator,
            action: "support_session.closed",
            entity: "support_session",
            id: String(found.session.id)
          })
        : Effect.void
    )
  )
  if (found === undefined) return yield* missing
  yield* print(flags.json, viewOf(found.session), lines)
})
