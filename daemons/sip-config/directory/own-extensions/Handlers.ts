import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { Credentials, sealedExtensions } from "../Credentials.ts"
import * as Extensions from "../extensions/Store.ts"
import { phoneConfig } from "./PhoneConfig.ts"
import { SipSettings } from "../SipSettings.ts"

/** The calling user as owner of extensions; 403 for service tokens. */
const owner = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user"
    ? Effect.succeed({ tenantId: caller.tenantId, userId: caller.userId })
    : Effect.fail(new Forbidden({ detail: "A service token has no extensions." }))
)

export const ownExtensions = Handlers.group(
  DirectoryApi,
  "ownExtensions",
  Effect.fn(function* (handlers) {
    const credentials = yield* Credentials
    const settings = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const rows = yield* orUnavailable(inScope(Extensions.ownedBy(yield* owner)))
        return {
          items: rows.map(({ domain, enabled, extension, id, name }) => ({ id, extension, name, domain, enabled }))
        }
      }),
      config: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* noStore
        const row = yield* orUnavailable(inScope(Extensions.shown(id, yield* owner)))
        return phoneConfig(row, yield* credentials.open(sealedExtensions, id, row.password), settings)
      })
    })
  })
)
