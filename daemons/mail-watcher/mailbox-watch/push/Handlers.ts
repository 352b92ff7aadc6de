import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { PushNotes } from "./PushNotes.ts"
import { MailboxWatchApi } from "../Api.ts"

export const push = Handlers.group(
  MailboxWatchApi,
  "mailPush",
  Effect.fn(function* (handlers) {
    const pushes = yield* PushNotes
    return handlers.handleAll({
      push: Effect.fnUntraced(function* ({ params }) {
        if (!(yield* orUnavailable(pushes.push(normaliseEmail(params.account)!))))
          return yield* new NotFound({ detail: "The mail account does not exist." })
      })
    })
  })
)
