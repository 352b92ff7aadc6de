import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller } from "#core/auth/Caller.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { MailAccountSuspended, MailLoginApi } from "./Api.ts"
import { MailTokens } from "./MailTokens.ts"
import { orSigningUnavailable } from "../sessions/Exports.ts"

export const mailTokens = Handlers.group(
  MailLoginApi,
  "mail-tokens",
  Effect.fn(function* (handlers) {
    const tokens = yield* MailTokens
    return handlers.handleAll({
      mailToken: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        const caller = yield* Caller
        // Service tokens are refused before (UsersOnly).
        if (caller.kind !== "user") return yield* new NotFound({ detail: "Only signed-in users have mail accounts." })
        const issued = yield* orUnavailable(orSigningUnavailable(tokens.issue(caller, payload?.email)))
        if (issued === "none") {
          return yield* new NotFound({
            detail: payload?.email === undefined ? "You have no mail account." : "You have no such mail account."
          })
        }
        if (issued === "suspended")
          return yield* new MailAccountSuspended({
            detail:
              payload?.email === undefined
                ? "Your default mail account is suspended; name another one with `email`."
                : "Ask your administrator to reactivate the mail account."
          })
        return {
          access_token: issued.token,
          token_type: "Bearer" as const,
          expires_in: issued.expiresIn,
          email: issued.email
        }
      })
    })
  })
)

/** The fast lane runs before the router and answers this path, so a request that arrives here is a defect. */
export const introspection = Handlers.group(MailLoginApi, "introspection", (handlers) =>
  handlers.handleAll({
    introspect: () => Effect.die(new Error("the fast lane did not answer the introspection request"))
  })
)
