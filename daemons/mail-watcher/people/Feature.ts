import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import * as HtmlWorker from "#core/html/HtmlWorker.ts"
import { PeopleApi } from "./Api.ts"
import { compose } from "./compose/Handlers.ts"
import { contacts, people as peopleSearch } from "./contacts/Handlers.ts"
import { people as peopleTables } from "./migrations/0004_people.ts"
import { signatures } from "./signatures/Handlers.ts"

/** Signatures, the address book, recent recipients and compose links of an account. */
export const people = Feature.make({
  migrations: [peopleTables],
  routes: [
    { prefix: "/api/v1/mail/signatures", authenticated: true },
    { prefix: "/api/v1/mail/contacts", authenticated: true }
  ],
  api: PeopleApi,
  layer: HttpApiBuilder.layer(PeopleApi).pipe(
    Layer.provide([signatures, contacts, peopleSearch, compose]),
    Layer.provide(HtmlWorker.layer)
  )
})
