/** Values of a new or changed contact that the schema has accepted, in their stored form. Pure. */
import { type ContactFields, links } from "./ContactFields.ts"

/** Fields of a contact that has only a name. */
export const nothing = { company: "", emails: [], phones: [], websites: [], messenger: null, chat_app: null, note: "" }

/** Cleans the fields that the schema has validated, and removes duplicates. */
export const cleaned = (given: Partial<ContactFields>): Partial<ContactFields> => {
  const { chat_app, emails, messenger, phones, websites, ...rest } = given
  const all = (values: ReadonlyArray<string>, clean: (value: string) => string | undefined) => [
    ...new Set(values.flatMap((value) => clean(value) ?? []))
  ]
  const one = (value: string | null, clean: (value: string) => string | undefined) =>
    value === null ? null : clean(value)!
  return {
    ...rest,
    ...(emails === undefined ? {} : { emails: all(emails, links.emails) }),
    ...(phones === undefined ? {} : { phones: all(phones, links.phones) }),
    ...(websites === undefined ? {} : { websites: all(websites, links.websites) }),
    ...(messenger === undefined ? {} : { messenger: one(messenger, links.messenger) }),
    ...(chat_app === undefined ? {} : { chat_app: one(chat_app, links.chat_app) })
  }
}
