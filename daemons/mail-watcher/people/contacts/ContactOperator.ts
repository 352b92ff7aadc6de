/** Implementation of `signalbox contact`. The commands use the database, so no daemon needs to run. */
import { Array as Arr, Console, Effect, Option } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { decodeInput, someField, typed } from "#core/cli/Input.ts"
import { print, table } from "#core/cli/Output.ts"
import { sure } from "#core/cli/Sure.ts"
import { withAccount } from "../../operator/OperatorStorage.ts"
import { ContactChange, NewContact } from "./Api.ts"
import type { ContactFields } from "./ContactFields.ts"
import { cleaned, nothing } from "./ContactInput.ts"
import * as Contacts from "./Store.ts"

/** Contacts per statement of an export or import. Unit: contacts. */
const batch = 250

/** Largest file of an import. Unit: bytes. Source: the limit of the endpoint, 1 MiB. */
const maxFile = 1_048_576

/** Loaded late, because the parser of vCards is large. */
const vCards = Effect.promise(() => import("./VCards.ts"))

export interface AccountFlags {
  readonly account: string
  readonly json: boolean
}

/** Flags of the fields of a contact. An absent list is empty. */
export interface FieldFlags {
  readonly name: Option.Option<string>
  readonly company: Option.Option<string>
  readonly email: ReadonlyArray<string>
  readonly phone: ReadonlyArray<string>
  readonly website: ReadonlyArray<string>
  readonly note: Option.Option<string>
}

const names = { name: "--name", company: "--company", emails: "--email", phones: "--phone", websites: "--website" }

const given = ({ company, email, name, note, phone, website }: FieldFlags) =>
  typed({
    name,
    company,
    note,
    ...(email.length === 0 ? {} : { emails: email }),
    ...(phone.length === 0 ? {} : { phones: phone }),
    ...(website.length === 0 ? {} : { websites: website })
  })

const rows = (found: ReadonlyArray<Contacts.Contact>) =>
  table("No contacts. Create one: bin/signalbox contact add --help", [
    ["id", "name", "company", "mail", "phone"],
    ...found.map(({ company, emails, id, name, phones }) => [
      String(id),
      name,
      company,
      emails.join(", "),
      phones.join(", ")
    ])
  ])

export const list = Effect.fnUntraced(function* (
  flags: AccountFlags & { readonly search: Option.Option<string>; readonly limit: number }
) {
  const search = Option.getOrUndefined(flags.search)
  const found = yield* withAccount(flags.account, (account) => Contacts.list(account, search, undefined, flags.limit))
  yield* print(flags.json, found, rows)
})

export const show = Effect.fnUntraced(function* (flags: AccountFlags & { readonly id: number }) {
  const found = yield* withAccount(flags.account, (account) => Contacts.get(account, flags.id))
  yield* print(flags.json, found, facts)
})

const facts = ({ chat_app, company, emails, messenger, name, note, phones, websites }: Contacts.Contact) => [
  name,
  ...[company, ...emails, ...phones, ...websites, messenger ?? "", chat_app ?? "", note].filter((text) => text !== "")
]

export const add = Effect.fnUntraced(function* (flags: AccountFlags & FieldFlags) {
  const wanted = (yield* decodeInput(NewContact, given(flags), names)) as Partial<ContactFields> & { name: string }
  const made = yield* withAccount(flags.account, (account) =>
    Contacts.create(account, { ...nothing, ...cleaned(wanted), name: wanted.name })
  )
  yield* print(flags.json, made, (contact) => rows([contact]))
})

export const change = Effect.fnUntraced(function* (flags: AccountFlags & FieldFlags & { readonly id: number }) {
  const fields = given(flags)
  yield* someField(fields)
  const to = yield* decodeInput(ContactChange, fields, names)
  const changed = yield* withAccount(flags.account, (account) => Contacts.update(account, flags.id, cleaned(to)))
  yield* print(flags.json, changed, (contact) => rows([contact]))
})

export const remove = Effect.fnUntraced(function* (
  flags: AccountFlags & { readonly id: number; readonly yes: boolean }
) {
  const { name } = yield* withAccount(flags.account, (account) => Contacts.get(account, flags.id))
  yield* sure(`The contact ${name} is deleted.`, flags.yes)
  yield* withAccount(flags.account, (account) => Contacts.remove(account, flags.id))
  yield* print(flags.json, { id: flags.id, deleted: true }, () => [`Contact ${flags.id} is deleted.`])
})

const reason = (error: unknown): string => (error instanceof Error ? error.message : "unknown")

/** Writes all contacts as vCards: to a file, or to standard output with `-`. */
export const exported = Effect.fnUntraced(function* (flags: AccountFlags & { readonly file: string }) {
  const { write } = yield* vCards
  const found = yield* withAccount(flags.account, (account) =>
    Effect.gen(function* () {
      const all: Array<Contacts.Contact> = []
      for (let before: number | undefined; ; before = all.at(-1)!.id) {
        const some = yield* Contacts.list(account, undefined, before, batch)
        all.push(...some)
        if (some.length < batch) return all
      }
    })
  )
  const text = found.map(write).join("")
  if (flags.file === "-") return yield* Console.log(text.trimEnd())
  yield* Effect.try({
    try: () => writeFileSync(flags.file, text),
    catch: (error) => fail(`${flags.file} cannot be written: ${reason(error)}`)
  })
  yield* print(flags.json, { file: flags.file, contacts: found.length }, () => [
    `${found.length} contacts are in ${flags.file}.`
  ])
})

/** Adds the contacts of a file of vCards that are not there yet. */
export const imported = Effect.fnUntraced(function* (flags: AccountFlags & { readonly file: string }) {
  const { maxCards, read, split } = yield* vCards
  const text = yield* Effect.try({
    try: () => {
      if (statSync(flags.file).size > maxFile) throw new Error(`it has more than ${maxFile} bytes`)
      return readFileSync(flags.file, "utf8")
    },
    catch: (error) => fail(`${flags.file} cannot be read: ${reason(error)}`)
  })
  const cards = split(text)
  if (cards.length === 0) return yield* fail(`${flags.file} has no vCards`, exitUsage)
  if (cards.length > maxCards) return yield* fail(`${flags.file} has more than ${maxCards} vCards`, exitUsage)
  const contacts = cards.flatMap((card) => read(card) ?? [])
  const counts = yield* withAccount(flags.account, (account) =>
    Effect.forEach(Arr.chunksOf(contacts, batch), (part) => Contacts.add(account, part))
  )
  const all = counts.reduce((sum, count) => sum + count, 0)
  yield* print(flags.json, { imported: all, skipped: cards.length - all }, (answer) => [
    `${answer.imported} contacts are imported, ${answer.skipped} were there already or have nothing usable.`
  ])
})
