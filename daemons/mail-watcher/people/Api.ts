import * as Api from "#core/http/Api.ts"
import { compose } from "./compose/Api.ts"
import { contacts, people } from "./contacts/Api.ts"
import { signatures } from "./signatures/Api.ts"

export const PeopleApi = Api.make("people").add(signatures).add(contacts).add(people).add(compose)
