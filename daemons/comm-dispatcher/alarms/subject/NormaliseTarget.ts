import { Result } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import type { Channel } from "../../vocabulary/Exports.ts"
import { type AlarmSubjectReason, excerpt } from "./AlarmSubjectError.ts"

type Normalised = Result.Result<string, AlarmSubjectReason>

/**
 * Normalises a target, so that two spellings are equal: E.164 with `+`; integer without leading zeros, or `@name` in
 * lower case; URL in the form of the WHATWG URL standard, without fragment.
 */
export const normaliseTarget = (channel: Channel, value: string): Normalised => {
  switch (channel) {
    case "call":
    case "sms":
      return phoneNumber(value)
    case "messenger":
    case "messenger_voice":
      return chatId(value)
    case "webhook":
      return webhookUrl(value)
  }
}

/** Invisible characters that copying from an address book adds to a number: zero width, bidi, soft hyphen. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * `+49…`, `49…` and `0049…` are the same number. The country code must exist and the length be possible. The range is
 * not checked: assignments change faster than the metadata, and a wrong refusal would lose an alarm. The "min" metadata
 * (80 kB instead of 150) suffices for this; "mobile" would refuse landlines.
 */
const phoneNumber = (value: string): Normalised => {
  const fail = (why: string): Normalised => Result.fail({ _tag: "InvalidPhoneNumber", text: excerpt(value), why })
  const written = value.replace(invisible, "")
  if (!/^\+?[\d\s()./\-\u2010-\u2015]+$/.test(written))
    return fail("only digits, spaces and + ( ) . / - may stand in it")
  const digits = written.replace(/\D/g, "").replace(/^00/, "")
  if (digits.startsWith("0")) return fail("write it with the country code, for example +49…")
  const number = parsed(digits)
  if (number === undefined) return fail("the country code or the length is wrong")
  // A number with two removable trunk prefixes is ambiguous: it is refused.
  return parsed(number.slice(1)) === number ? Result.succeed(number) : fail("it can be read as two numbers")
}

const parsed = (digits: string): string | undefined => {
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  return number?.isPossible() ? number.number : undefined
}

/**
 * Maximum number of digits of a chat ID. Reason: IDs have at most 52 significant bits, so that a double can hold them.
 */
const chatIdDigits = 16

const chatId = (value: string): Normalised => {
  if (/^@[a-z]\w{3,31}$/i.test(value)) return Result.succeed(value.toLowerCase())
  if (/^-?\d+$/.test(value)) {
    const id = value.replace(/^(-?)0+(?=\d)/, "$1")
    if (id.replace("-", "").length <= chatIdDigits && Number.isSafeInteger(Number(id)) && Number(id) !== 0)
      return Result.succeed(id)
  }
  return Result.fail({ _tag: "InvalidChatId", text: excerpt(value) })
}

const webhookUrl = (value: string): Normalised => {
  const fail = (why: string): Normalised => Result.fail({ _tag: "InvalidUrl", why })
  if (/\s/.test(value)) return fail("it holds white space")
  const url = URL.parse(value)
  if (url === null) return fail("it is no absolute URL")
  if (url.protocol !== "http:" && url.protocol !== "https:") return fail("only http and https are served")
  if (url.username !== "" || url.password !== "") return fail("user name and password may not stand in it")
  url.hash = ""
  return Result.succeed(url.href)
}
