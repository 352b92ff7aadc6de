/**
 * Converts contacts from vCards 3.0 and 4.0 (RFC 2426, RFC 6350) and to vCard 4.0 with ical.js. Adds limits and chooses
 * the fields; pictures, birthdays and postal addresses are left out. Pure.
 */
import ICAL from "ical.js"
import { Effect } from "effect"
import { type ContactFields, links, maxName, maxNote, maxValues } from "./ContactFields.ts"

/** Maximum number of cards per import. Reason: one mebibyte holds some thousand. */
export const maxCards = 10_000

/** Longest card without pictures. Unit: characters. */
const maxCard = 65_536

/** Splits a text into cards and drops lines of pictures, sounds and keys. */
export const split = (text: string): ReadonlyArray<string> => {
  const cards: Array<string> = []
  let open: Array<string> | undefined
  let skipping = false
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    if (/^[ \t]/.test(line)) {
      if (!skipping) open?.push(line)
      continue
    }
    skipping = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i.test(line)
    if (/^BEGIN:VCARD\s*$/i.test(line)) open = []
    else if (/^END:VCARD\s*$/i.test(line)) {
      if (open !== undefined) cards.push(open.join("\r\n"))
      open = undefined
    } else if (!skipping && line !== "") open?.push(line)
  }
  return cards
}

/**
 * Contacts of cards, without the cards that `read` refuses. Reading one card may take long, so other requests run
 * between two cards.
 */
export const readAll = Effect.fnUntraced(function* (cards: ReadonlyArray<string>) {
  const contacts: Array<ContactFields> = []
  for (const card of cards) {
    yield* Effect.yieldNow
    const contact = read(card)
    if (contact !== undefined) contacts.push(contact)
  }
  return contacts
})

/** Contact of a card. Undefined for an invalid card, or one without any name, address or number. */
export const read = (card: string): ContactFields | undefined => {
  const properties = parsed(card)
  if (properties === undefined) return undefined
  const texts = (name: string) =>
    properties.filter(([given]) => given === name).flatMap(([, , , ...values]) => values.map(flat))
  const [company = ""] = texts("org").map(line)
  const emails = several(texts("email"), (text) => links.emails(text.replace(/^mailto:/i, "")))
  const phones = several(texts("tel"), (text) => links.phones(text.replace(/^tel:/i, "")))
  const name = [
    ...texts("fn").map(line),
    ...properties.filter(([given]) => given === "n").map(([, , , value]) => inOrder(value)),
    company,
    ...emails,
    ...phones
  ].find((text) => text !== "")
  if (name === undefined) return undefined
  return {
    name,
    company,
    emails,
    phones,
    websites: several(texts("url"), (text) => links.websites(text.replaceAll("\\:", ":"))),
    messenger: several([...texts(messenger), ...texts("impp")], links.messenger)[0] ?? null,
    chat_app: several(texts(chatApp), links.chat_app)[0] ?? null,
    note: first(
      texts("note")
        .join("\n")
        .toWellFormed()
        .replace(/\r\n?/g, "\n")
        .replace(/(?![\t\n])\p{Cc}/gu, ""),
      maxNote
    )
  }
}

/** One card with its final line break. */
export const write = ({
  chat_app,
  company,
  emails,
  messenger: handle,
  name,
  note,
  phones,
  websites
}: ContactFields): string =>
  `${new ICAL.Component([
    "vcard",
    [
      ["version", {}, "text", "4.0"],
      ["fn", {}, "text", name],
      ...(company === "" ? [] : [["org", {}, "text", [company]]]),
      ...emails.map((value) => ["email", {}, "text", value]),
      ...phones.map((value) => ["tel", {}, "text", value]),
      ...websites.map((value) => ["url", {}, "uri", value]),
      ...(handle === null ? [] : [[messenger, {}, "unknown", handle]]),
      ...(chat_app === null ? [] : [[chatApp, {}, "unknown", chat_app]]),
      ...(note === "" ? [] : [["note", {}, "text", note]])
    ],
    []
  ]).toString()}\r\n`

/** Extension properties, because the standard has no widely supported ones. */
const messenger = "x-signalbox-messenger"
const chatApp = "x-signalbox-chat-app"

/** A property in jCard form. Source: RFC 7095 §3.3. */
type Property = readonly [name: string, parameters: unknown, type: string, ...values: ReadonlyArray<unknown>]

const parsed = (card: string): ReadonlyArray<Property> | undefined => {
  if (card.length > maxCard) return undefined
  try {
    const [name, properties] = ICAL.parse(`BEGIN:VCARD\r\n${card}\r\nEND:VCARD\r\n`) as unknown as [
      string,
      ReadonlyArray<Property>
    ]
    const version = properties.find(([given]) => given === "version")?.[3]
    return name === "vcard" && (version === "3.0" || version === "4.0") ? properties : undefined
  } catch {
    return undefined
  }
}

/** Joins the parts of a structured value such as `Company;Department`. */
const flat = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .flat()
        .filter((part) => part !== "")
        .join(", ")
    : String(value)

/** Joins the parts of a name in speaking order. */
const inOrder = (value: unknown): string =>
  Array.isArray(value)
    ? line([value[3], value[1], value[2], value[0], value[4]].flat().filter(Boolean).join(" "))
    : line(flat(value))

const line = (text: string): string =>
  first(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    maxName
  ).trim()

/** Cuts the text without splitting a surrogate pair. */
const first = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "")

const several = (texts: ReadonlyArray<string>, clean: (text: string) => string | undefined): ReadonlyArray<string> =>
  [...new Set(texts.flatMap((text) => clean(text) ?? []))].slice(0, maxValues)
