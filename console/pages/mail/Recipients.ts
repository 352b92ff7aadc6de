/** Recipients as typed text: addresses with or without names, separated by commas or semicolons. Pure. */
import type { Address } from "./Shapes.ts"

/** Splits the text at commas and semicolons outside quotes and angle brackets; separators are items, too. */
const pieces = (text: string): Array<string> => text.match(/(?:"(?:[^"\\]|\\[^])*"?|<[^>]*>?|[^,;"<])+|[,;]/g) ?? []

export const split = (text: string): Array<string> =>
  pieces(text)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "" && piece !== "," && piece !== ";")

/** The recipient being typed, after the last separator. */
export const last = (text: string): string => {
  const piece = pieces(text).at(-1) ?? ""
  return piece === "," || piece === ";" ? "" : piece.trim()
}

/** Replaces the last recipient with the complete one and adds a separator. */
export const complete = (text: string, person: string): string => {
  const all = pieces(text)
  const typed = all.at(-1)
  const before = (typed === undefined || typed === "," || typed === ";" ? all : all.slice(0, -1)).join("").trim()
  return `${before === "" ? "" : `${before.replace(/[,;]$/, "")}, `}${person}, `
}

/** `Name <a@b>`, with the name in quotes where needed. Source: RFC 5322 §3.4. */
export const written = ({ address, name }: Address): string =>
  name === "" || name === address
    ? address
    : `${/^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`} <${address}>`

/** The address without the name. */
export const addressIn = (piece: string): string => (/<([^<>]*)>\s*$/.exec(piece)?.[1] ?? piece).trim()

/** Whether the text may be an address; the server checks it exactly. */
export const plausible = (piece: string): boolean =>
  /^[^\s@"<>]+@[^\s@"<>]+$/.test(addressIn(piece)) && (!/[<>]/.test(piece) || /^[^<>]*<[^<>]+>$/.test(piece))
