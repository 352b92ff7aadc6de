import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller } from "#core/auth/Caller.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { MailLoginApi } from "./Api.ts"
import { MailAccountSuspended } from "./Errors.ts"
import { MailTokens } from "./MailTokens.ts"
import { signingBroke } from "../sessions/Exports.ts"

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
        if (caller.kind !== "user") return yield* new NotFound({ detail: "There is no such mail account." })
        const issued = yield* orUnavailable(signingBroke(tokens.issue(caller, payload?.email)))
        if (issued === "none") {
          return yield* new NotFound({
            detail:
              payload?.email === undefined
                ? "There is no mail account of yours."
                : "There is no such mail account of yours."
          })
        }
        if (issued === "suspended")
          return yield* new MailAccountSuspended({
            detail: "The mail account is suspended; its administrator can tell why."
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
  handlers.handleAll({ introspect: () => Effect.die(new Error("the fast lane did not answer the introspection")) })
)
