import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { maxContactLink } from "#core/html/Links.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { AccountNeeded, accountQuery } from "../../accounts/Exports.ts"
import { LimitReached } from "../Errors.ts"
import { links, maxName, maxNote, maxValues } from "./ContactFields.ts"
import { maxPeople } from "./PeopleSearch.ts"

/** Longest search text. Unit: characters. */
const maxQuery = 200

/** Refuses text that Postgres cannot store. */
const storable = Schema.makeFilter((text: string) =>
  text.isWellFormed() && !text.includes("\0") ? undefined : "must be text without NUL"
)

/** A value that `clean` accepts. The answer contains the cleaned value. */
const link = (clean: (value: string) => string | undefined, message: string) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maxContactLink),
      storable,
      Schema.makeFilter((text: string) =>
        text !== "" && text.length <= maxContactLink && clean(text) === undefined ? message : undefined
      )
    )
  )

const values = (item: ReturnType<typeof link>) => boundedList(item, { minimum: 0, maximum: maxValues })

/** May have several lines. */
const Note = Schema.String.pipe(Schema.check(Schema.isMaxLength(maxNote), storable))

/** May be empty. */
const Company = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(maxName),
    storable,
    Schema.makeFilter((text: string) => (/\p{Cc}/u.test(text) ? "must not contain control characters" : undefined))
  )
)

const fields = {
  company: Schema.optionalKey(Company),
  emails: Schema.optionalKey(values(link(links.emails, "must be a whole mail address"))),
  phones: Schema.optionalKey(values(link(links.phones, "must be a phone number"))),
  websites: Schema.optionalKey(values(link(links.websites, "must be an http or https URL"))),
  messenger: Schema.optionalKey(
    Schema.NullOr(
      link(links.messenger, "must be a handle of 3 to 32 letters, digits and _, or an https URL of the messenger")
    )
  ),
  chat_app: Schema.optionalKey(Schema.NullOr(link(links.chat_app, "must be a number of at least 5 digits"))),
  note: Schema.optionalKey(Note)
}

/** A new contact. */
export const NewContact = Schema.Struct({ name: plainText(maxName), ...fields })

/** Changed fields of a contact; omitted ones stay. */
export const ContactChange = Schema.Struct({ name: Schema.optionalKey(plainText(maxName)), ...fields })

export const ContactView = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  company: Schema.String,
  emails: Schema.Array(Schema.String),
  phones: Schema.Array(Schema.String),
  websites: Schema.Array(Schema.String),
  /** Handle or https address. */
  messenger: Schema.NullOr(Schema.String),
  chat_app: Schema.NullOr(Schema.String),
  note: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "MailContact" })

export const PersonView = Schema.Struct({
  /** May be empty. */
  name: Schema.String,
  address: Schema.String,
  source: Schema.Literals(["address_book", "recent"])
}).annotate({ identifier: "MailPerson" })

const Query = plainText(maxQuery)
const Few = Schema.NumberFromString.pipe(
  Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxPeople })))
)
const Card = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/vcard" }))
/** vCard under the older media type, which browsers use for `.vcf` files. */
const OldCard = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/x-vcard" }))
const params = { id: Id }
const use = "webmail.use"
/** Endpoints of the address book. */
export const contacts = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...accountQuery, ...page(), q: Schema.optionalKey(Query) },
      success: pageOf(ContactView),
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Contacts, newest first",
          description:
            "`q` matches contacts that contain all its words in name, company, address or number; letter case and " +
            "accents do not matter."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      query: accountQuery,
      headers: Idempotency.headers,
      payload: NewContact,
      success: ContactView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, AccountNeeded, LimitReached]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a contact",
          description: "Links are stored in normal form; 422 for an invalid link."
        })
      ),
    HttpApiEndpoint.get("exported", "/export.vcf", {
      query: accountQuery,
      success: Card,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(OpenApi.annotations({ summary: "All contacts as vCards", description: "vCard 4.0 (RFC 6350)." })),
    HttpApiEndpoint.post("imported", "/import", {
      query: accountQuery,
      payload: [Card, OldCard],
      success: Schema.Struct({
        imported: Schema.Int,
        /** Duplicates, and cards without usable fields. */
        skipped: Schema.Int
      }),
      error: [NotFound, AccountNeeded, LimitReached]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Import contacts from vCards",
          description:
            "vCard 3.0 and 4.0, at most 1 MiB. Invalid values are dropped. A card is skipped when a contact with " +
            "the same name, company, addresses and numbers exists."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", {
      params,
      query: accountQuery,
      success: ContactView,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(OpenApi.annotations({ summary: "One contact" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      query: accountQuery,
      payload: ContactChange,
      success: ContactView,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a contact",
          description:
            "At least one field is required; omitted fields keep their values. A list replaces all its earlier values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      query: accountQuery,
      success: HttpApiSchema.NoContent,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(OpenApi.annotations({ summary: "Delete a contact" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/contacts")

/** Endpoint that suggests recipients. */
export const people = HttpApiGroup.make("webmailPeople")
  .add(
    HttpApiEndpoint.get("search", "/search", {
      query: { ...accountQuery, q: Schema.optionalKey(Query), limit: Schema.optionalKey(Few) },
      success: Schema.Struct({ items: Schema.Array(PersonView) }),
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Suggest recipients by name or address",
          description:
            "Searches the address book and recent recipients; each address appears once, and without text nobody is " +
            "found. Words that begin with the text come first, then frequent and recent recipients. Default " +
            "limit 10, at most 50."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/contacts")
