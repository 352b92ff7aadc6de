/** Folds text for searching: lower case, no accents, single spaces. Pure. */
import { domainToUnicode } from "node:url"

/** Letters that Unicode does not decompose into a base letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i"
}

const plainLetter = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g")

/** Folds text. Idempotent. */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(plainLetter, (letter) => plainLetters[letter]!)
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()

/** Folds name and address. An IDN domain is included in both forms. */
export const foldPerson = (name: string, address: string): string => {
  const domain = address.slice(address.lastIndexOf("@") + 1)
  const shown = domainToUnicode(domain)
  return fold([name, address, ...(shown === domain ? [] : [shown])].join(" "))
}
