import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { MailWatcherApi } from "../../Api.ts"
import { Pushes } from "./PushNotes.ts"

export const push = HttpApiBuilder.group(
  MailWatcherApi,
  "mailPush",
  Effect.fn(function* (handlers) {
    const pushes = yield* Pushes
    return handlers.handleAll({
      push: Effect.fnUntraced(function* ({ params }) {
        if (!(yield* orUnavailable(pushes.push(normaliseEmail(params.account)!))))
          return yield* new NotFound({ detail: "There is no such mail account." })
      })
    })
  })
)
