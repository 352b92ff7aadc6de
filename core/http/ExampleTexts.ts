/**
 * Texts of examples in API documents: values that several fields share, and bodies that are no JSON. Names, addresses
 * and numbers are reserved for documentation. Pure. Sources: RFC 2606 (domains), RFC 5737 and RFC 3849 (addresses),
 * numbers for drama of the Bundesnetzagentur.
 */

/** Value of a field. */
export type Value = string | number | ReadonlyArray<string | number> | Readonly<Record<string, string>>

export const uuid = "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
export const moment = "2030-01-31T12:00:00Z"
export const day = "2030-01-31"
export const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
export const telephone = "+493023125001"
export const iban = "DE89370400440532013000"
export const anna = "anna@example.org"
export const messageId = "<20300131120000.1@example.org>"
export const secret = "four-words-in-a-row"
export const sealed = "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
/** Public key of a browser's push subscription. Source: RFC 8291 §5. */
export const pushKey = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
export const money = "119.00"

/** Values by the keyword `format`. Source: JSON Schema 2020-12, Validation, §7.3. */
export const formatValues: Readonly<Record<string, string>> = {
  "date-time": moment,
  date: day,
  time: "12:00:00Z",
  duration: "PT15M",
  email: anna,
  hostname: "www.example.org",
  ipv4: "203.0.113.10",
  ipv6: "2001:db8::10",
  uri: "https://www.example.org/",
  uuid
}

/** Texts for fields without a name of the table and without a format. */
export const plainTexts: ReadonlyArray<string> = ["text", "TEXT", "7", moment, day, "12:00", uuid, sha256, anna]

/** Bodies that are no JSON, by media type without parameters. */
const bodies: Readonly<Record<string, string>> = {
  "application/atom+xml": '<feed xmlns="http://www.w3.org/2005/Atom"><title>Status</title></feed>',
  "application/xliff+xml": '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en"/>',
  "application/xml": "<?xml version='1.0' encoding='UTF-8'?>\n<document/>",
  "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"/>',
  "message/rfc822": "From: anna@example.org\nTo: ben@example.net\nSubject: Hello\n\nHello\n",
  "text/calendar": "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n",
  "text/csv": "name,email\nAnna Example,anna@example.org\n",
  "text/event-stream": 'data: {"line":"ok"}\n\n',
  "text/html": "<!doctype html><title>Signalbox</title>",
  "text/plain": "text",
  "text/vcard": "BEGIN:VCARD\nVERSION:4.0\nFN:Anna Example\nEND:VCARD\n",
  "text/x-vcard": "BEGIN:VCARD\nVERSION:3.0\nN:Example;Anna\nFN:Anna Example\nEND:VCARD\n",
  "text/xml": "<?xml version='1.0' encoding='UTF-8'?>\n<document/>"
}

/** The text of a body of this media type; undefined for JSON, forms and bytes. */
export const bodyText = (type: string): string | undefined => bodies[type.split(";")[0]!.trim().toLowerCase()]
