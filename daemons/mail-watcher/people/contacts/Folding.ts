/** Text as people search it: without capitals, accents and signs between words. Pure. */
import { domainToUnicode } from "node:url"

/** Letters that Unicode does not take apart into a plain letter and a mark. */
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

/** Lower case without accents, one space between words. What is folded stays the same when it is folded again. */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđðþħı]/g, (letter) => plainLetters[letter]!)
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()

/** A person as they are searched: name and address, and the address as it is read where its domain is an IDN. */
export const foldPerson = (name: string, address: string): string => {
  const domain = address.slice(address.lastIndexOf("@") + 1)
  const shown = domainToUnicode(domain)
  return fold([name, address, ...(shown === domain ? [] : [shown])].join(" "))
}
