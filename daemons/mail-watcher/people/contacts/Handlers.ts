import { Array as Arr, Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { inScope } from "#core/auth/Caller.ts"
import { answerHeaders } from "#core/http/AnswerHeaders.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { accountOf } from "../../accounts/Exports.ts"
import { ContactView } from "./Api.ts"
import { cleaned, nothing } from "./ContactInput.ts"
import { defaultPeople, search } from "./PeopleSearch.ts"
import * as Contacts from "./Store.ts"
import { PeopleApi } from "../Api.ts"

/** Contacts per transaction of an import or export. Unit: contacts. Reason: tens of milliseconds. */
const batch = 250

/** A contact as answered. */
const view = ({ created_at, updated_at, ...rest }: Contacts.Contact): typeof ContactView.Type => ({
  ...rest,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

/** Loaded late, because the parser of vCards is large. */
const vCards = Effect.promise(() => import("./VCards.ts"))

export const contacts = Handlers.group(PeopleApi, "contacts", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { account, before, limit = defaultPage, q } }) {
      const mailAccount = yield* orUnavailable(accountOf(account))
      return paged((yield* orUnavailable(inScope(Contacts.list(mailAccount, q, before, limit + 1)))).map(view), limit)
    }),
    create: Effect.fnUntraced(function* ({ headers, payload, query }) {
      const account = yield* orUnavailable(accountOf(query.account))
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "mail.contacts.create",
          body: { ...payload, account: account.id },
          response: ContactView,
          create: Effect.map(Contacts.create(account, { ...nothing, ...cleaned(payload), name: payload.name }), view)
        })
      )
    }),
    exported: Effect.fnUntraced(function* ({ query }) {
      const account = yield* orUnavailable(accountOf(query.account))
      const VCards = yield* vCards
      const cards: Array<string> = []
      for (let before: number | undefined; ;) {
        const found = yield* orUnavailable(inScope(Contacts.list(account, undefined, before, batch)))
        cards.push(found.map(VCards.write).join(""))
        if (found.length < batch) break
        before = found.at(-1)!.id
      }
      yield* answerHeaders({ "content-disposition": 'attachment; filename="contacts.vcf"' })
      return cards.join("")
    }),
    imported: Effect.fnUntraced(function* ({ payload, query }) {
      const account = yield* orUnavailable(accountOf(query.account))
      const VCards = yield* vCards
      const cards = VCards.split(payload)
      const refused =
        cards.length === 0
          ? "must contain vCards"
          : cards.length > VCards.maxCards
            ? `must contain at most ${VCards.maxCards} vCards`
            : undefined
      if (refused !== undefined) return yield* new InvalidRequest({ errors: [{ field: "payload", message: refused }] })
      let imported = 0
      for (const part of Arr.chunksOf(cards, batch)) {
        const read = yield* VCards.readAll(part)
        imported += yield* orUnavailable(inScope(Contacts.add(account, read)))
      }
      return { imported, skipped: cards.length - imported }
    }),
    show: Effect.fnUntraced(function* ({ params, query }) {
      const account = yield* orUnavailable(accountOf(query.account))
      return view(yield* orUnavailable(inScope(Contacts.get(account, params.id))))
    }),
    update: Effect.fnUntraced(function* ({ params, payload, query }) {
      if (Object.keys(payload).length === 0)
        return yield* new InvalidRequest({ errors: [{ field: "payload", message: "must have at least one field" }] })
      const account = yield* orUnavailable(accountOf(query.account))
      return view(yield* orUnavailable(inScope(Contacts.update(account, params.id, cleaned(payload)))))
    }),
    remove: Effect.fnUntraced(function* ({ params, query }) {
      const account = yield* orUnavailable(accountOf(query.account))
      yield* orUnavailable(inScope(Contacts.remove(account, params.id)))
    })
  })
)

export const people = Handlers.group(PeopleApi, "webmailPeople", (handlers) =>
  handlers.handleAll({
    search: Effect.fnUntraced(function* ({ query }) {
      const account = yield* orUnavailable(accountOf(query.account))
      const found = yield* orUnavailable(inScope(search(account, query.q ?? "", query.limit ?? defaultPeople)))
      return { items: found.map(({ address, name, source }) => ({ name, address, source })) }
    })
  })
)
