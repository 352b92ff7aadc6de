import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { SupportSessionCreated } from "#core/contracts/Support.ts"
import { Events } from "#core/events/Events.ts"
import { retryAfter } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { OwnSessionView, SupportApi } from "./Api.ts"
import { codeOf, spoken } from "./SessionCode.ts"
import * as Store from "./Store.ts"
import { ownViewOf, viewOf } from "./View.ts"

/** The signed-in user. Service tokens are refused before (UsersOnly). */
const user = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user" ? Effect.succeed(caller) : Effect.die(new Error("a service token passed UsersOnly"))
)

const entity = "support_session"

const note = Effect.fnUntraced(function* (
  action: string,
  { id, tenant_id }: Pick<Store.Session, "id" | "tenant_id">,
  detail = {}
) {
  const { address } = yield* client
  yield* Audit.writeFor({ tenantId: tenant_id, action, entity, id: String(id), address, detail })
})

const noSession = new NotFound({ detail: "No support session has this code." })

export const supportHandlers = Handlers.group(
  SupportApi,
  "support",
  Effect.fn(function* (handlers) {
    const events = yield* Events
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const { tenantId, userId } = yield* user
        const { channel = "web", message = null } = payload ?? {}
        const create = Effect.gen(function* () {
          const session = yield* Store.create({ tenantId, userId, channel, message })
          yield* note("support_session.created", session, { channel })
          yield* events.emit(
            SupportSessionCreated,
            "comm-dispatcher",
            { session_code: spoken(session.code), channel },
            { tenantId }
          )
          return ownViewOf(session)
        })
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "support.create",
            body: payload,
            response: OwnSessionView,
            create
          })
        ).pipe(Effect.tapErrorTag("SupportLimitReached", ({ retry_after }) => retryAfter(retry_after)))
      }),
      own: Effect.fnUntraced(function* () {
        const { userId } = yield* user
        const session = yield* orUnavailable(inScope(Store.own(userId)))
        return { session: session === undefined ? null : ownViewOf(session) }
      }),
      withdraw: Effect.fnUntraced(function* () {
        const caller = yield* user
        const closed = yield* orUnavailable(
          inScope(
            Effect.tap(Store.closeOwn(caller.userId, nameOf(caller)), (closed) =>
              closed === undefined ? Effect.void : note("support_session.closed", closed)
            )
          )
        )
        if (closed === undefined) return yield* new NotFound({ detail: "You have no open support session." })
      }),
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state = "open" } }) {
        const found = yield* orUnavailable(inScope(Store.list({ before, limit: limit + 1, open: state === "open" })))
        return paged(found.map(viewOf), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        const session = yield* orUnavailable(inScope(Store.byCode(codeOf(params.code) ?? "")))
        return session === undefined ? yield* noSession : viewOf(session)
      }),
      close: Effect.fnUntraced(function* ({ params }) {
        const by = nameOf(yield* Caller)
        const found = yield* orUnavailable(
          inScope(
            Effect.tap(Store.close(codeOf(params.code) ?? "", by), (found) =>
              found?.closed === true ? note("support_session.closed", found.session) : Effect.void
            )
          )
        )
        return found === undefined ? yield* noSession : viewOf(found.session)
      })
    })
  })
)
