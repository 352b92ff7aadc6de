import { Effect, Layer, Redacted, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { languageFor } from "#core/words/InLanguage.ts"
import * as AccountChanges from "./AccountChanges.ts"
import { view } from "./AccountRow.ts"
import * as AccountStore from "./AccountStore.ts"
import { AccountsApi } from "./Api.ts"
import * as Changes from "./keys/Changes.ts"
import { keyStatus } from "./keys/KeyView.ts"
import * as Steps from "./keys/Steps.ts"
import { letterOf } from "./letter/Letters.ts"
import * as Permissions from "./Permissions.ts"

const accounts = Handlers.group(AccountsApi, "bankAccounts", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { active, before, limit = defaultPage, ...filter } }) {
      const wanted = { ...filter, ...(active === undefined ? {} : { active: active === "true" }) }
      const found = yield* orUnavailable(inScope(AccountStore.list(wanted, before, limit + 1)))
      const items = found.slice(0, limit).map(view)
      return { items, next_before: found.length > limit ? items.at(-1)!.seq : null }
    }),
    create: ({ headers, payload }) => AccountChanges.create(payload, headers["idempotency-key"]),
    show: ({ params }) => orUnavailable(Effect.map(inScope(AccountStore.get(params.uuid)), view)),
    update: ({ params, payload }) => AccountChanges.update(params.uuid, payload),
    deactivate: ({ params }) => orUnavailable(inScope(AccountStore.deactivate(params.uuid))),
    reactivate: ({ params }) => orUnavailable(Effect.map(inScope(AccountStore.reactivate(params.uuid)), view)),
    permissions: ({ params }) => Effect.map(Permissions.refresh(params.uuid), view)
  })
)

/** Runs a change and answers the key status. */
const then = <E, R>(id: string, change: Effect.Effect<unknown, E, R>) =>
  orUnavailable(Effect.andThen(change, inScope(keyStatus(id))))

const keys = Handlers.group(AccountsApi, "bankKeys", (handlers) =>
  handlers.handleAll({
    status: ({ params }) => orUnavailable(inScope(keyStatus(params.uuid))),
    init: ({ params: { uuid }, payload }) => {
      const passphrase = payload?.passphrase
      return then(uuid, Steps.init(uuid, passphrase === undefined ? undefined : Redacted.make(passphrase)))
    },
    ini: ({ params: { uuid } }) => then(uuid, Steps.ini(uuid)),
    hia: ({ params: { uuid } }) => then(uuid, Steps.hia(uuid)),
    activate: ({ params: { uuid } }) => then(uuid, Steps.activate(uuid)),
    letter: Effect.fnUntraced(function* ({ params: { uuid }, query }) {
      const pdf = yield* letterOf(uuid, yield* languageFor(query.lang))
      return HttpServerResponse.stream(Stream.succeed(pdf), {
        contentType: "application/pdf",
        headers: { "content-disposition": `attachment; filename="ebics-letter.pdf"`, "cache-control": "no-store" }
      })
    }),
    acceptBank: ({ params: { uuid }, payload }) => then(uuid, Changes.accept(uuid, payload)),
    refreshBank: ({ params: { uuid } }) => then(uuid, Steps.refresh(uuid)),
    suspend: ({ params: { uuid } }) => then(uuid, Changes.suspend(uuid)),
    resume: ({ params: { uuid } }) => then(uuid, Changes.resume(uuid)),
    reset: ({ params: { uuid }, payload }) => then(uuid, Changes.reset(uuid, payload.confirm)),
    unlock: ({ params: { uuid }, payload }) => then(uuid, Changes.unlock(uuid, Redacted.make(payload.passphrase)))
  })
)

export const bankHandlers = Layer.merge(accounts, keys)
